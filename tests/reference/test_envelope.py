from __future__ import annotations

import pytest

from ndcgauge.data.memory import collection_from_lines
from ndcgauge.reference import NoClosedForm, envelope
from ndcgauge.spec import MetricSpec


def test_one_relevant_document_of_two_tied_ones() -> None:
    collection = collection_from_lines([("q", "a", 1.0)], [("q", "a", 1.0, 2.0), ("q", "b", 2.0, 2.0)])
    # Second of two: 1/log2(3) = 0.6309...; the average of 1 and that.
    found = envelope(collection, MetricSpec.of("ndcg", {"cutoff": "2"}))
    assert found.means == pytest.approx((0.6309297535714575, 0.8154648767857288, 1.0), abs=1e-15)


def test_a_pooled_ratio_has_no_envelope_made_of_queries_own_extremes() -> None:
    # Each query's own best order is not the best of the pool: 0.5556 against 0.5833 by ascending ids.
    qrels = [("q1", "a", 1.0), ("q1", "b", 1.0), ("q2", "c", 1.0), ("q3", "c", 1.0)]
    run = [("q1", "a", 1.0, 9.0), ("q1", "x", 2.0, 8.0), ("q1", "b", 3.0, 1.0), ("q1", "y", 4.0, 1.0)]
    run += [(q, d, float(i), 4.0 - i) for q in ("q2", "q3") for i, d in enumerate(("x", "y", "c"), start=1)]
    spec = MetricSpec.of("ap", {"cutoff": "3", "averaging": "pooled", "ap_denominator": "retrieved"})
    with pytest.raises(NoClosedForm, match="all queries at once"):
        envelope(collection_from_lines(qrels, run), spec)
