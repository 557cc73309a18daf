"""Every query's value under the baseline and under an evaluator; many queries as a grid of counts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ndcgauge.report.figures.canvas import FAMILY_COLORS, INK, MUTED, Drawing, axes_in, boxes, clipped, draw
from ndcgauge.report.figures.scale import caption, numbers
from ndcgauge.report.numbers import number
from ndcgauge.report.printable import queries, visible
from ndcgauge.results.model import EvaluatorEntry, ReferenceEntry

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BINNED_FROM = 2000
"""More queries than these are shown as a grid of counts: a point each would make a page that nobody can load."""
SHADES = 6
"""Shades of a grid's cells."""
_CELLS = 40
_SIZE = 330
_OFF = 1e-9
_COLOR = FAMILY_COLORS["tie-breaking"]
READING = (
    "A point for each query: the baseline's value to the right, the evaluator's upwards. On the diagonal both say the "
    "same; off it, the queries with the largest differences are named. With scripts on, a click on a point shows its "
    "row in the table of queries."
)
READING_BINNED = (
    "The plane is cut into cells; the darker a cell, the more queries have these two values (on a logarithmic scale). "
    "On the diagonal, baseline and evaluator say the same."
)


def both_values(reference: Mapping[str, float | None], entry: EvaluatorEntry) -> list[tuple[str, float, float]]:
    """(query, baseline, evaluator) of the queries that both have a value for."""
    return [
        (query, base, outcome.value)
        for query, outcome in entry.queries.items()
        if outcome.value is not None and (base := reference.get(query)) is not None
    ]


def scatter(name: str, reference: ReferenceEntry, entry: EvaluatorEntry) -> Drawing | None:
    """The figure; None where fewer than two queries have a value on both sides."""
    points = both_values(reference.queries, entry)
    if len(points) < 2:
        return None
    rounding = 0.0 if entry.decimals is None else 0.5 * 10.0**-entry.decimals
    on, off = [], []
    for each in points:
        (off if abs(each[1] - each[2]) > _OFF + rounding else on).append(each)
    off.sort(key=lambda each: (-abs(each[1] - each[2]), each[0]))
    binned = len(points) > BINNED_FROM
    top = max(1.0, *(max(base, value) for _, base, value in points))
    bottom = min(0.0, *(min(base, value) for _, base, value in points))

    def paint(figure: Figure) -> None:
        axes = axes_in(figure, (56, 12, 12, 46), _SIZE, _SIZE)
        axes.plot([bottom, top], [bottom, top], color=MUTED, linewidth=1, zorder=1)
        if binned:
            _grid(axes, points, bottom, top)
        else:
            _points(axes, on, off)
        margin = 0.03 * (top - bottom)
        axes.set_xlim(bottom - margin, top + margin)
        axes.set_ylim(bottom - margin, top + margin)
        numbers(axes, "x", most=5)
        numbers(axes, "y", most=5)
        caption(figure, axes, "x", clipped(visible(reference.baseline), 30))
        caption(figure, axes, "y", clipped(visible(entry.id), 30))

    told = f"{queries(len(points))}, {len(off):,} off the diagonal"
    largest = ", ".join(f"{query} {number(base, 4)} → {number(value, 4)}" for query, base, value in off[:3])
    return Drawing(
        f"{reference.baseline} and {entry.id}, query by query",
        draw(name, _SIZE, _SIZE, paint),
        f"{entry.id} against {reference.baseline}: {told}" + (f"; largest: {largest}." if largest else "."),
        READING_BINNED if binned else READING,
        () if binned else tuple(query for query, _, _ in off),
    )


def _points(axes: Axes, on: Sequence[tuple[str, float, float]], off: Sequence[tuple[str, float, float]]) -> None:
    if on:
        axes.plot([x for _, x, _ in on], [y for _, _, y in on], "o", markersize=4, color=MUTED, markeredgewidth=0)
    if not off:
        return
    (drawn,) = axes.plot(
        [x for _, x, _ in off], [y for _, _, y in off], "o", markersize=6, color=_COLOR, markeredgewidth=0, zorder=4
    )
    drawn.set_gid("mark-off")
    for query, x, y in off[:3]:
        left = x > 0.6
        axes.annotate(
            clipped(visible(query), 14),
            (x, y),
            xytext=(-7 if left else 7, 5 if y > x else -11),
            textcoords="offset points",
            ha="right" if left else "left",
            fontsize=10.5,
            color=INK,
            zorder=6,
        )


def _grid(axes: Axes, points: Sequence[tuple[str, float, float]], bottom: float, top: float) -> None:
    size = (top - bottom) / _CELLS

    last = _CELLS - 1
    cells = Counter(
        (min(last, int((base - bottom) / size)), min(last, int((value - bottom) / size))) for _, base, value in points
    )
    most = max(cells.values())
    # A handful of shades: the cells of one shade are one path.
    shades: dict[int, list[tuple[float, float, float, float]]] = {}
    for (column, row), count in sorted(cells.items()):
        cell = (bottom + column * size, bottom + row * size, size, size)
        shades.setdefault(shade_of(count, most), []).append(cell)
    for shade, shapes in sorted(shades.items()):
        boxes(axes, shapes, _COLOR, round(0.15 + 0.85 * shade / SHADES, 3))


def shade_of(count: int, most: int) -> int:
    """The shade of a cell with `count` queries where the fullest has `most`: 1 to SHADES, by the logarithm."""
    # A logarithm times 6, divided by itself, is above 6 for some counts.
    return min(SHADES, math.ceil(SHADES * math.log1p(count) / math.log1p(most)))
