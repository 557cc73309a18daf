"""Evaluators that attack, and machines that fail: the caller goes on, and leaves nothing behind."""

from __future__ import annotations

import gzip
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.evaluators.asking import MakeJob

from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Crashed, Missing, TimedOut, Value
from ndcgauge.evaluators.processes import Limits
from ndcgauge.evaluators.references import Program
from ndcgauge.evaluators.workers import Job, Workers

FAKE = str(Path(__file__).parent / "fakes" / "attacking.py")
QRELS = "q1 0 D1 1\nq2 0 D1 1\n"
RUN = "q1 Q0 D1 1 1 t\nq2 Q0 D1 1 1 t\n"
PATIENT = Limits(seconds=120.0)


@pytest.fixture
def job(make_job: MakeJob) -> Job:
    return make_job(QRELS, RUN)


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "notes"
    monkeypatch.setenv("ATTACK_NOTES", str(path))
    return path


def attacker(mode: str) -> Program:
    return Program(mode, "exec", (sys.executable, "-B", FAKE, mode))


def answer_of(mode: str, job: Job, limits: Limits = PATIENT) -> Answer:
    with Workers(limits) as workers:
        return workers.evaluate([attacker(mode)], job)[mode, "ndcg@10"]


def gone(pid: int) -> bool:
    """Whether a process does not run any more (waits for it some seconds)."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.05)
    return False


def test_a_gigabyte_on_standard_output_is_stopped_in_bounded_memory(job: Job) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer = answer_of("gigabyte", job)
    assert isinstance(answer.aggregate, Crashed)
    assert "without an answer" in answer.aggregate.message
    # Kilobytes: the limit of 256 MB, and as much again while the buffer grows.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 700 << 10


def test_a_gigabyte_on_standard_error_is_stopped(job: Job) -> None:
    answer = answer_of("gigabyte-of-errors", job)
    assert isinstance(answer.aggregate, Crashed)
    assert "standard error" in answer.aggregate.message


def test_a_slow_trickle_ends_at_the_time_limit(job: Job) -> None:
    assert answer_of("trickle", job, Limits(seconds=3.0)).aggregate == TimedOut(3.0)


@pytest.mark.parametrize(("mode", "limits"), [("forks", PATIENT), ("forks-and-hangs", Limits(seconds=5.0))])
def test_forked_children_end_with_it(mode: str, limits: Limits, job: Job, notes: Path) -> None:
    answer = answer_of(mode, job, limits)
    assert isinstance(answer.aggregate, Value if mode == "forks" else TimedOut)
    children = list(map(int, notes.read_text().split()))
    assert len(children) == 20
    assert all(map(gone, children))


def test_a_zombie_child_hinders_nobody(job: Job, notes: Path) -> None:
    assert answer_of("zombie", job).aggregate == Value(0.5)
    assert not any(each.status() == psutil.STATUS_ZOMBIE for each in psutil.Process().children(recursive=True))


@pytest.mark.parametrize("mode", ["earlier-request", "two-replies"])
def test_a_reply_to_another_request_is_never_taken_for_this_one(mode: str, job: Job) -> None:
    with Workers(PATIENT) as workers:
        first, second, third = (workers.evaluate([attacker(mode)], job)[mode, "ndcg@10"] for _ in range(3))
    assert first.aggregate == Value(0.5)
    assert isinstance(second.aggregate, Crashed)
    assert "not the reply" in second.aggregate.message
    # It was started again, and is asked afresh.
    assert third.aggregate == Value(0.5)


def test_death_within_a_reply_is_a_crash(job: Job) -> None:
    assert isinstance(answer_of("half-a-reply", job).aggregate, Crashed)


def test_rows_for_queries_that_nobody_asked_about_are_no_answer(job: Job) -> None:
    answer = answer_of("wrong-queries", job)
    assert set(answer.queries.values()) == {Missing()}
    assert answer.aggregate == Missing()
    assert answer.unasked == {"no such query": Value(1.0)}


def test_json_as_deep_as_the_stack_is_a_crash_of_its_own(job: Job) -> None:
    assert isinstance(answer_of("deep", job).aggregate, Crashed)


def command(folder: Path, *words: str, **more: Any) -> subprocess.Popen[str]:
    """The command line in a process of its own, with temporary files in `folder`/tmp."""
    (folder / "tmp").mkdir(exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(folder / "tmp"), "NO_COLOR": "1", **more.pop("env", {})}
    return subprocess.Popen(
        [sys.executable, "-m", "ndcgauge.cli.main", *words],
        stdout=more.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=folder,
        **more,
    )


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "run.gz").write_bytes(
        gzip.compress(RUN.encode() + b"".join(b"q3 Q0 X%d 1 1 t\n" % n for n in range(9999)))
    )
    return tmp_path


def test_sigint_ends_children_takes_temporary_files_away_and_is_exit_130(files: Path, notes: Path) -> None:
    evaluator = f"slow=exec:{sys.executable} -B {FAKE} hang"
    tool = command(files, "compare", "qrels", "run.gz", "-e", evaluator, "-o", "report.json", start_new_session=True)
    deadline = time.monotonic() + 120
    while not notes.exists() or not notes.read_text().strip():
        assert time.monotonic() < deadline
        assert tool.poll() is None, tool.communicate()
        time.sleep(0.05)
    tool.send_signal(signal.SIGINT)
    out, err = tool.communicate(timeout=120)
    assert tool.returncode == 130
    assert out == ""
    assert "interrupted" in err
    assert "Traceback" not in err
    assert gone(int(notes.read_text()))
    assert list((files / "tmp").iterdir()) == []
    assert not (files / "report.json").exists()


def test_two_tools_at_once_on_one_new_cache_agree(files: Path) -> None:
    words = ("compare", "qrels", "run", "-e", "sklearn-padded", "-f", "json", "--no-progress")
    env = {"XDG_CACHE_HOME": str(files / "cache")}
    tools = [command(files, *words, env=env) for _ in range(2)]
    means: list[float] = []
    for tool in tools:
        out, err = tool.communicate(timeout=600)
        assert tool.returncode == 0, err
        means.append(json.loads(out)["evaluators"][0]["mean"])
    assert means == [1.0, 1.0]


def test_a_home_that_cannot_be_written_to_costs_the_cache_alone(files: Path) -> None:
    # Nothing can be made below a device, not even by root.
    env = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache"}
    tool = command(files, "compare", "qrels", "run", "-e", "sklearn-padded", "-f", "json", env=env)
    out, err = tool.communicate(timeout=600)
    assert tool.returncode == 0, err
    assert json.loads(out)["evaluators"][0]["mean"] == 1.0
    assert list((files / "tmp").iterdir()) == []


def small_files() -> None:
    """What a full disk does: beyond a few bytes a write fails."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "qrels", "run.gz", "-e", "sklearn-padded"),
        ("score", "qrels", "run", "-q", "-o", "scores.json"),
    ],
)
def test_a_full_disk_is_an_error_and_destroys_nothing(words: tuple[str, ...], files: Path) -> None:
    (files / "scores.json").write_text("kept")
    start: Callable[[], None] = small_files
    tool = command(files, *words, preexec_fn=start, env={"PYTHONDONTWRITEBYTECODE": "1"})
    _, err = tool.communicate(timeout=600)
    assert tool.returncode == 3, err
    assert "cannot be written" in err
    assert "Traceback" not in err
    assert (files / "scores.json").read_text() == "kept"
    assert list((files / "tmp").iterdir()) == []
    assert not [each for each in files.iterdir() if each.name.startswith(".")]


def test_standard_output_that_is_full_is_exit_3(files: Path) -> None:
    with Path("/dev/full").open("w") as full:
        tool = command(files, "score", "qrels", "run", stdout=full)
        _, err = tool.communicate(timeout=600)
    assert tool.returncode == 3, err
    assert "No space left" in err
