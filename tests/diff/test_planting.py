"""Plant a change of known axes in a fake evaluator; exactly these axes must be named."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from tests.diff.planted import fake

from ndcgauge.data.collection import Collection
from ndcgauge.data.memory import collection_from_lines
from ndcgauge.diff.discrepancy import Comparison, Side, Verdict
from ndcgauge.diff.verification import Verifier
from ndcgauge.reference import Evaluation
from ndcgauge.search.observation import Observation
from ndcgauge.spec import MetricSpec

BASE = MetricSpec.of("ndcg", {"cutoff": "10"})
CHANGES = {
    "gain": "exponential",
    "discount": "jk:2",
    "ties": "average",
    "unjudged": "drop",
    "unretrieved": "append",
    "ideal": "retrieved",
    "order": "rank",
    "ideal_cutoff": "none",
    "queries": "judged",
}


def planted(axes: tuple[str, ...]) -> MetricSpec:
    return BASE.replace(**{axis: CHANGES[axis] for axis in axes})


@pytest.mark.parametrize("decimals", [None, 4])
@pytest.mark.parametrize("axis", CHANGES)
def test_one_changed_axis_is_named(verifier: Verifier, axis: str, decimals: int | None) -> None:
    spec = planted((axis,))
    observed = fake(verifier.evaluation, spec, decimals)
    result = verifier.verify(BASE, observed, None)
    assert not result.verified
    assert result.behaves_as is not None
    assert BASE.diff(result.behaves_as) == BASE.diff(spec)


@pytest.mark.parametrize(
    "axes", list(itertools.combinations(["gain", "ties", "unretrieved", "discount", "queries"], 2))
)
def test_two_changed_axes_are_named_and_share_the_whole_difference(
    collection: Collection, verifier: Verifier, axes: tuple[str, ...]
) -> None:
    spec = planted(axes)
    observed = fake(verifier.evaluation, spec)
    result = verifier.verify(BASE, observed, None)
    assert result.behaves_as is not None
    assert BASE.diff(result.behaves_as) == BASE.diff(spec)
    found = Comparison(collection, verifier.evaluation).compare(
        Side(BASE, None), Side(result.behaves_as, observed), result
    )
    assert found is not None
    assert set(found.contributions) == set(axes)
    assert found.verdict is Verdict.EXPLAINED
    assert abs(found.residual) < 1e-12
    assert found.minimal == (tuple(sorted(axes)),)
    assert math.isclose(math.fsum(found.contributions.values()), found.difference, abs_tol=1e-12)


def test_three_changed_axes_are_named(verifier: Verifier) -> None:
    spec = planted(("gain", "ties", "unjudged"))
    result = verifier.verify(BASE, fake(verifier.evaluation, spec), None)
    assert result.behaves_as is not None
    assert BASE.diff(result.behaves_as) == BASE.diff(spec)


def test_a_declared_profile_that_holds_is_verified(collection: Collection, verifier: Verifier) -> None:
    spec = planted(("gain",))
    observed = fake(verifier.evaluation, spec, 4)
    result = verifier.verify(spec, observed, None)
    assert result.verified
    assert result.largest <= 0.5e-4 + 1e-9
    found = Comparison(collection, verifier.evaluation).compare(Side(BASE, None), Side(spec, observed), result)
    assert found is not None
    assert found.verdict is Verdict.EXPLAINED
    assert found.minimal == (("gain",),)
    assert found.families["gain"] == found.contributions["gain"]
    assert {"discount", "tie-breaking", "unjudged"} <= set(found.families)
    assert 0 < abs(found.rounding) <= 0.5e-4
    assert abs(found.residual) < 1e-15


def test_equal_values_agree(collection: Collection, verifier: Verifier) -> None:
    observed = fake(verifier.evaluation, BASE, 4)
    result = verifier.verify(BASE, observed, None)
    found = Comparison(collection, verifier.evaluation).compare(Side(BASE, None), Side(BASE, observed), result)
    assert found is not None
    assert found.verdict is Verdict.AGREES
    assert found.contributions == {}
    assert found.queries_differing == 0


def _random_values(evaluation: Evaluation) -> Observation:
    observed = fake(evaluation, BASE)
    values = observed.values.copy()
    values[observed.answered] = np.random.default_rng(3).uniform(size=int(observed.answered.sum()))
    return Observation(values, float(np.nanmean(values)), None)


def _zero_values(evaluation: Evaluation) -> Observation:
    observed = fake(evaluation, BASE)
    return Observation(np.where(observed.answered, 0.0, np.nan), 0.0, None)


def _swapped_queries(evaluation: Evaluation) -> Observation:
    observed = fake(evaluation, BASE)
    values = observed.values.copy()
    answered = np.flatnonzero(observed.answered)
    values[answered] = np.roll(values[answered], 1)
    return Observation(values, observed.mean, None)


@pytest.mark.parametrize("misbehaving", [_random_values, _zero_values, _swapped_queries])
def test_values_of_no_specification_are_unexplained(collection: Collection, verifier: Verifier, misbehaving) -> None:
    observed = misbehaving(verifier.evaluation)
    result = verifier.verify(BASE, observed, None)
    assert result.behaves_as is None
    assert result.smallest_query is not None
    found = Comparison(collection, verifier.evaluation).compare(Side(BASE, None), Side(BASE, observed), result)
    assert found is not None
    assert found.verdict is Verdict.UNEXPLAINED
    assert found.contributions == {}
    assert found.families["unexplained"] == found.residual == found.difference
    assert found.minimal == ()


def test_an_evaluator_that_moves_is_unstable(verifier: Verifier) -> None:
    one = fake(verifier.evaluation, planted(("gain",)))
    other = fake(verifier.evaluation, planted(("discount",)))
    result = verifier.verify(BASE, one, lambda _files: other)
    assert result.unstable
    assert result.behaves_as is None


def test_an_evaluator_that_tidy_files_cure_reads_differently(collection: Collection, verifier: Verifier) -> None:
    wrong = _zero_values(verifier.evaluation)
    right = fake(verifier.evaluation, BASE)
    result = verifier.verify(BASE, wrong, lambda files: wrong if files == verifier.files else right)
    assert result.reading
    found = Comparison(collection, verifier.evaluation).compare(Side(BASE, None), Side(BASE, wrong), result)
    assert found is not None
    assert found.contributions == {"reading": found.difference}
    assert found.families["reading"] == found.difference
    assert found.verdict is Verdict.EXPLAINED


def test_an_evaluator_as_the_baseline_brings_its_own_rounding(collection: Collection, verifier: Verifier) -> None:
    printed = fake(verifier.evaluation, BASE, 4)
    spec = planted(("ties", "unretrieved"))
    observed = fake(verifier.evaluation, spec)
    result = verifier.verify(spec, observed, None)
    found = Comparison(collection, verifier.evaluation).compare(Side(BASE, printed), Side(spec, observed), result)
    assert found is not None
    assert found.verdict is Verdict.EXPLAINED
    assert set(found.contributions) == {"ties", "unretrieved"}
    assert abs(found.residual) < 1e-12


def test_only_the_answered_queries_are_compared(collection: Collection, verifier: Verifier) -> None:
    spec = planted(("gain",))
    observed = fake(verifier.evaluation, spec)
    values = observed.values.copy()
    values[np.flatnonzero(observed.answered)[:3]] = np.nan
    partial = Observation(values, None, None)
    result = verifier.verify(spec, partial, None)
    assert result.verified
    found = Comparison(collection, verifier.evaluation).compare(Side(BASE, None), Side(spec, partial), result)
    assert found is not None
    answered = partial.answered
    baseline, _, _ = verifier.evaluation.score(BASE)
    assert math.isclose(found.difference, float(np.mean(values[answered] - baseline[answered])), abs_tol=1e-12)
    assert found.minimal == (("gain",),)
    assert abs(found.residual) < 1e-12


def test_a_query_that_is_nan_is_not_passed_over(collection: Collection, verifier: Verifier) -> None:
    observed = fake(verifier.evaluation, BASE)
    first = int(np.flatnonzero(observed.answered)[0])
    values = observed.values.copy()
    values[first] = np.nan
    half = Observation(values, observed.mean, None, undefined=frozenset({first}))
    result = verifier.verify(BASE, half, None)
    assert not result.verified
    found = Comparison(collection, verifier.evaluation).compare(Side(BASE, None), Side(BASE, half), result)
    assert found is not None
    assert found.verdict is Verdict.UNEXPLAINED


def test_a_mean_that_is_nan_is_compared_over_the_queries(collection: Collection, verifier: Verifier) -> None:
    observed = fake(verifier.evaluation, planted(("gain",)))
    strange = Observation(observed.values, math.nan, None)
    result = verifier.verify(planted(("gain",)), strange, None)
    assert not result.verified
    found = Comparison(collection, verifier.evaluation).compare(
        Side(BASE, None), Side(planted(("gain",)), strange), result
    )
    assert found is not None
    assert math.isfinite(found.difference)


def test_undefined_where_the_specification_is_undefined_is_verified(verifier: Verifier) -> None:
    qrels = [("q1", "a", 1.0), ("q2", "a", 0.0)]
    lines = collection_from_lines(qrels, [("q1", "a", 1.0, 1.0), ("q2", "a", 1.0, 1.0)])
    here = replace(verifier, collection=lines, evaluation=Evaluation(lines, {}))
    spec = BASE.replace(zero_ideal="nan")
    # q1 is perfect; q2 has no relevant document, so it and the mean are undefined.
    right = Observation(np.array([1.0, np.nan]), math.nan, None, undefined=frozenset({1}))
    assert here.verify(spec, right, None).verified
    assert not here.verify(BASE, right, None).verified


def test_a_mean_without_rows_is_verified_by_the_mean(collection: Collection, verifier: Verifier) -> None:
    spec = MetricSpec.of("judged", {"cutoff": "5", "averaging": "pooled", "order": "line", "queries": "run"})
    _, _, mean = verifier.evaluation.score(spec)
    nothing = np.full(len(collection.queries), np.nan)
    assert verifier.verify(spec, Observation(nothing, round(mean, 4), 4), None).verified
    assert not verifier.verify(spec, Observation(nothing, round(mean, 4) + 0.01, 4), None).verified


def test_explained_never_stands_beside_a_residual(collection: Collection, verifier: Verifier) -> None:
    observed = fake(verifier.evaluation, BASE)
    wrong = Observation(observed.values, (observed.mean or 0.0) + 0.25, None)
    result = verifier.verify(BASE, wrong, lambda files: wrong if files == verifier.files else observed)
    assert result.reading
    found = Comparison(collection, verifier.evaluation).compare(Side(BASE, None), Side(BASE, wrong), result)
    assert found is not None
    assert (found.verdict is Verdict.EXPLAINED) == (abs(found.residual) < 1e-9)
    assert found.contributions == {"reading": pytest.approx(0.25, abs=1e-12)}
