"""Values that the reduction leaves out change nothing, alone or beside others."""

from __future__ import annotations

import math

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.reference.strategies import NEEDS, Qrels, Run, collections

from ndcgauge.data.memory import collection_from_lines
from ndcgauge.errors import UsageError
from ndcgauge.reference import Evaluation
from ndcgauge.search.domains import domains
from ndcgauge.search.reduction import reduced_domains
from ndcgauge.spec import MEASURES, MetricSpec

SETTINGS = settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))


def scored(evaluation: Evaluation, spec: MetricSpec) -> tuple[list[float | None], float] | None:
    try:
        values, counted, mean = evaluation.score(spec)
    except UsageError:
        return None
    rows = [
        None if not here or math.isnan(value) else float(value) for value, here in zip(values, counted, strict=True)
    ]
    return rows, -1.0 if math.isnan(mean) else mean


@SETTINGS
@given(collections(), st.sampled_from(MEASURES), st.sampled_from(["none", "1", "2", "4"]), st.data())
def test_nothing_is_left_out_that_could_differ(
    lines: tuple[Qrels, Run], measure: str, cutoff: str, data: st.DataObject
) -> None:
    collection = collection_from_lines(*lines, NEEDS)
    whole, kept = domains(measure), reduced_domains(collection, measure)
    chosen = {axis: data.draw(st.sampled_from(values), label=axis) for axis, values in sorted(whole.items())}
    changed = data.draw(st.sets(st.sampled_from(sorted(chosen)), max_size=5))
    spec = MetricSpec.of(
        measure, {axis: chosen[axis] if axis in changed else whole[axis][0] for axis in whole} | {"cutoff": cutoff}
    )
    # A gain table without a grade of these qrels has no value; that is why it is left out.
    if "gain" in kept and spec["gain"] not in kept["gain"]:
        return
    stand_in = spec.replace(**{axis: values[0] for axis, values in kept.items() if spec[axis] not in values})
    evaluation = Evaluation(collection, {})
    assert scored(evaluation, spec) == scored(evaluation, stand_in)


def test_plain_data_leaves_few_choices() -> None:
    collection = collection_from_lines([("q", "a", 1.0), ("q", "b", 0.0)], [("q", "a", 1.0, 2.0), ("q", "b", 2.0, 1.0)])
    kept = reduced_domains(collection, "ndcg")
    for axis in ("order", "score_precision", "min_score", "grades", "negative", "self", "queries", "run_duplicates"):
        assert len(kept[axis]) == 1, axis


def test_data_that_can_tell_keeps_them() -> None:
    qrels = [("q", "a", 1.5), ("q", "b", -1.0), ("only-judged", "a", 1.0), ("self", "self", 1.0)]
    run = [
        ("q", "a", 2.0, 16777217.0),
        ("q", "b", 1.0, 16777216.0),
        ("q", "c", 3.0, -1.0),
        ("q", "d", 4.0, -1.0),
        ("self", "self", 1.0, 1.0),
    ]
    kept = reduced_domains(collection_from_lines(qrels, run), "ndcg")
    for axis in ("order", "score_precision", "min_score", "grades", "negative", "self", "queries", "ties"):
        assert len(kept[axis]) > 1, axis


def test_tables_without_a_grade_are_left_out() -> None:
    kept = reduced_domains(collection_from_lines([("q", "a", 4.0)], [("q", "a", 1.0, 1.0)]), "ndcg")
    assert kept["gain"] == ("linear", "exponential", "binary")
