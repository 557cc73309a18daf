"""The vectorised reference equals the exact one, over whole collections and all axes."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, assume, given, settings
from tests.reference.strategies import Qrels, Run, collections, specs

from ndcgauge.data.collection import Needs
from ndcgauge.data.memory import collection_from_lines
from ndcgauge.errors import NdcgaugeError, UsageError
from ndcgauge.reference import NoClosedForm, evaluate
from ndcgauge.reference.exact import exact_evaluate, lines_of
from ndcgauge.spec import MetricSpec

NEEDS = Needs(frozenset({0.0, 0.5}), frozenset({1.0, -3.0, 0.1234567892}))


def check(lines: tuple[Qrels, Run], spec: MetricSpec, on_duplicate: str) -> None:
    qrels, run = lines
    assume(qrels and run)
    try:
        exact = exact_evaluate(*lines_of(qrels, run), spec)
    except NdcgaugeError as error:
        assume(not isinstance(error, UsageError) and "too many orders" not in str(error))
        raise
    collection = collection_from_lines(qrels, run, NEEDS, on_duplicate)
    if "error" in collection.rows and spec["run_duplicates"] == "error":
        pass
    try:
        scores = evaluate(collection, [spec])
    except NoClosedForm:
        assert spec["depth"] != "none"
        assert spec["unretrieved"].startswith("score:")
        assume(False)
        return
    got = scores.of(spec)
    assert set(got) == set(exact.values)
    for query, value in exact.values.items():
        if math.isnan(float(value)):
            assert math.isnan(got[query])
        else:
            assert math.isclose(got[query], float(value), rel_tol=1e-12, abs_tol=1e-12), query
    mean = scores.mean(spec)
    if exact.mean is None:
        assert math.isnan(mean)
    else:
        assert math.isclose(mean, float(exact.mean), rel_tol=1e-12, abs_tol=1e-12)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(collections(), specs())
def test_without_repeats(lines: tuple[Qrels, Run], spec: MetricSpec) -> None:
    check(lines, spec, "error")


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(collections(duplicates=True), specs(duplicates=True))
def test_with_repeats(lines: tuple[Qrels, Run], spec: MetricSpec) -> None:
    # The pooled ratio of a repeated document has no agreed denominator inside a tie.
    check(lines, spec, "last")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, 0.7683428854275793),
        ({"gain": "exponential"}, 0.7136783887047222),
        ({"discount": "jk:2"}, 0.7284256081420957),
        ({"unjudged": "drop"}, 0.8645150802455124),
        ({"ideal": "retrieved"}, 0.825585742947138),
        ({"unretrieved": "append"}, 0.8280865851326172),
        ({"gain": "0:0,1:1,2:4,3:10"}, 0.7070809999775942),
        ({"gain": "0:0,1:1,2:10,3:100"}, 0.5647930492374658),
    ],
)
def test_the_worked_example(changes: dict[str, str], expected: float) -> None:
    qrels = [("q1", doc, grade) for doc, grade in zip(("D1", "D2", "D3", "D4", "D5"), (3.0, 2.0, 1.0, 1.0, 1.0), strict=True)]
    run = [("q1", doc, float(i), 10.0 - i) for i, doc in enumerate(("D2", "X", "D1", "D3", "Y", "D4"), start=1)]
    spec = MetricSpec.of("ndcg", {"cutoff": "10", **changes})
    exact = exact_evaluate(*lines_of(qrels, run), spec)
    assert float(exact.mean) == pytest.approx(expected, rel=1e-15, abs=0)
    assert evaluate(collection_from_lines(qrels, run), [spec]).mean(spec) == pytest.approx(expected, rel=1e-15, abs=0)
