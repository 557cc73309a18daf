"""Queries of a subset have the values that they have in the whole collection."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.reference.strategies import NEEDS, Qrels, Run, collections, specs

from ndcgauge.data.memory import collection_from_lines
from ndcgauge.errors import UsageError
from ndcgauge.reference import Evaluation, NoClosedForm
from ndcgauge.search.subset import subset
from ndcgauge.spec import MetricSpec


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(collections(repeats=True), specs(repeats=True), st.data())
def test_values_stay(lines: tuple[Qrels, Run], spec: MetricSpec, data: st.DataObject) -> None:
    collection = collection_from_lines(*lines, NEEDS, "last")
    chosen = sorted(data.draw(st.sets(st.sampled_from(range(len(collection.queries))))) if collection.queries else [])
    try:
        values, counted = Evaluation(collection, {}).per_query(spec)
    except (NoClosedForm, UsageError):
        return
    few = subset(collection, chosen)
    there, counted_there = Evaluation(few, {}).per_query(spec)
    assert list(few.queries) == [collection.queries[each] for each in chosen]
    assert counted_there.tolist() == counted[chosen].tolist()
    assert [repr(each) for each in there[counted_there].tolist()] == [
        repr(each) for each in values[chosen][counted[chosen]].tolist()
    ]
