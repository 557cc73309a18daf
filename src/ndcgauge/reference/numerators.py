"""Discounted cumulated gains of one ranking under many gains and discounts, what they share made once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np

from ndcgauge.data.collection import Floats, Ints
from ndcgauge.reference.discounts import divisors
from ndcgauge.reference.measures import average_weights, discounted, in_order
from ndcgauge.reference.standing import SYMMETRIC, Standing
from ndcgauge.reference.sums import sums


class _Gained(NamedTuple):
    """The entries that have a gain; the others add nothing to a sum, not even in its last bit."""

    entries: Ints
    instance: Ints
    gain: Floats


class Numerators:
    """The DCG of one standing at one cutoff."""

    def __init__(self, standing: Standing, cutoff: int | None) -> None:
        # Nothing beyond rank k counts, and a tie that reaches it stands here whole.
        self._standing = standing if cutoff is None else standing.only(standing.start <= cutoff)
        self._cutoff = cutoff
        self._size = len(standing.query)
        self._gained: dict[Hashable, _Gained] = {}
        self._ordered: dict[tuple[Hashable, str], tuple[Ints, Ints, Floats]] = {}
        self._weights: dict[tuple[str, bool], Floats] = {}

    def dcg(self, gains: Hashable, of_pairs: Floats, ties: str, discount: str) -> Floats:
        """(instances,) discounted cumulated gain, added one by one in rank order (DESIGN §4).

        of_pairs: (pairs + 1,) the gain of each judged document; gains: a name for them. The standing must be
        one of the tie rule.
        """
        gained = self._gained.get(gains)
        if gained is None:
            gained = self._gained[gains] = self._with_gain(of_pairs)
        if ties in ("best", "worst"):
            key = (gains, ties)
            if key not in self._ordered:
                standing = self._standing.only(gained.entries)
                self._ordered[key] = in_order(standing, gained.gain, ties, self._cutoff)
            return discounted(*self._ordered[key], discount, self._size)
        weights = self._entry_weights(discount, average=ties in SYMMETRIC)[gained.entries]
        shares = gained.gain * weights if ties in SYMMETRIC else gained.gain / weights
        return sums(gained.instance, shares, self._size)

    def _with_gain(self, of_pairs: Floats) -> _Gained:
        gain = of_pairs[self._standing.pair]
        entries = np.flatnonzero(gain)
        return _Gained(entries, self._standing.instance[entries], gain[entries])

    def _entry_weights(self, discount: str, *, average: bool) -> Floats:
        """(entries,) what each gain is multiplied by (average), or divided by."""
        key = (discount, average)
        if key not in self._weights:
            standing = self._standing
            if average:
                self._weights[key] = average_weights(standing, discount, self._cutoff)
            else:
                self._weights[key] = divisors(discount, int(standing.start.max(initial=0)))[standing.start]
        return self._weights[key]
