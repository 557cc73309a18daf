"""The differences of all evaluators from the baseline, each a bar stacked by axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ndcgauge.report.figures.canvas import FAMILY_COLORS, INK, MUTED, PAPER, Drawing, axes_in, clipped, draw
from ndcgauge.report.figures.scale import caption, names, numbers
from ndcgauge.report.glossary import FAMILIES, family_of
from ndcgauge.report.numbers import NOTHING, signed
from ndcgauge.report.printable import visible
from ndcgauge.results.model import DiscrepancyEntry

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH, _ROW, _TOP, _BOTTOM = 470, 29, 8, 44
READING = (
    "A bar for each evaluator, from 0 (no difference from the baseline): every segment is what one axis contributes "
    "(its Shapley value), to the right where it raises the mean, to the left where it lowers it. Hatched is what "
    "nothing explains. The diamond is the whole difference."
)


def parts(found: DiscrepancyEntry) -> list[tuple[str, str, float]]:
    """(axis, family, share) of a discrepancy: its axes in the order of families, `rounding`, then `unexplained`."""
    shares = [(axis, family_of(axis), share) for axis, share in found.contributions.items()]
    shares.append(("rounding", "numeric", found.rounding))
    shares.append(("unexplained", "unexplained", found.residual))
    kept = [each for each in shares if abs(each[2]) > NOTHING]
    return sorted(kept, key=lambda each: (FAMILIES.index(each[1]), each[0] == "unexplained", each[0]))


def stacked(name: str, discrepancies: Sequence[DiscrepancyEntry]) -> Drawing | None:
    """The figure; None where nobody was compared."""
    if not discrepancies:
        return None
    height = _ROW * len(discrepancies) + _TOP + _BOTTOM

    def paint(figure: Figure) -> None:
        longest = max(len(clipped(visible(each.evaluator), 22)) for each in discrepancies)
        axes = axes_in(figure, (16 + 7.2 * longest, 14, _TOP, _BOTTOM), _WIDTH, height)
        reach = max((abs(end) for each in discrepancies for end in _ends(each)), default=0.0)
        reach = reach if reach > NOTHING else 1.0
        for row, found in enumerate(discrepancies):
            ends = {True: 0.0, False: 0.0}
            for _axis, family, share in parts(found):
                up = share > 0
                hatch = "////" if family == "unexplained" else None
                axes.barh(
                    row,
                    share,
                    left=ends[up],
                    height=0.36,
                    color=FAMILY_COLORS[family],
                    edgecolor=PAPER,
                    linewidth=1,
                    hatch=hatch,
                )
                ends[up] += share
            axes.plot(found.difference, row, marker="D", markersize=5, color=INK, markeredgecolor=PAPER, zorder=5)
            axes.text(
                0.0,
                row - 0.28,
                _label(found),
                transform=axes.get_yaxis_transform(),
                fontsize=10.5,
                va="bottom",
                color=MUTED,
            )
        axes.axvline(0, color=INK, linewidth=1.2)
        axes.set_ylim(len(discrepancies) - 0.6, -0.8)
        axes.set_xlim(-1.1 * reach, 1.1 * reach)
        axes.spines["left"].set_visible(False)
        names(axes, "y", [clipped(visible(each.evaluator), 22) for each in discrepancies])
        numbers(axes, "x", most=5)
        caption(figure, axes, "x", "difference from the baseline's mean")

    told = [f"{each.evaluator} {signed(each.difference, 4)} ({_label(each)})" for each in discrepancies]
    return Drawing(
        "Differences from the baseline, stacked by axis",
        draw(name, _WIDTH, height, paint),
        "Differences from the baseline: " + "; ".join(told) + ".",
        READING,
    )


def _ends(found: DiscrepancyEntry) -> tuple[float, float, float]:
    shares = [share for _, _, share in parts(found)]
    return sum(each for each in shares if each > 0), sum(each for each in shares if each < 0), found.difference


def _label(found: DiscrepancyEntry) -> str:
    shares = sorted(parts(found), key=lambda each: (-abs(each[2]), each[0]))
    if not shares:
        return "no difference"
    more = f" and {len(shares) - 3} more" if len(shares) > 3 else ""
    return ", ".join(f"{axis} {signed(share, 4)}" for axis, _, share in shares[:3]) + more
