"""The search finds what is planted, and believes no accident."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.diff.planted import fake, rich_lines

from ndcgauge.data.memory import collection_from_lines
from ndcgauge.reference import Evaluation
from ndcgauge.search.nearest import changes_at, nearest
from ndcgauge.search.observation import Observation
from ndcgauge.search.reduction import reduced_domains
from ndcgauge.spec import preset_spec

COLLECTION = collection_from_lines(*rich_lines())
BASE = preset_spec("trec_eval", "ndcg", 10)


@pytest.mark.parametrize(
    "changes",
    [
        {"gain": "exponential"},
        {"discount": "jk:2"},
        {"ties": "line-reversed"},
        {"unjudged": "drop"},
        {"ideal": "retrieved", "gain": "exponential"},
        {"order": "rank", "unretrieved": "append"},
        {"discount": "reciprocal", "ties": "average", "unjudged": "drop"},
    ],
    ids=str,
)
@pytest.mark.parametrize("decimals", [None, 4])
def test_planted_axes_are_found(changes: dict[str, str], decimals: int | None) -> None:
    spec = BASE.replace(**changes)
    match = nearest(COLLECTION, BASE, fake(Evaluation(COLLECTION, {}), spec, decimals))
    assert match is not None
    assert match.distance == len(changes)
    assert spec in match.specs


def test_noise_is_no_specification() -> None:
    rng = random.Random(3)
    values, counted, _ = Evaluation(COLLECTION, {}).score(BASE)
    noisy = np.where(counted, [rng.random() for _ in values], np.nan)
    assert nearest(COLLECTION, BASE, Observation(noisy, float(np.nanmean(noisy)), None), most_specs=500) is None


def test_one_wrong_query_is_no_specification() -> None:
    observation = fake(Evaluation(COLLECTION, {}), BASE)
    values = observation.values.copy()
    values[3] += 0.01
    assert nearest(COLLECTION, BASE, Observation(values, None, None), most_specs=500) is None


def test_always_zero_is_no_gain_and_no_discount() -> None:
    zeros = np.where(np.isnan(fake(Evaluation(COLLECTION, {}), BASE).values), np.nan, 0.0)
    match = nearest(COLLECTION, BASE, Observation(zeros, 0.0, None), most_specs=500)
    assert match is None


def test_nothing_answered_is_nothing_found() -> None:
    nothing = np.full(len(COLLECTION.queries), np.nan)
    assert nearest(COLLECTION, BASE, Observation(nothing, None, None)) is None


def test_two_printed_decimals_of_one_query_could_be_an_accident() -> None:
    """At distance 2, thousands of specifications against one number of two decimals prove nothing."""
    lines = (
        [("q", "a", 1.0), ("q", "b", 2.0), ("q", "c", 3.0)],
        [
            ("q", "x", 1.0, 4.0),
            ("q", "a", 2.0, 3.0),
            ("q", "b", 3.0, 2.0),
            ("q", "c", 4.0, 1.0),
        ],
    )
    collection = collection_from_lines(*lines)
    evaluation = Evaluation(collection, {})
    spec = BASE.replace(gain="exponential", discount="jk:2")
    values, _, mean = evaluation.score(spec)
    assert nearest(collection, BASE, Observation(np.round(values, 2), round(mean, 2), 2)) is None
    # In full, one number is telling enough.
    match = nearest(collection, BASE, Observation(values, mean, None))
    assert match is not None
    assert spec in match.specs


def test_changes_at_a_distance_change_that_many_axes() -> None:
    domains = reduced_domains(COLLECTION, "ndcg")
    for changes in list(changes_at(domains, BASE, 2))[:200]:
        assert set(BASE.diff(BASE.with_axes(changes))) == set(changes)
        assert len(changes) == 2
