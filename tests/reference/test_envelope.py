"""The interval that the orders of ties span: by hand, and every order inside it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.reference.strategies import NEEDS, Qrels, Run, collections, specs

from ndcgauge.data.memory import collection_from_lines
from ndcgauge.errors import NdcgaugeError
from ndcgauge.reference import NoClosedForm, envelope, evaluate
from ndcgauge.spec import MetricSpec

RULES = ("docid-desc", "docid-asc", "line", "line-reversed")


def test_one_relevant_document_of_two_tied_ones() -> None:
    collection = collection_from_lines([("q", "a", 1.0)], [("q", "a", 1.0, 2.0), ("q", "b", 2.0, 2.0)])
    # Second of two: 1/log2(3) = 0.6309...; the average of 1 and that.
    found = envelope(collection, MetricSpec.of("ndcg", {"cutoff": "2"}))
    assert found.means == pytest.approx((0.6309297535714575, 0.8154648767857288, 1.0), abs=1e-15)


@pytest.mark.parametrize(("ties", "expected"), [("worst", 0.0), ("average", 1 / 3), ("best", 1.0)])
def test_what_a_cut_tie_has_no_place_for_adds_nothing_without_a_cutoff(ties: str, expected: float) -> None:
    # One relevant document of three tied ones, of which depth leaves one: none, a third or all of its gain of 1.
    collection = collection_from_lines([("q", "a", 1.0)], [("q", doc, 1.0, 2.0) for doc in "abc"])
    scores = evaluate(collection, [MetricSpec.of("ndcg", {"cutoff": "none", "depth": "1", "ties": ties})])
    assert scores.values[0].tolist() == pytest.approx([expected], abs=1e-15)


def test_a_pooled_ratio_has_no_envelope_made_of_queries_own_extremes() -> None:
    # Each query's own best order is not the best of the pool: 0.5556 against 0.5833 by ascending ids.
    qrels = [("q1", "a", 1.0), ("q1", "b", 1.0), ("q2", "c", 1.0), ("q3", "c", 1.0)]
    run = [("q1", "a", 1.0, 9.0), ("q1", "x", 2.0, 8.0), ("q1", "b", 3.0, 1.0), ("q1", "y", 4.0, 1.0)]
    run += [(q, d, float(i), 4.0 - i) for q in ("q2", "q3") for i, d in enumerate(("x", "y", "c"), start=1)]
    spec = MetricSpec.of("ap", {"cutoff": "3", "averaging": "pooled", "ap_denominator": "retrieved"})
    with pytest.raises(NoClosedForm, match="all queries at once"):
        envelope(collection_from_lines(qrels, run), spec)


@settings(max_examples=100, deadline=None)
@given(collections(), specs(), st.randoms(use_true_random=False))
def test_no_rule_and_no_names_of_documents_leave_it(lines: tuple[Qrels, Run], spec: MetricSpec, random: Random) -> None:
    """Every tie rule on the lines as they are, and on documents renamed at random: other orders of the same ties."""
    qrels, run = lines
    assume(qrels and run and spec["self"] != "drop")
    docs = sorted({doc for _, doc, *_ in (*qrels, *run)})
    names = dict(zip(docs, random.sample([f"n{i}" for i in range(10, 10 + len(docs))], len(docs)), strict=True))
    renamed = [(query, names[doc], *rest) for query, doc, *rest in qrels], [(q, names[d], *rest) for q, d, *rest in run]
    try:
        span = envelope(collection_from_lines(qrels, run, NEEDS), spec)
        others = [
            evaluate(collection_from_lines(*each, NEEDS), [spec.replace(ties=rule) for rule in RULES])
            for each in (lines, renamed)
        ]
    except NdcgaugeError:
        assume(False)
        raise
    for scores in others:
        for row, values in enumerate(scores.values):
            counted = scores.counted[row] & ~np.isnan(values) & ~np.isnan(span.worst) & ~np.isnan(span.best)
            assert (values[counted] >= span.worst[counted] - 1e-12).all()
            assert (values[counted] <= span.best[counted] + 1e-12).all()
