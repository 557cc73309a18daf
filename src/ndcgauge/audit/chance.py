"""How likely it is that a number which nobody computed so is reproduced all the same.

A lattice takes many values. Of the numbers with as many decimals as the claim that stand about the
stated specification's value, it reproduces a share by accident. The share is taken over windows
around that value which hold the claim, and the largest counts: so that for claims that scatter
about the truth in any symmetric way that falls off with distance, the share of those that are
reproduced under another specification is, on average, not above the chance that is told with them.
"""

from __future__ import annotations

import numpy as np

from ndcgauge.audit.printed import NOISE, Printed
from ndcgauge.data.collection import Floats, Ints

NEAR = 0.02
"""How far about the truth a claim that is the truth itself looks for numbers that others give."""


def cells(values: Floats, decimals: int) -> Ints:
    """The distinct numbers of some decimals, as multiples of the last one, that values round to.

    A value on a half rounds to both neighbours, since either rounding is accepted. Undefined and
    enormous values round to none.
    """
    scaled = values[np.isfinite(values)] * 10.0**decimals
    scaled = scaled[np.abs(scaled) < 2.0**52]
    slack = NOISE * 10.0**decimals
    return np.unique(np.concatenate((np.floor(scaled + 0.5 + slack), np.ceil(scaled - 0.5 - slack)))).astype(np.int64)


def _available(centre: int, radii: Ints, lowest: int | None, highest: int | None) -> Ints:
    """(radii,) how many numbers other than the centre a window holds, between the bounds of the measure."""
    low = centre - radii if lowest is None else np.maximum(centre - radii, min(lowest, centre))
    high = centre + radii if highest is None else np.minimum(centre + radii, max(highest, centre))
    return np.maximum(high - low, 1)


def chance(values: Floats, printed: Printed, truth: float | None, *, bounded: bool = True) -> float:
    """The largest share, over windows about the truth that hold the claim, of numbers that one of `values` gives.

    `truth`: the stated specification's value, where it has one; the claim itself stands in for it.
    `bounded`: whether the measure lies in [0, 1], so that no number beyond is a claim.
    """
    centre, distances, limits = _surroundings(values, printed, truth, bounded)
    claim = _cell(printed.number, printed.decimals)
    own = abs(claim - centre) or max(1, round(NEAR * 10.0**printed.decimals))
    here = np.searchsorted(distances, own, side="right") / _available(centre, np.array([own]), *limits)
    wider = distances[distances >= own]
    if not len(wider):
        return float(min(1.0, here[0]))
    inside = np.searchsorted(distances, wider, side="right")
    return float(min(1.0, max(float(here[0]), float((inside / _available(centre, wider, *limits)).max()))))


def share_near(values: Floats, printed: Printed, truth: float | None, *, reach: float, bounded: bool = True) -> float:
    """The share of the numbers within `reach` of the truth (further where the claim is) that one of `values` gives."""
    centre, distances, limits = _surroundings(values, printed, truth, bounded)
    claim = _cell(printed.number, printed.decimals)
    radius = max(1, abs(claim - centre), round(reach * 10.0**printed.decimals))
    inside = int(np.searchsorted(distances, radius, side="right"))
    return min(1.0, inside / int(_available(centre, np.array([radius]), *limits)[0]))


def _cell(value: float, decimals: int) -> int:
    return round(value * 10.0**decimals)


def _surroundings(
    values: Floats, printed: Printed, truth: float | None, bounded: bool
) -> tuple[int, Ints, tuple[int | None, int | None]]:
    """The centre, the sorted distances of the numbers that values give (the centre left out), and the bounds."""
    centre = _cell(printed.number if truth is None else truth, printed.decimals)
    taken = cells(values, printed.decimals)
    distances = np.sort(np.abs(taken[taken != centre] - centre))
    limits = (0, 10**printed.decimals) if bounded else (None, None)
    return centre, distances, limits
