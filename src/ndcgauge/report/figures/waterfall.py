"""From the baseline's mean to the evaluator's, axis by axis, with a bar for what nothing explains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ndcgauge.report.figures.canvas import FAMILY_COLORS, INK, MUTED, Drawing, axes_in, clipped, draw
from ndcgauge.report.figures.scale import names, numbers
from ndcgauge.report.figures.stacked import parts
from ndcgauge.report.numbers import NOTHING, number, signed
from ndcgauge.report.printable import visible
from ndcgauge.results.model import DiscrepancyEntry

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEIGHT, _STEP = 250, 96
READING = (
    "From left to right: the baseline's mean, then what each axis adds or takes away (its Shapley value), then the "
    "evaluator's mean. The bar named unexplained is always there: at 0, everything is explained. The scale of values "
    "does not begin at 0."
)


def waterfall(name: str, found: DiscrepancyEntry, mean: float) -> Drawing:
    """The figure for one evaluator whose mean over the queries that both answered is `mean`."""
    shares = [each for each in parts(found) if each[0] != "unexplained"]
    steps = [*shares, ("unexplained", "unexplained", found.residual)]
    start = mean - found.difference
    width = 96 + _STEP * (len(steps) + 2)

    def paint(figure: Figure) -> None:
        axes = axes_in(figure, (66, 12, 26, 34), width, _HEIGHT)
        points = [start]
        for _, _, share in steps:
            points.append(points[-1] + share)
        low, high = min(*points, mean), max(*points, mean)
        span = (high - low) or max(abs(high), 1e-3) * 0.1
        low, high = low - 0.18 * span, high + 0.16 * span
        for place, value in ((0, start), (len(steps) + 1, mean)):
            axes.bar(place, value - low, bottom=low, width=0.6, color=MUTED)
            axes.text(place, value, number(value, 4), ha="center", va="bottom", fontsize=11)
        for place, (_axis, family, share) in enumerate(steps, 1):
            bottom = points[place - 1]
            hatch = "////" if family == "unexplained" else None
            axes.bar(place, share, bottom=bottom, width=0.6, color=FAMILY_COLORS[family], hatch=hatch)
            axes.plot([place - 1 + 0.3, place + 0.3], [bottom, bottom], color=MUTED, linewidth=1)
            if abs(share) <= NOTHING:
                axes.plot([place - 0.3, place + 0.3], [bottom, bottom], color=FAMILY_COLORS[family], linewidth=3)
            axes.text(place, max(bottom, bottom + share), signed(share, 4), ha="center", va="bottom", fontsize=11)
        axes.plot([len(steps) + 0.3, len(steps) + 1.3], [points[-1], points[-1]], color=MUTED, linewidth=1)
        labels = [found.baseline, *(axis for axis, _, _ in steps), found.evaluator]
        axes.set_ylim(low, high)
        axes.set_xlim(-0.5, len(steps) + 1.5)
        names(axes, "x", [clipped(visible(each), 15) for each in labels], 11)
        numbers(axes, "y", most=5)
        axes.spines["left"].set_color(INK)

    told = ", ".join(f"{axis} {signed(share, 4)}" for axis, _, share in steps)
    return Drawing(
        f"{found.evaluator}: from {number(start, 4)} to {number(mean, 4)}",
        draw(name, width, _HEIGHT, paint),
        f"From {found.baseline} {number(start, 4)} to {found.evaluator} {number(mean, 4)}: {told}.",
        READING,
    )
