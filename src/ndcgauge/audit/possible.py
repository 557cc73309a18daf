"""What tie-breaking can reach, and whether any specification of a lattice could give a number in some order of ties."""

from __future__ import annotations

import numpy as np

from ndcgauge.audit.printed import NOISE, Printed
from ndcgauge.data.collection import Collection
from ndcgauge.errors import UsageError
from ndcgauge.reference import NoClosedForm, envelope
from ndcgauge.search.lattice import Lattice, evaluate_points
from ndcgauge.spec import MetricSpec


def tie_envelope(collection: Collection, spec: MetricSpec) -> tuple[float | None, float | None]:
    """The smallest and largest mean of a specification over all orders of ties; None where they are not known."""
    try:
        means = envelope(collection, spec).means
    except (NoClosedForm, UsageError):
        return None, None
    low, high = min(means[0], means[2]), max(means[0], means[2])
    return (float(low), float(high)) if np.isfinite(low) and np.isfinite(high) else (None, None)


def claim_is_possible(collection: Collection, lattice: Lattice, base: MetricSpec, printed: Printed) -> bool:
    """Whether a number may lie between the smallest and the largest value of the envelopes of all specifications.

    True wherever that cannot be excluded: where a value is not known, and where the extremes of a
    ratio over the orders of ties are not those of its queries one by one (a pooled mean, or queries
    left out of it, when a cut decides which documents of a tie survive).
    """
    slack = 0.5 * printed.step + NOISE
    if _within(lattice.means, printed.number, slack) or lattice.unknown:
        return True
    digits = lattice.digits
    space = lattice.acting.space
    if "ties" not in space.axes:
        return False
    place = space.axes.index("ties")
    without = digits.without(lattice.codes, "ties")
    codes = np.unique(
        np.concatenate([without + space.values[place].index(each) * space.weights[place] for each in ("worst", "best")])
    )
    values = evaluate_points(collection, base, lattice.acting, lattice.anchors[0], codes)
    beyond_orders = digits.has(codes, "averaging", "pooled") | digits.has(codes, "zero_ideal", "skip", "nan")
    if values.unknown.any() or (values.several & beyond_orders).any():
        return True
    return _within(values.means, printed.number, slack)


def _within(means: np.ndarray[tuple[int], np.dtype[np.float64]], number: float, slack: float) -> bool:
    finite = means[np.isfinite(means)]
    return bool(len(finite)) and bool(finite.min() - slack <= number <= finite.max() + slack)
