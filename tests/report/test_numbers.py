from __future__ import annotations

import pytest

from ndcgauge.report.numbers import number, signed


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (0.05974369970503812, 6, "+0.059744"),
        (-0.05974369970503812, 4, "-0.0597"),
        (0.0, 6, "0"),
        (-0.0, 6, "0"),
        (1.6653345369377348e-16, 6, "0"),
        (0.00003, 4, "+3e-05"),
        (-3.4e-8, 6, "-3e-08"),
        (5e-10, 6, "+5e-10"),
    ],
)
def test_a_difference_that_rounding_would_hide_keeps_its_size(value: float, places: int, text: str) -> None:
    assert signed(value, places) == text


def test_no_value_is_a_dash() -> None:
    assert number(None) == "–"
    assert number(0.5, 4) == "0.5000"
