"""Hundreds of runs in one call: memory does not grow with them, a broken one stops nobody, and is named."""

from __future__ import annotations

import json
import sys
import tempfile
import tracemalloc
from pathlib import Path

import psutil
import pytest

import ndcgauge
from ndcgauge.cli.main import run
from ndcgauge.errors import InputError
from ndcgauge.jobs.request import request
from ndcgauge.jobs.score import score

FAKE = Path(__file__).parents[1] / "evaluators" / "fakes" / "counting.py"
DOCS = 60
QRELS = "".join(f"q{query} 0 d{doc} 1\n" for query in range(3) for doc in range(0, DOCS, 7))


def run_text(shift: int) -> str:
    return "".join(
        f"q{query} Q0 d{(doc + shift) % DOCS} {doc + 1} {DOCS - doc}.5 t\n" for query in range(3) for doc in range(DOCS)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text(QRELS)
    for number in range(500):
        (tmp_path / f"run{number:03d}").write_text(run_text(number))
    return tmp_path


def peak(folder: Path, count: int) -> int:
    runs = [str(folder / f"run{number:03d}") for number in range(count)]
    tracemalloc.start()
    document, _ = score(str(folder / "qrels"), runs, request(["ndcg@10"]))
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(document.scores) == count
    return found


def test_memory_does_not_grow_with_the_runs(folder: Path) -> None:
    few, many = peak(folder, 20), peak(folder, 500)
    # What must grow is the document: three values, a mean and a specification a run, a few kilobytes; not the runs,
    # of which each would cost its lines in columns.
    assert many - few < 480 * 12_000
    assert many < 3 * few + 480 * 8_000


def test_a_broken_run_stops_nobody_and_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "run007").write_text(run_text(7) + "q1 Q0 d1 high\n")
    (folder / "run008").unlink()
    (folder / "run009").write_text("")
    runs = [str(folder / f"run{number:03d}") for number in range(500)]
    output = folder / "scores.json"
    code = run(["score", str(folder / "qrels"), *runs, "-f", "json", "-o", str(output)])
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert code == 3
    assert len(document["scores"]) == 497
    assert sorted(Path(name).name for name in document["unread"]) == ["run007", "run008", "run009"]
    assert f"run007:{3 * DOCS + 1}:" in err
    assert "no such file" in err
    assert "empty" in err
    assert json.loads(output.read_text()) == document


def test_where_no_run_can_be_read_there_is_no_output(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(2):
        (folder / f"run{number:03d}").write_text("bad\n")
    code = run(["score", str(folder / "qrels"), str(folder / "run000"), str(folder / "run001")])
    out, err = capsys.readouterr()
    assert (code, out) == (3, "")
    assert "run000:1:" in err
    assert "run001:1:" in err


def test_compare_goes_on_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "run001").write_text("bad\n")
    paths = [str(folder / f"run{number:03d}") for number in range(3)]
    code = run(["compare", str(folder / "qrels"), *paths, "-e", "sklearn-padded", "-f", "json"])
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert code == 3
    assert [each["run"] for each in document["evaluators"]] == [paths[0], paths[2]]
    assert list(document["unread"]) == [paths[1]]
    assert any(paths[1] in each for each in document["warnings"])
    assert "run001:1:" in err


def test_compare_keeps_nothing_of_a_run_that_it_is_done_with(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = folder / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    packed = [str(folder / f"run{number:03d}") for number in range(40)]
    program = f"counting=exec:{sys.executable} -B {FAKE} shows"
    handles = psutil.Process().num_fds()
    report = ndcgauge.compare(folder / "qrels", packed, evaluators=[program], probes=False)
    # Its value is the number of folders of requests that it found beside its own, which holds an order.
    assert [each.queries["q1"].value for each in report.evaluators] == [1.0] * 40
    assert list(temporary.iterdir()) == []
    assert psutil.Process().num_fds() == handles


def test_from_python_hundreds_of_values_are_scored_and_a_broken_one_is_named() -> None:
    qrels = {"q1": {"d1": 1, "d2": 0}}
    runs: list[object] = [(f"run {number}", {"q1": {"d1": 1.0, "d2": number / 1000}}) for number in range(300)]
    broken = {"run 17": float("nan"), "run 18": "high", "run 19": None}
    for name, score_of_it in broken.items():
        runs[int(name.split()[1])] = (name, {"q1": {"d1": score_of_it}})
    with pytest.warns(UserWarning, match="a run was left out") as told:
        scores = ndcgauge.score(qrels, [*runs, "no such file"])
    assert set(scores.unread) == {*broken, "no such file"}
    assert "not finite" in scores.unread["run 17"]
    assert "is a str: 'high'" in scores.unread["run 18"]
    assert "there is no such file" in scores.unread["no such file"]
    assert len(told) == 4
    assert {each.mean for each in scores.scores} == {1.0}
    assert len(scores.scores) == 297


def test_from_python_a_run_that_is_alone_raises_its_error() -> None:
    with pytest.raises(InputError, match="is a str"):
        ndcgauge.score({"q1": {"d1": 1}}, [("bm25", {"q1": {"d1": "high"}})])
