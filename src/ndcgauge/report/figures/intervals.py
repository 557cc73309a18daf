"""What tie-breaking alone can make of each query, with every evaluator's value in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ndcgauge.report.figures.canvas import FAMILY_COLORS, INK, SERIES, SYMBOLS, Drawing, axes_in, boxes, clipped, draw
from ndcgauge.report.figures.scale import names, numbers
from ndcgauge.report.numbers import number
from ndcgauge.report.printable import queries, visible
from ndcgauge.results.model import EnvelopeEntry, EvaluatorEntry, ReferenceEntry

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH, _ROW, _TOP, _BOTTOM = 640, 19, 40, 44
MOST = 40
"""Queries shown: the widest intervals."""
READING = (
    "A bar for each query whose value depends on the order of tied documents, from the worst order to the best; the "
    "tick is the average over all orders. The marks are the values that were given: inside the bar, the order of ties "
    "alone can account for them."
)


def intervals(
    name: str, found: EnvelopeEntry, reference: ReferenceEntry, evaluators: Sequence[EvaluatorEntry]
) -> Drawing | None:
    """The figure; None where no query's value depends on the order of ties."""
    if not found.queries:
        return None
    ordered = sorted(found.queries, key=lambda query: (found.queries[query][0] - found.queries[query][2], query))
    shown = ordered[:MOST]
    marks = [(reference.baseline, {query: reference.queries.get(query) for query in shown})]
    for entry in evaluators:
        if entry.id != reference.baseline and entry.answered:
            outcomes = ((query, entry.queries.get(query)) for query in shown)
            marks.append((entry.id, {query: None if each is None else each.value for query, each in outcomes}))
    # A line of the legend holds three names.
    top = _TOP + 18 * ((len(marks) + 1) // 3)
    height = _ROW * len(shown) + top + _BOTTOM

    def paint(figure: Figure) -> None:
        longest = max(len(clipped(visible(query), 24)) for query in shown)
        axes = axes_in(figure, (18 + 7.2 * longest, 16, top, _BOTTOM), _WIDTH, height)
        worst, average, best = zip(*(found.queries[query] for query in shown), strict=True)
        color = FAMILY_COLORS["tie-breaking"]
        ends = enumerate(zip(worst, best, strict=True))
        boxes(axes, [(low, row - 0.25, high - low, 0.5) for row, (low, high) in ends], color, 0.35)
        # A point that is no number ends a line: all are one path.
        ticks = [(value, row + up) for row, value in enumerate(average) for up in (-0.36, 0.36, math.nan)]
        axes.plot(*zip(*ticks, strict=True), color=color, linewidth=2, solid_capstyle="butt")
        for place, (mark, values) in enumerate(marks):
            known = ((row, values[query]) for row, query in enumerate(shown))
            rows = [(row, value) for row, value in known if value is not None]
            shade = INK if place == 0 else SERIES[(place - 1) % len(SERIES)]
            axes.plot(
                [value for _, value in rows],
                [row for row, _ in rows],
                SYMBOLS[place % len(SYMBOLS)],
                color=shade,
                markersize=8 - min(place, 3),
                markerfacecolor="none" if place == 0 else shade,
                label=clipped(visible(mark), 24),
                clip_on=False,
                zorder=3 + place,
            )
        axes.set_ylim(len(shown) - 0.4, -0.6)
        # Marks at 0 must not stand on the names.
        axes.margins(x=0.03)
        numbers(axes, "x")
        names(axes, "y", [clipped(visible(query), 24) for query in shown], 11)
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(0, 1.0),
            ncol=3,
            frameon=False,
            fontsize=11,
            handletextpad=0.3,
            borderaxespad=0.2,
        )

    lead = shown[0]
    worst, _average, best = found.queries[lead]
    more = "" if len(ordered) <= MOST else f", of which the {MOST} widest are shown"
    return Drawing(
        "Tie envelopes of queries",
        draw(name, _WIDTH, height, paint),
        f"The order of ties decides {queries(len(ordered))}{more}; the widest is {lead}: "
        f"from {number(worst, 4)} to {number(best, 4)}.",
        READING,
    )
