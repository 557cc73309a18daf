"""Evaluators that misbehave: each gets its own outcome, and nobody else notices."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.evaluators.asking import MakeJob

from ndcgauge.errors import UsageError
from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Crashed, Missing, Outcome, Refused, TimedOut, Unavailable, Unsupported, Value
from ndcgauge.evaluators.processes import Died, Limits, Process
from ndcgauge.evaluators.references import Catalogued, EvaluatorRef, Program
from ndcgauge.evaluators.workers import Answers, Job, Workers, unavailable
from ndcgauge.spec import parse_measure

FAKE = str(Path(__file__).parent / "fakes" / "misbehaving.py")
QRELS = "q1 0 D1 1\nq2 0 D1 1\nq3 0 D1 1\n"
RUN = "q1 Q0 D1 1 1 t\nq2 Q0 D1 1 1 t\nq3 Q0 D1 1 1 t\n"
PATIENT = Limits(seconds=60.0)


def fake(mode: str) -> Program:
    return Program(mode, "exec", (sys.executable, "-B", FAKE, mode))


@pytest.fixture
def job(make_job: MakeJob) -> Job:
    return make_job(QRELS, RUN)


def answer_of(mode: str, job: Job, limits: Limits = PATIENT) -> Answer:
    with Workers(limits) as workers:
        return workers.evaluate([fake(mode)], job)[mode, "ndcg@10"]


def outcomes(answer: Answer) -> set[type[Outcome]]:
    return {type(each) for each in (*answer.queries.values(), answer.aggregate)}


def test_one_that_behaves_is_the_measure_of_the_others(job: Job) -> None:
    answer = answer_of("right", job)
    assert answer.queries == {"q1": Value(0.1), "q2": Value(0.2), "q3": Value(0.3)}
    assert answer.aggregate == Value((0.1 + 0.2 + 0.3) / 3)
    assert (answer.answered, answer.asked) == (3, 3)
    assert answer.versions == {"fake": "1"}


def test_zeros_are_values_and_nothing_else(job: Job) -> None:
    answer = answer_of("zero", job)
    assert set(answer.queries.values()) == {Value(0.0)}
    assert answer.aggregate == Value(0.0)


def test_exchanged_queries_keep_their_own_numbers(job: Job) -> None:
    assert answer_of("swapped", job).queries == {"q1": Value(0.3), "q2": Value(0.2), "q3": Value(0.1)}


@pytest.mark.parametrize("mode", ["nan", "bare-nan"])
def test_nan_is_a_number_that_it_gave_and_never_missing_or_zero(mode: str, job: Job) -> None:
    answer = answer_of(mode, job)
    given = [each.number for each in (*answer.queries.values(), answer.aggregate) if isinstance(each, Value)]
    assert len(given) == 4
    assert all(math.isnan(number) for number in given)


def test_another_number_each_time_is_seen_by_asking_again(job: Job) -> None:
    with Workers(PATIENT) as workers:
        one, other = (workers.evaluate([fake("nondeterministic")], job) for _ in range(2))
    key = "nondeterministic", "ndcg@10"
    assert (one[key].aggregate, other[key].aggregate) == (Value(0.0), Value((0.1 + 0.1 + 0.1) / 3))


def test_a_row_for_one_query_leaves_the_others_missing(job: Job) -> None:
    answer = answer_of("one-row", job)
    assert answer.queries == {"q1": Value(0.5), "q2": Missing(), "q3": Missing()}
    assert answer.aggregate == Missing()
    assert (answer.answered, answer.asked) == (1, 3)
    assert answer.unasked == {"nobody asked": Value(0.25)}


def test_a_refusal_of_one_query_is_its_own_outcome(job: Job) -> None:
    answer = answer_of("mixed", job)
    assert answer.queries == {"q1": Value(0.5), "q2": Refused("too short"), "q3": Missing()}
    assert answer.aggregate == Refused("too short (1 of 3 queries)")


def test_failures_that_it_reports_keep_its_words(job: Job) -> None:
    assert answer_of("refuses", job).aggregate == Refused("not this run")
    assert answer_of("fails", job).aggregate == Crashed("ValueError: no", "line 1")


CRASHES = [
    ("raise", "exit code 1"),
    ("exit", "exit code 0"),
    ("signal", "SIGSEGV"),
    ("garbage", "no JSON: 'Evaluating... done!'"),
    ("binary", "no JSON"),
    ("chatter", "no JSON: 'a progress bar'"),
    ("another-id", "not the reply to what it was asked"),
    ("no-results", "not one result for each of 1 measures"),
    ("too-few", "not one result for each of 1 measures"),
    ("no-outcome", "no outcome"),
    ("boolean", "no outcome"),
    ("number-for-all", "no queries"),
    ("huge-integer", "no outcome"),
    ("order-elsewhere", "order file cannot be read"),
    ("order-garbage", "line 1 of its order file"),
    ("closes", "closed its output"),
]


@pytest.mark.parametrize(("mode", "said"), CRASHES)
def test_what_is_no_answer_is_a_crash_for_every_query(mode: str, said: str, job: Job) -> None:
    answer = answer_of(mode, job)
    assert outcomes(answer) == {Crashed}
    assert isinstance(answer.aggregate, Crashed)
    assert said in answer.aggregate.message


def test_the_last_words_on_standard_error_are_kept(job: Job) -> None:
    crash = answer_of("raise", job).aggregate
    assert isinstance(crash, Crashed)
    assert "something went wrong inside" in crash.stderr_tail
    assert "RuntimeError: unhandled" in crash.stderr_tail


def test_what_it_printed_is_kept_where_it_fails_too(job: Job) -> None:
    captured = answer_of("fails", job).captured
    assert (captured.stdout, captured.stderr) == ("to standard output", "to standard error")


def test_fields_of_another_type_are_left_out(job: Job) -> None:
    answer = answer_of("odd-fields", job)
    assert answer.answered == 3
    assert (answer.seconds.load, answer.seconds.evaluate, answer.captured.stdout, answer.python) == (0.0, 0.0, "", "")


def test_a_hang_ends_at_the_time_limit(job: Job) -> None:
    answer = answer_of("hang", job, Limits(seconds=1.0))
    assert outcomes(answer) == {TimedOut}
    assert answer.aggregate == TimedOut(1.0)


def test_children_in_sessions_of_their_own_are_killed_too(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_CHILD", str(tmp_path / "child"))
    answer = answer_of("hang-with-child", job, Limits(seconds=5.0))
    assert answer.aggregate == TimedOut(5.0)
    child = int((tmp_path / "child").read_text(encoding="utf-8"))
    deadline = time.monotonic() + 20
    while psutil.pid_exists(child) and psutil.Process(child).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, "the child lives on"
        time.sleep(0.05)


def test_memory_beyond_the_limit_ends_it(job: Job) -> None:
    answer = answer_of("memory", job, Limits(seconds=60.0, memory=200 << 20))
    assert isinstance(answer.aggregate, Crashed)
    assert "more than its limit of 200 MB" in answer.aggregate.message


def test_a_flood_without_a_line_end_is_stopped(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ndcgauge.evaluators.processes.LONGEST_LINE", 8 << 20)
    answer = answer_of("flood", job)
    assert isinstance(answer.aggregate, Crashed)
    assert "without an answer" in answer.aggregate.message


def test_the_others_go_on(job: Job) -> None:
    modes = ["signal", "right", "hang", "garbage", "zero"]
    with Workers(Limits(seconds=8.0)) as workers:
        answers = workers.evaluate([fake(mode) for mode in modes], job)
        again = workers.evaluate([fake("signal"), fake("right")], job)
    assert {mode: type(answers[mode, "ndcg@10"].aggregate) for mode in modes} == {
        "signal": Crashed,
        "right": Value,
        "hang": TimedOut,
        "garbage": Crashed,
        "zero": Value,
    }
    assert isinstance(again["right", "ndcg@10"].aggregate, Value)
    assert isinstance(again["signal", "ndcg@10"].aggregate, Crashed)


def test_each_goes_through_all_jobs_and_is_ready_before_a_slower_one(job: Job) -> None:
    told: list[tuple[str, list[type]]] = []
    with Workers(Limits(seconds=3.0)) as workers:

        def ready(group: Sequence[EvaluatorRef], answers: Sequence[Answers]) -> None:
            (one,) = group
            told.append((one.id, [type(each[one.id, "ndcg@10"].aggregate) for each in answers]))
            if one.id == "right":
                # A library that is through may be asked again while another is still at work.
                again = workers.evaluate([one], job)
                told.append(("again", [type(again["right", "ndcg@10"].aggregate)]))

        workers.evaluate_all([fake("hang"), fake("right")], [job, job], ready)
    assert told == [
        ("right", [Value, Value]),
        ("again", [Value]),
        ("hang", [TimedOut, TimedOut]),
    ]


def test_answers_come_in_the_order_of_the_call(job: Job) -> None:
    with Workers(Limits(seconds=3.0)) as workers:
        answers = workers.evaluate([fake("hang"), fake("right")], job)
    assert list(answers) == [("hang", "ndcg@10"), ("right", "ndcg@10")]


def test_the_slowest_library_begins_first(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    def noted(_: Workers, evaluator: EvaluatorRef, __: Job) -> list[Answer]:
        begun.append(evaluator.id)
        return []

    monkeypatch.setattr(Workers, "_one", noted)
    asked = [fake("right"), *map(Catalogued, ("sklearn", "ranx", "pyserini", "ranx-burges", "pyserini-c"))]
    with Workers(PATIENT, 1) as workers:
        workers.evaluate_all(asked, [job], lambda *_: None)
    assert begun == ["pyserini", "pyserini-c", "ranx", "ranx-burges", "sklearn", "right"]


def test_a_child_that_begins_late_counts_in_the_limit_of_memory() -> None:
    child = "import time; taken = bytearray(200 << 20); time.sleep(60)"
    program = f"import subprocess, sys, time; time.sleep(2); subprocess.run([sys.executable, '-c', {child!r}])"
    process = Process([sys.executable, "-c", program], dict(os.environ), Limits(seconds=60.0, memory=150 << 20))
    try:
        with pytest.raises(Died, match="more than its limit of 150 MB"):
            process.line()
    finally:
        process.close(at_once=True)


def test_no_more_are_at_work_than_jobs_say_whoever_asks(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    at_work, most = 0, 0
    answers_of = Workers._answers  # pyright: ignore[reportPrivateUsage] - where a request is made

    def counted(*arguments: Any) -> list[Answer]:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        time.sleep(0.2)
        try:
            return answers_of(*arguments)
        finally:
            at_work -= 1

    monkeypatch.setattr(Workers, "_answers", counted)

    def most_of(jobs: int) -> int:
        nonlocal most
        most = 0
        with Workers(PATIENT, jobs) as workers:

            def again(group: Sequence[EvaluatorRef], _: Sequence[Answers]) -> None:
                workers.evaluate(group, job)

            workers.evaluate_all([fake("right"), fake("zero"), fake("chatter")], [job], again)
        return most

    assert most_of(1) == 1
    assert most_of(8) > 1


def test_what_is_raised_by_the_caller_ends_the_processes(job: Job) -> None:
    def ready(group: Sequence[EvaluatorRef], answers: Sequence[Answers]) -> None:
        raise KeyboardInterrupt

    with Workers(Limits(seconds=60.0)) as workers:
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            workers.evaluate_all([fake("hang"), fake("right")], [job], ready)
        # Not a measurement: a hanging evaluator that is waited for would take the whole minute.
        assert time.monotonic() - began < 30


def test_a_warm_process_is_kept_and_a_broken_one_started_again(job: Job) -> None:
    told: list[str] = []
    with Workers(PATIENT, progress=told.append) as workers:
        for _ in range(3):
            workers.evaluate([fake("right"), fake("garbage")], job)
    assert told.count("program right: starting") == 1
    assert told.count("program garbage: starting") == 3


def test_a_failure_that_is_well_said_costs_no_new_process(job: Job) -> None:
    told: list[str] = []
    with Workers(PATIENT, progress=told.append) as workers:
        for _ in range(3):
            workers.evaluate([fake("refuses")], job)
    assert told == ["program refuses: starting"]


def test_nothing_runs_on_after_the_block(job: Job) -> None:
    def running() -> set[int]:
        return {each.pid for each in psutil.Process().children(recursive=True)}

    before = running()
    with Workers(PATIENT) as workers:
        workers.evaluate([fake("right")], job)
        started = running() - before
        assert started
    assert not running() & started


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Where tests are started in the background, SIGINT may be ignored; a user's is not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    "interrupt",
    [
        lambda: os.kill(os.getpid(), signal.SIGINT),
        # A system may hand it to any thread: the main one, which waits, is not woken then.
        lambda: signal.pthread_kill(threading.get_ident(), signal.SIGINT),
    ],
    ids=["process", "thread"],
)
def test_an_interrupt_does_not_wait_for_evaluators(job: Job, interrupt: Callable[[], None]) -> None:
    began = time.monotonic()
    threading.Timer(1.0, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        answer_of("hang", job, Limits(seconds=300.0))
    assert time.monotonic() - began < 100


def test_a_program_that_is_not_there_is_unavailable(job: Job) -> None:
    missing = Program("ghost", "exec", ("./no-such-program-here",))
    with Workers() as workers:
        answer = workers.evaluate([missing], job)["ghost", "ndcg@10"]
        assert isinstance(workers.describe(missing), Unavailable)
    assert isinstance(answer.aggregate, Unavailable)
    assert "no-such-program-here" in answer.aggregate.how_to_install


def test_a_library_that_is_not_installed_says_how_to_get_it(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> None:
        assert name == "pyserini"

    monkeypatch.setattr("importlib.util.find_spec", nothing)
    assert isinstance(unavailable(Catalogued("pyserini-c")), Unavailable)
    with Workers() as workers:
        answer = workers.evaluate([Catalogued("pyserini-c")], job)["pyserini-c", "ndcg@10"]
    assert outcomes(answer) == {Unavailable}
    assert isinstance(answer.aggregate, Unavailable)
    assert "ndcgauge[pyserini]" in answer.aggregate.how_to_install


def test_a_measure_that_an_evaluator_lacks_is_never_asked_for(make_job: MakeJob) -> None:
    told: list[str] = []
    job = make_job(QRELS, RUN, "judged@10", "mrr")
    with Workers(progress=told.append) as workers:
        answers = workers.evaluate([Catalogued("sklearn")], job)
    assert told == []
    assert {type(answer.aggregate) for answer in answers.values()} == {Unsupported}
    assert {answer.called for answer in answers.values()} == {""}


def test_programs_are_described_by_themselves() -> None:
    with Workers(PATIENT) as workers:
        assert workers.describe(fake("right")) == {"fake": "1"}


def test_two_measures_of_one_name_cannot_be_asked_for_together(make_job: MakeJob) -> None:
    with pytest.raises(UsageError, match="recall@5"):
        make_job(QRELS, RUN, "recall@5", "hit_rate@5")
    assert make_job(QRELS, RUN, "recall@5", "R@5").measures == (parse_measure("recall@5"),) * 2
