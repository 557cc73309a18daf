"""Sums over groups, in the order of the entries."""

from __future__ import annotations

import numpy as np

from ndcgauge.data.collection import Bools, Floats, Ints


def sums(index: Ints, weights: Floats | Bools, size: int) -> Floats:
    """(size,) sum of the weights of each index, added one by one in the given order (DESIGN §4)."""
    # Of no entries at all, NumPy counts in whole numbers.
    return np.bincount(index, weights=weights, minlength=size).astype(np.float64, copy=False)


def counts(index: Ints, flags: Bools | Floats, size: int) -> Ints:
    """(size,) number of flagged entries of each index."""
    return np.bincount(index, weights=flags, minlength=size).astype(np.int64)
