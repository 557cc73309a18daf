"""Discounts: what the gain of a rank is divided by."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from ndcgauge.data.collection import Floats
from ndcgauge.errors import UsageError


def _divisor(discount: str) -> Callable[[int], float]:
    """The divisor of a rank, from 1, under a canonical discount value.

    `log2` and `log2+c`: Burges et al. 2005, §6; `jk:b`: Järvelin & Kekäläinen 2002, §2.2 (no
    discount for ranks below the base b). `math.log2` and not NumPy's, whose last bit differs for
    some arguments from the C library's, which trec_eval calls.
    """
    if discount == "log2":
        return lambda rank: math.log2(rank + 1)
    if discount == "reciprocal":
        return float
    if discount == "log2*reciprocal":
        return lambda rank: rank * math.log2(rank + 1)
    if discount == "none":
        return lambda _rank: 1.0
    kind, _, number = discount.partition("+") if discount.startswith("log2+") else discount.partition(":")
    parameter = float(number)
    if kind == "log2":
        return lambda rank: math.log2(rank + parameter)
    if kind == "jk":
        return lambda rank: 1.0 if rank < parameter else math.log2(rank) / math.log2(parameter)
    raise UsageError(f"there is no discount {discount!r}")


def _rounded_up(size: int) -> int:
    # Tables are shared by every call that needs no more ranks than they hold.
    return max(1024, 1 << (size - 1).bit_length()) if size > 0 else 1024


@lru_cache(maxsize=64)
def _tables(discount: str, size: int) -> tuple[Floats, Floats]:
    divisor = _divisor(discount)
    table = np.array([1.0, *(divisor(rank) for rank in range(1, size + 1))], dtype=np.float64)
    weights = 1.0 / table
    weights[0] = 0.0
    cumulative = np.cumsum(weights)
    table.setflags(write=False)
    cumulative.setflags(write=False)
    return table, cumulative


def divisors(discount: str, size: int) -> Floats:
    """(at least size + 1,) the divisor of each rank; entry 0 is 1 and stands for no rank."""
    return _tables(discount, _rounded_up(size))[0]


def cumulative_weights(discount: str, size: int) -> Floats:
    """(at least size + 1,) sum of 1/divisor over the ranks up to each rank; entry 0 is 0."""
    return _tables(discount, _rounded_up(size))[1]
