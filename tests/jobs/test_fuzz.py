"""`fuzz` on evaluators that compute what they are told to: what is planted is found, made smallest, and named."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from math import log2
from pathlib import Path

import pytest
from hypothesis import given, settings

from ndcgauge.cli.main import run
from ndcgauge.errors import UsageError
from ndcgauge.evaluators.outcomes import Value
from ndcgauge.evaluators.references import Program
from ndcgauge.jobs.fuzz import Fuzzed, draw, fuzz, parse_beyond, parse_budget
from ndcgauge.jobs.fuzz_case import case_id, case_text, title
from ndcgauge.jobs.fuzz_examples import LONGEST, Example, Retrieved, examples, smaller, usable
from ndcgauge.jobs.fuzz_observing import UNEXPLAINED, collection_of
from ndcgauge.spec import parse_measure
from ndcgauge.suite.loading import load_case

TESTS = Path(__file__).parents[1]
NDCG = parse_measure("ndcg@10")


def computing(name: str, *changes: str) -> Program:
    return Program(name, "exec", (sys.executable, "-B", str(TESTS / "suite" / "fakes" / "computing.py"), *changes))


def found(*programs: Program, looks: int = 1, **more: object) -> Fuzzed:
    """By a clock that stands still while `looks` pairs are looked at, and then where the budget ends: what is found
    depends on no machine."""
    clock = itertools.chain(itertools.repeat(0.0, looks + 1), itertools.repeat(1.0))
    return fuzz(programs, NDCG, budget=1.0, clock=lambda: next(clock), **more)  # pyright: ignore[reportArgumentType]


def test_a_planted_axis_is_named_on_the_smallest_input_that_shows_it(tmp_path: Path) -> None:
    # By hand: one gain has the same nDCG whatever it is; two of grades 1 and 2 have not.
    programs = computing("a"), computing("b", "gain=exponential")
    profiles = {"a": "trec_eval", "b": "burges2005"}
    result = found(*programs, profiles=profiles)
    (only,) = result.findings
    assert only.difference.cause.axes == ("gain",)
    assert only.smallest
    example = only.difference.example
    assert sorted([*example.missing, *(each.grade or 0 for each in example.retrieved)]) == [1, 2]
    # Which of the smallest inputs it is depends on what hypothesis draws: the better document is missing, or the
    # worse one is, or both are there and the worse one is first.
    first, second = {
        (1, 1): (example.retrieved[0].grade or 0, 0),
        (2, 0): (1, 2),
    }[len(example.retrieved), len(example.missing)]

    def expected(gain: Callable[[int], float]) -> Value:
        return Value(pytest.approx((gain(first) + gain(second) / log2(3)) / (gain(2) + gain(1) / log2(3)), abs=1e-12))

    assert only.difference.left == expected(float)
    assert only.difference.right == expected(lambda grade: 2.0**grade - 1)
    report = only.report
    assert report is not None
    assert report.discrepancies[-1].minimal == [["gain"]]
    path = tmp_path / "gain" / f"{case_id(only, programs)}.toml"
    path.parent.mkdir()
    path.write_text(case_text(only, programs, NDCG, profiles), "utf-8")
    case = load_case(path)
    assert case.id == "fuzz-a-b-gain"
    assert "2/log2(2)" in path.read_text()
    assert 'when = { gain = "exponential" }' in path.read_text()
    assert "gain" in title(only, programs)


def test_beyond_leaves_out_what_the_named_axes_make() -> None:
    result = found(
        computing("a"),
        computing("b", "gain=exponential"),
        profiles={"a": "trec_eval", "b": "burges2005"},
        beyond=parse_beyond("gain"),
    )
    assert result.findings == ()
    assert [each.axes for each in result.skipped] == [("gain",)]


def test_one_that_computes_its_profile_differs_nowhere() -> None:
    result = found(computing("a"), profiles={"a": "trec_eval"}, looks=2)
    assert result.findings == ()
    assert result.asked >= 2 * 256


def test_one_that_does_not_is_found_and_never_explained() -> None:
    result = found(computing("a", "gain=exponential"), profiles={"a": "trec_eval"})
    (only,) = result.findings
    assert (only.difference.cause.axes, only.difference.cause.what) == ((), UNEXPLAINED)
    assert only.smallest
    assert only.report is None
    assert len(only.difference.example.retrieved) + len(only.difference.example.missing) == 2


def test_ties_need_two_documents() -> None:
    programs = computing("a"), computing("b", "ties=docid-asc")
    (only,) = found(*programs).findings
    # Neither is declared to be anything, so nothing can be explained.
    assert only.difference.cause.what == UNEXPLAINED
    (one, other) = only.difference.example.retrieved
    assert one.score == other.score
    assert only.difference.example.missing == ()


def test_one_that_crashes_is_found() -> None:
    fake = str(TESTS / "evaluators" / "fakes" / "misbehaving.py")
    program = Program("raise", "exec", (sys.executable, "-B", fake, "raise"))
    (only,) = found(program, profiles={"raise": "trec_eval"}).findings
    assert only.difference.cause.what == "crashed"


def test_the_same_seed_draws_the_same_examples() -> None:
    assert draw(20, 5) == draw(20, 5)
    assert draw(20, 5) != draw(20, 6)


@settings(max_examples=30, deadline=None)
@given(examples())
def test_examples_can_be_read_and_get_simpler(example: Example) -> None:
    assert usable(example)
    assert 1 <= len(example.retrieved) <= LONGEST
    collection = collection_of([example], ["q"])
    assert list(collection.queries) == ["q"]
    assert len(collection.judged.doc) == example.qrels("q").count("\n")
    for each in smaller(example):
        if usable(each):
            assert collection_of([each], ["q"]).in_run.tolist() == [True]


def test_a_simplest_example_has_no_simpler_neighbour() -> None:
    example = Example((Retrieved(1, 1.0, 0),), ())
    assert [each for each in smaller(example) if usable(each) and each.cost < example.cost] == []


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("60s", 60), ("10m", 600), ("1h", 3600), ("0.5M", 30)])
def test_a_budget_is_a_time(text: str, seconds: float) -> None:
    assert parse_budget(text) == seconds


@pytest.mark.parametrize("text", ["", "0", "-1s", "soon", "inf", "nan", "1d", "m"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no time"):
        parse_budget(text)


def test_beyond_takes_axes_and_families() -> None:
    # `gain` is an axis and a family: the axis alone is meant.
    assert parse_beyond("ties, gain") == {"ties", "gain"}
    assert parse_beyond("tie-breaking") == {"order", "score_precision", "ties"}
    with pytest.raises(UsageError, match="no axis and no family"):
        parse_beyond("weather")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "no evaluator is named"),
        (("-e", "sklearn", "-e", "ranx", "-e", "pyserini"), 2, "fuzz compares two evaluators"),
        (("-e", "sklearn", "--budget", "soon"), 2, "is no time"),
        (("-e", "sklearn", "--beyond", "weather"), 2, "no axis"),
        (("-e", "sklearn", "-o", "nowhere"), 3, "no such folder"),
        (("-e", "sklearn", "--profile", "ranx=trec_eval"), 2, "--profile"),
        (("-e", "x=exec:true"), 2, "--profile x=PRESET"),
        (("-e", "x=exec:true", "--profile", "x=nothing"), 2, "no preset or evaluator"),
    ],
)
def test_questions_that_cannot_be_answered(
    words: tuple[str, ...], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fuzz", *words, "--no-progress"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


def test_cases_are_written_and_none_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake = str(TESTS / "suite" / "fakes" / "computing.py")
    words = ["fuzz", "--no-progress", "--budget", "2s", "-o", str(tmp_path)]
    words += ["-e", f"a=exec:{sys.executable} -B {fake}", "-e", f"b=exec:{sys.executable} -B {fake} gain=exponential"]
    words += ["--profile", "a=trec_eval", "--profile", "b=burges2005"]
    for _ in range(2):
        assert run(words) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "differ: gain" in err
    assert {each.name for each in tmp_path.iterdir()} == {"fuzz-a-b-gain.toml", "fuzz-a-b-gain-2.toml"}
    assert all(load_case(each).measure.name == "ndcg@10" for each in tmp_path.iterdir())
