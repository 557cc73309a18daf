"""Rounding of values as they are printed: the numbers of the texts, to the last bit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcgauge.reference.rounding import rounded_as_printed

HALVES = st.integers(-4000, 4000).map(lambda n: n / 2000)
"""Among them those that lie as near to the middle of two printed numbers as float64 can say."""


@given(
    values=st.lists(st.one_of(st.floats(0, 1), HALVES, st.floats(allow_nan=False)), max_size=20),
    places=st.sampled_from([3, 4]),
)
def test_every_value_is_that_of_its_text(values: list[float], places: int) -> None:
    found = rounded_as_printed(np.array(values), places).tolist()
    # repr tells -0.0 from 0.0.
    assert list(map(repr, found)) == [repr(float(format(value, f".{places}f"))) for value in values]


@pytest.mark.parametrize("text", ["0.0005", "0.0015", "0.0025", "1.0005", "123456.7895"])
def test_a_text_that_looks_like_a_half_is_rounded_by_its_binary_value(text: str) -> None:
    value = float(text)
    neighbours = [math.nextafter(value, 0), value, math.nextafter(value, math.inf)]
    assert rounded_as_printed(np.array(neighbours), 3).tolist() == [float(f"{each:.3f}") for each in neighbours]


def test_what_is_no_number_stays_none() -> None:
    assert np.isnan(rounded_as_printed(np.array([np.nan]), 3)).all()
