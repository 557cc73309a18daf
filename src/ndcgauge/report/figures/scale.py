"""The scales of a figure: grid lines, tick marks and numbers, or names.

matplotlib chooses the numbers and writes them; the marks are drawn here, all of a scale as one path each. An axis of
matplotlib's own makes five artists of every tick, and measures them twice: that was half of the time of a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

from ndcgauge.report.figures.canvas import GRID, INK, MUTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import ScalarFormatter

_TICK, _PAD = 3.5, 3.5
"""Pixels of a tick, and between it and its number."""


def numbers(axes: Axes, which: Literal["x", "y"], *, most: int | None = None) -> None:
    """Grid, ticks and numbers of a scale; call it when the limits stand. `most`: about how many intervals at most."""
    from matplotlib.lines import Line2D

    axis = axes.xaxis if which == "x" else axes.yaxis
    low, high = sorted(axis.get_view_interval())
    if most is not None:
        axes.locator_params(axis=which, nbins=most)
    slack = 1e-9 * (high - low)
    places = [float(each) for each in axis.get_majorticklocs() if low - slack <= each <= high + slack]
    formatter = cast("ScalarFormatter", axis.get_major_formatter())
    labels = formatter.format_ticks(places)
    ends: list[float] = []
    steps: list[float] = []
    for place in places:
        # A point that is no number ends a line: all lines of the grid are one path.
        steps += [place, place, float("nan")]
        ends += [0.0, 1.0, float("nan")]
    across = axes.get_xaxis_transform() if which == "x" else axes.get_yaxis_transform()
    grid, marks = Line2D(*_points(which, steps, ends)), Line2D(*_points(which, places, [0.0] * len(places)))
    grid.set(transform=across, color=GRID, linewidth=1, zorder=0.5)
    # 3 and 0 are matplotlib's names of a tick downwards and of one to the left.
    marks.set(transform=across, color=MUTED, linestyle="none", marker=3 if which == "x" else 0, markersize=_TICK)
    marks.set(clip_on=False, zorder=2.01, markeredgewidth=0.8)
    axes.add_artist(grid)
    axes.add_artist(marks)
    _texts(axes, which, places, labels, _TICK + _PAD, 12)
    power = formatter.get_offset()
    if power:
        corner, away, side = ((1, 0), (0, -36), "right") if which == "x" else ((0, 1), (0, 3), "left")
        axes.annotate(power, corner, away, "axes fraction", textcoords="offset points", ha=side, va="bottom")
    axis.set_visible(False)


def names(axes: Axes, which: Literal["x", "y"], texts: Sequence[str], size: float = 12) -> None:
    """A name at each of the places 0, 1, 2 …"""
    _texts(axes, which, range(len(texts)), texts, _PAD, size)
    (axes.xaxis if which == "x" else axes.yaxis).set_visible(False)


def caption(figure: Figure, axes: Axes, which: Literal["x", "y"], text: str) -> None:
    """What a scale counts, at the edge of the figure."""
    width, height = figure.get_size_inches() * 72
    box = axes.get_position()
    if which == "x":
        figure.text((box.x0 + box.x1) / 2, 4 / height, text, ha="center", va="bottom")
    else:
        figure.text(4 / width, (box.y0 + box.y1) / 2, text, ha="left", va="center", rotation=90)


def _points(
    which: Literal["x", "y"], along: Sequence[float], across: Sequence[float]
) -> tuple[Sequence[float], Sequence[float]]:
    return (along, across) if which == "x" else (across, along)


def _texts(
    axes: Axes, which: Literal["x", "y"], places: Sequence[float], texts: Sequence[str], away: float, size: float
) -> None:
    if which == "x":
        transform, down, across = axes.get_xaxis_text1_transform(away)
    else:
        transform, down, across = axes.get_yaxis_text1_transform(away)
    for place, text in zip(places, texts, strict=True):
        x, y = (place, 0.0) if which == "x" else (0.0, place)
        axes.text(x, y, text, transform=transform, va=down, ha=across, fontsize=size, color=INK)
