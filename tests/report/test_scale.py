from __future__ import annotations

import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from ndcgauge.report.figures.canvas import axes_in, boxes
from ndcgauge.report.figures.scale import names, numbers

RANGES = [(0, 1), (-0.03, 1.03), (-8e-5, 8e-5), (0.21835, 0.21845), (-3, 12), (0, 2.5e7), (0.999999, 1.000001)]


def empty(low: float, high: float) -> Axes:
    figure = Figure(figsize=(330 / 72, 330 / 72))
    FigureCanvasSVG(figure)
    axes = axes_in(figure, (56, 12, 12, 46), 330, 330)
    axes.set_xlim(low, high)
    axes.set_ylim(low, high)
    return axes


@pytest.mark.parametrize("most", [None, 5])
@pytest.mark.parametrize("which", ["x", "y"])
@pytest.mark.parametrize(("low", "high"), RANGES)
def test_the_numbers_are_those_of_an_axis_of_matplotlib(low: float, high: float, which: str, most: int | None) -> None:
    kept, ours = empty(low, high), empty(low, high)
    if most is not None:
        kept.locator_params(nbins=most)
    kept.figure.draw_without_rendering()
    axis = kept.xaxis if which == "x" else kept.yaxis
    labels = [each.label1 for each in axis.get_major_ticks()]
    places = (each.get_position()[0 if which == "x" else 1] for each in labels)
    shown = [
        (place, each.get_text())
        for place, each in zip(places, labels, strict=True)
        if low <= place <= high or min(abs(place - low), abs(place - high)) < 1e-9 * (high - low)
    ]
    numbers(ours, "x" if which == "x" else "y", most=most)
    drawn = [(each.get_position()[0 if which == "x" else 1], each.get_text()) for each in ours.texts]
    power = axis.get_offset_text().get_text()
    assert [text for _, text in drawn[len(shown) :]] == ([power] if power else [])
    assert [text for _, text in drawn[: len(shown)]] == [text for _, text in shown]
    assert [place for place, _ in drawn[: len(shown)]] == pytest.approx([place for place, _ in shown])


def test_every_number_has_a_line_of_the_grid_and_a_tick() -> None:
    axes = empty(0, 1)
    numbers(axes, "x", most=5)
    places = [each.get_position()[0] for each in axes.texts]
    grid, ticks = axes.lines
    # Each line of the grid is two points and a gap.
    assert list(grid.get_xdata())[::3] == places
    assert list(ticks.get_xdata()) == places
    assert not axes.xaxis.get_visible()


def test_names_stand_at_their_places() -> None:
    axes = empty(0, 2)
    names(axes, "y", ["one", "two", "three"])
    assert [(each.get_position()[1], each.get_text()) for each in axes.texts] == [(0, "one"), (1, "two"), (2, "three")]


def test_boxes_reach_as_far_as_they_say() -> None:
    axes = empty(0, 1)
    boxes(axes, [(1.0, 2.0, 3.0, 0.5), (-1.0, 5.0, 1.0, 1.0)], "#000000", 0.5)
    assert axes.dataLim.extents.tolist() == [-1.0, 2.0, 4.0, 6.0]
    (only,) = axes.patches
    assert only.get_path().get_extents().extents.tolist() == [-1.0, 2.0, 4.0, 6.0]
