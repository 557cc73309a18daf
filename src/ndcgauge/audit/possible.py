"""What tie-breaking can reach, and whether any specification of a lattice could give a number in some order of ties."""

from __future__ import annotations

import numpy as np

from ndcgauge.audit.printed import NOISE, Printed
from ndcgauge.data.collection import Collection
from ndcgauge.errors import UsageError
from ndcgauge.reference import NoClosedForm, envelope
from ndcgauge.search.lattice import Lattice
from ndcgauge.spec import MetricSpec


def tie_envelope(collection: Collection, spec: MetricSpec) -> tuple[float | None, float | None]:
    """The smallest and largest mean that a specification reaches over all orders of ties; None where it is not known."""
    try:
        means = envelope(collection, spec).means
    except (NoClosedForm, UsageError):
        return None, None
    low, high = min(means[0], means[2]), max(means[0], means[2])
    return (float(low), float(high)) if np.isfinite(low) and np.isfinite(high) else (None, None)


def claim_is_possible(collection: Collection, lattice: Lattice, spec: MetricSpec, printed: Printed) -> bool:
    """Whether a number may lie in the envelope of some specification. True wherever that cannot be excluded."""
    del collection, spec
    finite = lattice.means[np.isfinite(lattice.means)]
    if not len(finite):
        return True
    slack = 0.5 * printed.step + NOISE
    return bool(finite.min() - slack <= printed.number <= finite.max() + slack)
