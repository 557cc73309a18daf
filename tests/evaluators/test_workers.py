"""Whatever an evaluator does is an outcome of that evaluator alone."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

import pytest

from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Crashed, Missing, TimedOut, Unavailable, Value
from ndcgauge.evaluators.processes import Limits
from ndcgauge.evaluators.references import resolve
from ndcgauge.evaluators.workers import Job, Workers
from ndcgauge.spec import parse_measure

SPEAKER = Path(__file__).parent / "fakes" / "speaker.py"
MEASURE = parse_measure("ndcg@10")


@pytest.fixture
def job(tmp_path: Path) -> Job:
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d1 1\n")
    (tmp_path / "run").write_text("q1 Q0 d1 1 1.0 t\n")
    return Job(tmp_path / "qrels", tmp_path / "run", (MEASURE,), ("q1", "q2"))


def ask(job: Job, way: str, limits: Limits | None = None) -> Answer:
    with Workers(limits or Limits(seconds=20)) as workers:
        reference = resolve(f"fake=exec:{sys.executable} {SPEAKER} '{way}'")
        return workers.evaluate([reference], job)["fake", "ndcg@10"]


def test_a_value_is_a_value_and_a_query_without_a_row_is_missing(job: Job) -> None:
    answer = ask(job, "well")
    assert answer.queries == {"q1": Value(1.0), "q2": Missing()}
    assert answer.aggregate == Value(1.0)
    assert (answer.answered, answer.asked) == (1, 2)
    assert answer.versions == {"fake": "1"}


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("exit", "ended with exit code 0"),
        ("signal", "died by SIGSEGV"),
        ("garbage", "no JSON"),
        ("other request", "not the reply"),
        ("raise", "RuntimeError: no"),
    ],
)
def test_every_way_to_fail_is_a_crash_in_its_own_words(job: Job, way: str, words: str) -> None:
    answer = ask(job, way)
    assert isinstance(answer.aggregate, Crashed)
    assert words in answer.aggregate.message
    assert answer.answered == 0


def test_a_hanging_evaluator_times_out_and_is_gone(job: Job) -> None:
    began = time.monotonic()
    answer = ask(job, "hang", Limits(seconds=1.0))
    assert answer.aggregate == TimedOut(1.0)
    assert time.monotonic() - began < 15


def test_nan_is_a_value_and_not_zero(job: Job) -> None:
    answer = ask(job, "nan")
    assert isinstance(answer.aggregate, Value)
    assert math.isnan(answer.aggregate.number)


def test_others_go_on_beside_a_crash(job: Job) -> None:
    with Workers(Limits(seconds=20)) as workers:
        bad = resolve(f"bad=exec:{sys.executable} {SPEAKER} signal")
        good = resolve(f"good=exec:{sys.executable} {SPEAKER} well")
        answers = workers.evaluate([bad, good], job)
    assert isinstance(answers["bad", "ndcg@10"].aggregate, Crashed)
    assert answers["good", "ndcg@10"].aggregate == Value(1.0)


def test_a_program_that_is_not_there_is_unavailable(job: Job) -> None:
    with Workers() as workers:
        answers = workers.evaluate(
            [resolve("none=exec:./no-such-program"), resolve("other=trec:./no-such-program")], job
        )
    assert all(isinstance(each.aggregate, Unavailable) for each in answers.values())


def test_a_program_that_prints_columns_needs_no_adapter(job: Job, tmp_path: Path) -> None:
    program = tmp_path / "columns.py"
    program.write_text("print('ndcg_cut_10\\tq1\\t0.5000'); print('ndcg_cut_10\\tall\\t0.2500')")
    with Workers() as workers:
        answer = workers.evaluate([resolve(f"mine=trec:{sys.executable} {program}")], job)["mine", "ndcg@10"]
    assert answer.queries["q1"] == Value(0.5)
    assert answer.aggregate == Value(0.25)
    assert answer.decimals == 4
