"""`compare` as a person or a CI job calls it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ndcgauge.cli.main import run

FAKE = Path(__file__).resolve().parents[1] / "evaluators" / "fakes" / "misbehaving.py"


@pytest.fixture
def abc(tmp_path: Path) -> list[str]:
    (tmp_path / "qrels").write_text("q1 0 A 1\nq1 0 B 3\nq1 0 C 2\n")
    (tmp_path / "run").write_text("q1 Q0 A 1 0.5 t\nq1 Q0 B 2 0.8 t\nq1 Q0 C 3 0.2 t\n")
    return [str(tmp_path / "qrels"), str(tmp_path / "run")]


def fake(way: str) -> list[str]:
    return ["-e", f"fake=exec:{sys.executable} {FAKE} {way}", "--no-probes", "--quiet"]


def test_ranks_and_exponential_gain_against_scikit_learn(abc: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-e", "sklearn", "--set", "order=rank", "--set", "gain=exponential", "-m", "ndcg@10", "-f", "json"]
    assert run(["compare", *abc, *words]) == 0
    report = json.loads(capsys.readouterr().out)
    # A 1, B 7, C 3 in the order A, B, C: (1 + 7/log2(3) + 3/2) / (7 + 3/log2(3) + 1/2); scikit-learn: 0.9725044904464192.
    reference = report["attribution"]["references"][0]["mean"]
    assert reference == pytest.approx(0.7363636171343382, abs=1e-15)
    assert report["evaluators"][0]["mean"] == pytest.approx(0.9725044904464192, abs=1e-15)
    found = report["discrepancies"][0]
    assert set(found["contributions"]) == {"order", "gain"}
    # By hand, over both orders of the two axes; linear gains in the order A, B, C and B, A, C, exponential likewise.
    assert sum(found["contributions"].values()) == pytest.approx(0.9725044904464192 - 0.7363636171343382, abs=1e-12)
    assert found["minimal"] == [["gain", "order"]]
    assert abs(found["residual"]) < 1e-12


def test_a_changed_baseline_is_not_told_as_trec_evals_number(
    abc: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run(["compare", *abc, "-e", "sklearn", "--set", "gain=exponential"])
    assert "trec_eval with gain=exponential 0." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([*fake("zero")], 0),
        ([*fake("zero"), "--fail-on", "differs"], 1),
        ([*fake("zero"), "--fail-on", "unexplained"], 1),
        ([*fake("signal")], 4),
        ([*fake("signal"), "--fail-on", "differs"], 4),
        (["-e", "none=exec:./no-such-program", "--quiet"], 4),
        (["-e", "nobody"], 2),
        ([*fake("right"), "--profile", "other=trec_eval"], 2),
        ([*fake("nan")], 0),
    ],
)
def test_exit_codes_mean_one_thing(abc: list[str], words: list[str], code: int) -> None:
    assert run(["compare", *abc, *words]) == code


def test_outputs_are_written_under_1_and_4_too(abc: list[str], tmp_path: Path) -> None:
    for way, words, code in (("zero", ["--fail-on", "differs"], 1), ("signal", [], 4)):
        out = tmp_path / f"{way}.json"
        assert run(["compare", *abc, *fake(way), *words, "-o", str(out)]) == code
        assert json.loads(out.read_text())["schema"] == "ndcgauge-report/1"


def test_a_run_given_twice_is_a_usage_error(abc: list[str]) -> None:
    assert run(["compare", abc[0], abc[1], abc[1]]) == 2


def test_no_escape_byte_in_a_pipe(abc: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    run(["compare", *abc, *fake("zero")])
    assert "\x1b" not in capsys.readouterr().out
