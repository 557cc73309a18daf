"""Discounted cumulated gains of one ranking under many gains and discounts, what they share made once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np

from ndcgauge.data.collection import Bools, Floats, Ints
from ndcgauge.reference.discounts import divisors
from ndcgauge.reference.measures import average_weights, discounted, in_order
from ndcgauge.reference.standing import SYMMETRIC, Standing
from ndcgauge.reference.sums import sums


class _Gaining(NamedTuple):
    """The entries that have a gain; the others add nothing to a sum, not even in its last bit."""

    pairs: Bools
    """(pairs + 1,) which judged documents have a gain: other gains of the same documents have the same entries."""
    standing: Standing
    weights: dict[tuple[str, bool], Floats]
    """By discount, and whether ties are averaged: (entries,) what each gain is multiplied by, or divided by."""


class Numerators:
    """The DCG of one standing at one cutoff."""

    def __init__(self, standing: Standing, cutoff: int | None) -> None:
        # Nothing beyond rank k counts, and a tie that reaches it stands here whole.
        self._standing = standing if cutoff is None else standing.only(standing.start <= cutoff)
        self._cutoff = cutoff
        self._size = len(standing.query)
        self._gaining: list[_Gaining] = []
        self._gains: dict[Hashable, tuple[_Gaining, Floats]] = {}
        self._ordered: dict[tuple[Hashable, str], tuple[Ints, Ints, Floats]] = {}

    def dcg(self, gains: Hashable, of_pairs: Floats, ties: str, discount: str, matters: Bools | None = None) -> Floats:
        """(instances,) discounted cumulated gain, added one by one in rank order (DESIGN §4).

        of_pairs: (pairs + 1,) the gain of each judged document; gains: a name for them; matters: (pairs + 1,)
        whether it is not 0, where the caller knows. The standing must be one of the tie rule.
        """
        if gains not in self._gains:
            gaining = self._with_gain(of_pairs != 0 if matters is None else matters)
            self._gains[gains] = gaining, of_pairs[gaining.standing.pair]
        gaining, gain = self._gains[gains]
        if ties in ("best", "worst"):
            key = (gains, ties)
            if key not in self._ordered:
                self._ordered[key] = in_order(gaining.standing, gain, ties, self._cutoff)
            return discounted(*self._ordered[key], discount, self._size)
        weights = self._entry_weights(gaining, discount, average=ties in SYMMETRIC)
        shares = gain * weights if ties in SYMMETRIC else gain / weights
        return sums(gaining.standing.instance, shares, self._size)

    def _with_gain(self, pairs: Bools) -> _Gaining:
        for known in self._gaining:
            if known.pairs is pairs or np.array_equal(known.pairs, pairs):
                return known
        found = _Gaining(pairs, self._standing.only(pairs[self._standing.pair]), {})
        self._gaining.append(found)
        return found

    def _entry_weights(self, gaining: _Gaining, discount: str, *, average: bool) -> Floats:
        key = (discount, average)
        if key not in gaining.weights:
            standing = gaining.standing
            if average:
                gaining.weights[key] = average_weights(standing, discount, self._cutoff)
            else:
                gaining.weights[key] = divisors(discount, int(standing.start.max(initial=0)))[standing.start]
        return gaining.weights[key]
