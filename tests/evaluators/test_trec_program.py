from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest
from tests.evaluators.asking import MakeJob

from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Crashed, Missing, TimedOut, Unavailable, Unsupported, Value
from ndcgauge.evaluators.processes import Limits
from ndcgauge.evaluators.references import Program
from ndcgauge.evaluators.workers import Workers

COLUMNS = str(Path(__file__).parent / "fakes" / "columns.py")
QRELS = "q1 0 D1 1\nq2 0 D1 1\n"
RUN = "q1 Q0 D1 1 1 t\nq2 Q0 D1 1 1 t\n"


def ask_for(make_job: MakeJob, mode: str, measure: str = "ndcg@10", qrels: str = QRELS, seconds: float = 30) -> Answer:
    job = make_job(qrels, RUN, measure)
    with Workers(Limits(seconds=seconds)) as workers:
        program = Program("fake", "trec", (sys.executable, "-B", COLUMNS, mode))
        return workers.evaluate([program], job)["fake", job.measures[0].name]


def test_rows_mean_and_decimals(make_job: MakeJob) -> None:
    answer = ask_for(make_job, "rows-and-mean")
    assert answer.queries == {"q1": Value(0.25), "q2": Value(0.75)}
    assert answer.aggregate == Value(0.5)
    assert answer.decimals == 4
    assert answer.captured.stderr == "a word on standard error\n"
    assert "ndcg_cut_10" in answer.captured.stdout


def test_without_a_line_for_all_the_mean_is_that_of_the_rows(make_job: MakeJob) -> None:
    answer = ask_for(make_job, "rows")
    assert answer.aggregate == Value(0.5)
    assert answer.decimals == 2


def test_numbers_with_exponents_are_full_numbers(make_job: MakeJob) -> None:
    answer = ask_for(make_job, "spaces")
    assert answer.queries == {"q1": Value(0.25), "q2": Value(1e-05)}
    assert answer.decimals is None


def test_a_query_called_all_is_not_the_mean(make_job: MakeJob) -> None:
    answer = ask_for(make_job, "query-called-all", qrels="all 0 D1 1\n")
    assert answer.queries == {"all": Value(0.1)}
    assert answer.aggregate == Value(0.2)


def test_other_lines_are_passed_over_and_nan_is_a_value(make_job: MakeJob) -> None:
    answer = ask_for(make_job, "noise")
    first = answer.queries["q1"]
    assert isinstance(first, Value)
    assert math.isnan(first.number)
    assert answer.aggregate == Value(0.5)
    assert answer.decimals == 1


def test_recall_and_success_are_two_measures(make_job: MakeJob) -> None:
    assert ask_for(make_job, "recall-and-success", "recall@5").aggregate == Value(0.4)
    assert ask_for(make_job, "recall-and-success", "hit_rate@5").aggregate == Value(1.0)


def test_what_a_name_adds_is_answered_by_the_plain_measure(make_job: MakeJob) -> None:
    assert ask_for(make_job, "other", "AP(rel=2)").aggregate == Value(0.1)


def test_other_measures_alone_are_no_answer(make_job: MakeJob) -> None:
    answer = ask_for(make_job, "other")
    assert answer.aggregate == Unsupported("measure", "it printed no line of this measure")


def test_nothing_printed_is_a_crash_and_no_zero(make_job: MakeJob) -> None:
    answer = ask_for(make_job, "nothing")
    assert answer.aggregate == Crashed("it printed no line of this measure", "a word on standard error\n")
    assert Missing() not in answer.queries.values()


@pytest.mark.parametrize(("mode", "said"), [("fails", "exit code 1"), ("dies", "SIGABRT")])
def test_a_bad_end_counts_more_than_what_was_printed_before(make_job: MakeJob, mode: str, said: str) -> None:
    aggregate = ask_for(make_job, mode).aggregate
    assert isinstance(aggregate, Crashed)
    assert said in aggregate.message
    assert ("cannot open the index" in aggregate.stderr_tail) == (mode == "fails")


def test_a_hang_is_a_time_out(make_job: MakeJob) -> None:
    assert ask_for(make_job, "hangs", seconds=1.0).aggregate == TimedOut(1.0)


def test_a_program_that_is_not_there(make_job: MakeJob) -> None:
    job = make_job(QRELS, RUN)
    with Workers() as workers:
        answer = workers.evaluate([Program("ghost", "trec", ("./no-such-trec_eval",))], job)["ghost", "ndcg@10"]
    assert isinstance(answer.aggregate, Unavailable)
