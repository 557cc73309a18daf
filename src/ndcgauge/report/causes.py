"""Why two evaluators differ, in few words."""

from __future__ import annotations

from ndcgauge.report.numbers import NOTHING, signed
from ndcgauge.report.printable import one_line
from ndcgauge.results.model import DiscrepancyEntry, EvaluatorEntry


def cause(found: DiscrepancyEntry, entry: EvaluatorEntry) -> str:
    """The smallest sets of axes that explain the difference, or how much nothing explains."""
    if found.verdict == "agrees":
        if not found.rounding or entry.decimals is None:
            return ""
        return f"up to its {entry.decimals} decimals"
    if found.verdict == "explained" and found.minimal:
        sets = " or ".join(" + ".join(each) for each in found.minimal[:3])
        return f"{sets} alone" if len(found.minimal) == 1 and len(found.minimal[0]) == 1 else sets
    if found.contributions:
        return f"{shares(found)}; {signed(found.residual)} unexplained"
    return "no known cause"


def shares(found: DiscrepancyEntry, most: int = 4) -> str:
    """The axes with their contributions, the largest first: `gain +0.0310, ties -0.0012`."""
    kept = {axis: share for axis, share in found.contributions.items() if abs(share) > NOTHING}
    if not kept:
        return " + ".join(found.minimal[0]) if found.minimal else ""
    ordered = sorted(kept, key=lambda axis: (-abs(kept[axis]), axis))
    more = f" and {len(ordered) - most} more" if len(ordered) > most else ""
    return ", ".join(f"{axis} {signed(kept[axis], 4)}" for axis in ordered[:most]) + more


def without_value(outcome: str, message: str | None) -> str:
    """Why there is no value: the outcome's own message, which need not begin with the outcome's name again."""
    return one_line((message or "").removeprefix(f"{outcome}:"))


def cell_remarks(entry: EvaluatorEntry) -> list[str]:
    """What a reader must know of an evaluator beside its cause."""
    remarks: list[str] = []
    if entry.answered and entry.profile is not None and not entry.verified:
        remarks.append("NOT as declared")
    if entry.outcome == "unstable":
        remarks.append("unstable")
    return remarks
