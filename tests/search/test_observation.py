"""What counts as the same answer."""

from __future__ import annotations

import numpy as np

from ndcgauge.search.observation import Observation

VALUES = np.array([0.5, np.nan, 0.25])
ALL = np.ones(3, dtype=np.bool_)


def test_a_full_number_matches_within_the_tolerance() -> None:
    seen = Observation(VALUES, 0.375, None)
    assert seen.matches(np.array([0.5 + 5e-10, 0.9, 0.25]), ALL, 0.375)
    assert not seen.matches(np.array([0.5 + 2e-9, 0.9, 0.25]), ALL, 0.375)
    assert not seen.matches(np.array([0.5, 0.9, 0.25]), ALL, 0.375 + 2e-9)


def test_a_printed_number_matches_within_half_its_last_place() -> None:
    seen = Observation(VALUES, None, 2)
    assert seen.matches_values(np.array([0.505, 0.0, 0.245]), ALL)
    assert not seen.matches_values(np.array([0.5051, 0.0, 0.25]), ALL)


def test_an_answer_on_a_query_that_does_not_count_is_no_match() -> None:
    assert not Observation(VALUES, None, None).matches_values(np.array([0.5, 0.0, 0.25]), np.array([False, True, True]))


def test_nan_equals_only_an_undefined_value() -> None:
    seen = Observation(VALUES, None, None, undefined=frozenset({1}))
    assert seen.matches_values(np.array([0.5, np.nan, 0.25]), ALL)
    assert not seen.matches_values(np.array([0.5, 0.0, 0.25]), ALL)
    assert Observation(VALUES, float("nan"), None).matches_mean(float("nan"))
    assert not Observation(VALUES, float("nan"), None).matches_mean(0.0)


def test_silence() -> None:
    nothing = np.full(3, np.nan)
    assert Observation(nothing, None, None).silent
    assert Observation(nothing, float("nan"), None).silent
    assert not Observation(nothing, 0.0, None).silent
    assert not Observation(VALUES, None, None).silent
