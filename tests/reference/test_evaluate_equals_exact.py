"""The vectorised reference equals the exact one, over whole collections and all axes."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.reference.strategies import NEEDS, Qrels, Run, collections, specs

from ndcgauge.data.memory import collection_from_lines
from ndcgauge.errors import InputError, UsageError
from ndcgauge.reference import NoClosedForm, ObservedOrder, evaluate
from ndcgauge.reference.exact import ExactScores, TooManyOrdersError, exact_evaluate, exact_lines
from ndcgauge.spec import MetricSpec

SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def near(found: float, expected: float) -> bool:
    if math.isnan(expected):
        return math.isnan(found)
    return math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-12)


def at_a_rounding_boundary(lines: tuple[Qrels, Run], spec: MetricSpec) -> bool:
    """Whether the last bits of a row decide which way `row_rounding` rounds it."""
    if spec["row_rounding"] == "none":
        return False
    rows = exact_evaluate(*exact_lines(*lines), spec.replace(row_rounding="none")).values.values()
    scale = 10 ** int(spec["row_rounding"])
    return any(abs(float(row) * scale % 1 - 0.5) < 1e-9 for row in rows)


def check(lines: tuple[Qrels, Run], spec: MetricSpec) -> None:
    qrels, run = lines
    collection = collection_from_lines(qrels, run, NEEDS, "last")
    try:
        exact = exact_evaluate(*exact_lines(qrels, run), spec)
    except TooManyOrdersError:
        return
    except (InputError, UsageError):
        # Where there is no closed form either, it may be the first to be said.
        open_form = spec["depth"] != "none" and spec["unretrieved"].startswith("score:")
        with pytest.raises((InputError, UsageError, NoClosedForm) if open_form else (InputError, UsageError)):
            evaluate(collection, [spec])
        return
    try:
        scores = evaluate(collection, [spec])
    except NoClosedForm:
        # Six documents of a query have too few compositions to be refused.
        assert spec["depth"] != "none"
        assert spec["unretrieved"].startswith("score:")
        return
    if not at_a_rounding_boundary(lines, spec):
        compare(scores.of(spec), scores.mean(spec), exact)


def compare(values: dict[str, float], mean: float, exact: ExactScores) -> None:
    assert set(values) == set(exact.values)
    for query, expected in exact.values.items():
        assert near(values[query], float(expected)), (query, values[query], float(expected))
    expected = math.nan if exact.mean is None else float(exact.mean)
    assert near(mean, expected), (mean, expected)


@SETTINGS
@given(collections(), specs())
def test_without_repeats(lines: tuple[Qrels, Run], spec: MetricSpec) -> None:
    assume(all(lines))
    check(lines, spec)


@SETTINGS
@given(collections(repeats=True), specs(repeats=True))
def test_with_repeats(lines: tuple[Qrels, Run], spec: MetricSpec) -> None:
    assume(all(lines))
    check(lines, spec)


@SETTINGS
@given(collections(), specs(), st.sampled_from(["average", "best", "worst"]), st.sampled_from(["1", "2", "3"]))
def test_ties_that_depth_cuts(lines: tuple[Qrels, Run], spec: MetricSpec, ties: str, depth: str) -> None:
    assume(all(lines))
    check(lines, spec.replace(ties=ties, depth=depth))


@SETTINGS
@given(collections(), specs(), st.randoms(use_true_random=False))
def test_observed_orders(lines: tuple[Qrels, Run], spec: MetricSpec, random: Random) -> None:
    qrels, run = lines
    assume(qrels and run and not spec["unretrieved"].startswith("score:"))
    docs: dict[str, list[str]] = {}
    for query, doc, *_ in run:
        docs.setdefault(query, []).append(doc)
    for each in docs.values():
        random.shuffle(each)
    collection = collection_from_lines(qrels, run, NEEDS)
    order = ObservedOrder(collection, spec["run_duplicates"], docs)
    spec = spec.replace(ties=f"observed:{order.digest}")
    try:
        exact = exact_evaluate(*exact_lines(qrels, run), spec, docs)
    except UsageError:
        with pytest.raises(UsageError):
            evaluate(collection, [spec], orders={order.digest: order})
        return
    assume(spec["row_rounding"] == "none")
    scores = evaluate(collection, [spec], orders={order.digest: order})
    compare(scores.of(spec), scores.mean(spec), exact)


@pytest.mark.parametrize("zero_ideal", ["zero", "one", "skip", "nan"])
@pytest.mark.parametrize("ties", ["average", "best", "worst"])
@pytest.mark.parametrize("averaging", ["macro", "pooled"])
@pytest.mark.parametrize("grade", [0.0, 1.0])
def test_an_ideal_that_depends_on_the_order(zero_ideal: str, ties: str, averaging: str, grade: float) -> None:
    # Of a and x one is kept, and with it the only gain that the ideal of q can have.
    qrels = [("q", "a", grade), ("q", "c", 2.0), ("p", "a", 1.0)]
    run = [("q", "a", 1.0, 1.0), ("q", "x", 1.0, 1.0), ("p", "a", 1.0, 1.0)]
    axes = {"depth": "1", "ideal": "retrieved", "zero_ideal": zero_ideal, "ties": ties, "averaging": averaging}
    check((qrels, run), MetricSpec.of("ndcg", axes))


def test_a_pooled_worst_order_is_one_order() -> None:
    # b kept: 1 of 1. x kept, b appended: 1 of 2, the worst; the smaller of each, 1 and 1, belong to no one order.
    qrels, run = [("q", "b", 1.0)], [("q", "b", 1.0, 1.0), ("q", "x", 1.0, 1.0)]
    axes = {"depth": "1", "unretrieved": "append", "ties": "worst", "averaging": "pooled"}
    spec = MetricSpec.of("precision", axes)
    assert evaluate(collection_from_lines(qrels, run), [spec]).mean(spec) == 0.5


def test_the_worked_example() -> None:
    qrels = [("q", doc, grade) for doc, grade in (("D1", 3.0), ("D2", 2.0), ("D3", 1.0), ("D4", 1.0), ("D5", 1.0))]
    run = [("q", doc, float(i), 10.0 - i) for i, doc in enumerate(("D2", "X", "D1", "D3", "Y", "D4"), 1)]
    spec = MetricSpec.of("ndcg", {"cutoff": "10"})
    # trec_eval's value, as test_exact has it.
    mean = evaluate(collection_from_lines(qrels, run), [spec]).mean(spec)
    assert mean == pytest.approx(0.7683428854275793, rel=1e-15)
