"""Hundreds of requests to one warm process: what each made goes with it."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
from tests.evaluators.asking import Ask, MakeJob

from ndcgauge.evaluators.outcomes import Value
from ndcgauge.evaluators.processes import Limits
from ndcgauge.evaluators.references import Program
from ndcgauge.evaluators.workers import Workers

QRELS = "q1 0 D1 1\nq1 0 D2 0\n"
RUN = "q1 Q0 D1 1 1 t\nq1 Q0 D2 1 1 t\n"
FAKE = str(Path(__file__).parent / "fakes" / "counting.py")
PATIENT = Limits(seconds=120.0)


def counting(mode: str) -> Program:
    return Program(mode, "exec", (sys.executable, "-B", FAKE, mode))


def seen(workers: Workers, mode: str, make_job: MakeJob) -> int:
    """How many folders of requests the evaluator found, its own too."""
    outcome = workers.evaluate([counting(mode)], make_job(QRELS, RUN))[mode, "ndcg@10"].aggregate
    assert isinstance(outcome, Value), outcome
    return int(outcome.number)


def test_the_folder_of_a_request_goes_with_its_reply(make_job: MakeJob) -> None:
    with Workers(PATIENT) as workers:
        first = seen(workers, "writes", make_job)
        handles = psutil.Process().num_fds()
        assert {seen(workers, "writes", make_job) for _ in range(100)} == {first}
        assert psutil.Process().num_fds() == handles


def test_an_order_that_was_shown_stays_until_it_is_forgotten(make_job: MakeJob) -> None:
    with Workers(PATIENT) as workers:
        assert [seen(workers, "shows", make_job) for _ in range(3)] == [1, 2, 3]
        answer = workers.evaluate([counting("shows")], make_job(QRELS, RUN))["shows", "ndcg@10"]
        assert answer.order_file is not None
        assert answer.order_file.read_text() == "q1 D2 D1\n"
        workers.forget()
        assert not answer.order_file.parent.exists()
        assert seen(workers, "shows", make_job) == 1


def test_what_a_library_printed_for_earlier_requests_is_not_kept(ask: Ask, warm: Workers) -> None:
    # The wrapper prints every query's line; its process has that in a file of its own, which has no name.
    printed = [ask("pyserini", "ndcg@10", QRELS, RUN).captured.stdout for _ in range(3)]
    assert len(set(printed)) == 1
    assert "ndcg_cut_10" in printed[0]
    process = warm._processes["pyserini"]  # pyright: ignore[reportPrivateUsage]
    assert Path(f"/proc/{process._process.pid}/fd/1").stat().st_size == 0  # pyright: ignore[reportPrivateUsage]
