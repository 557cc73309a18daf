from __future__ import annotations

from ndcgauge.report.figures.scatter import SHADES, shade_of


def test_every_count_has_a_shade_and_the_fullest_cell_the_darkest() -> None:
    # For 5, 16, 30 … queries the logarithm times 6, divided by itself, is above 6.
    assert {shade_of(count, count) for count in range(1, 3000)} == {SHADES}


def test_shades_rise_with_the_count() -> None:
    shades = [shade_of(count, 500) for count in range(1, 501)]
    assert shades == sorted(shades)
    assert set(shades) == set(range(1, SHADES + 1))
