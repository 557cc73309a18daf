"""The ideal: the axes `ideal` and `ideal_cutoff`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ndcgauge.data.collection import Floats, Ints
from ndcgauge.data.columns import distinct, first_of_each, stable_order
from ndcgauge.reference.discounts import cumulative_weights, divisors
from ndcgauge.reference.grades import Judgments
from ndcgauge.reference.standing import Standing
from ndcgauge.reference.sums import sums
from ndcgauge.spec import MetricSpec

LEVELS = 4
"""Cells for each distinct gain of each query, as a multiple of the entries, up to which equal gains are counted."""
NO_LIMIT = np.iinfo(np.int64).max


def _descending(instance: Ints, gain: Floats) -> tuple[Ints, Floats]:
    """Entries sorted by instance, then by descending gain."""
    levels = distinct(gain)[::-1]
    size = int(instance.max(initial=0)) + 1
    if len(levels) * size <= len(gain) * LEVELS and not np.isnan(levels).any():
        # Gains come from few grades: equal ones are counted, not sorted.
        level = len(levels) - 1 - np.searchsorted(levels[::-1], gain)
        count = np.bincount(instance * len(levels) + level, minlength=size * len(levels)).reshape(size, len(levels))
        return np.repeat(np.arange(size), count.sum(axis=1)), np.repeat(np.tile(levels, size), count.reshape(-1))
    # Two sorts of one key each, the second one stable, are faster than a stable one of both.
    by_gain = np.argsort(-gain)
    order = by_gain[stable_order(instance[by_gain], size)]
    return instance[order], gain[order]


def _limited_sum(instance: Ints, gain: Floats, rank: Ints, limit: Ints, discount: str, size: int) -> Floats:
    """(size,) sum of gain/divisor over the entries whose rank is within their instance's limit, in the given order."""
    if size and int(limit.min()) < int(rank.max(initial=0)):
        inside = rank <= limit[instance]
        instance, gain, rank = instance[inside], gain[inside], rank[inside]
    table = divisors(discount, int(rank.max(initial=0)))
    return sums(instance, gain / table[rank], size)


class SortedGains(NamedTuple):
    """Judgments' gains in descending order within each instance: what an ideal is summed from."""

    instance: Ints
    """(entries,) ascending."""
    gain: Floats
    rank: Ints
    """(entries,) rank, from 1, in the ideal ranking."""

    def down_to(self, last: int) -> SortedGains:
        """The entries of the first ranks."""
        if int(self.rank.max(initial=0)) <= last:
            return self
        inside = np.flatnonzero(self.rank <= last)
        return SortedGains(self.instance[inside], self.gain[inside], self.rank[inside])


def sorted_gains(instance: Ints, gain: Floats) -> SortedGains:
    """The gains of judgments as ideal rankings, without those that add nothing."""
    matters = gain != 0
    if not (gain < 0).any():
        instance, gain = instance[matters], gain[matters]
    instance, gain = _descending(instance, gain)
    return SortedGains(instance, gain, np.arange(len(instance)) - first_of_each(instance) + 1)


def ideal_of_gains(gains: SortedGains, limit: Ints, discount: str) -> Floats:
    """(instances,) DCG of the gains in descending order, cut at each instance's limit.

    `limit`: (instances,) last rank that counts.
    """
    return _limited_sum(gains.instance, gains.gain, gains.rank, limit, discount, len(limit))


def retrieved_gains(standing: Standing, pair_gain: Floats) -> SortedGains:
    """The gains of what is left of the run before anything is added, as ideal rankings; unjudged documents gain 0."""
    inside = np.flatnonzero(standing.retrieved)
    instance, gain = standing.instance[inside], pair_gain[standing.pair[inside]]
    ranked = sorted_gains(instance, gain)
    if not (gain < 0).any():
        return ranked
    # Unjudged documents stand between the positive and the negative gains.
    unjudged = standing.n_left - np.bincount(instance, minlength=len(standing.query))
    rank = np.where(ranked.gain < 0, ranked.rank + unjudged[ranked.instance], ranked.rank)
    return ranked._replace(rank=rank)


def top_gains(judgments: Judgments, gain: Floats, queries: int) -> tuple[Floats, Ints]:
    """(queries,) twice: the gain of each query's highest grade, and its number of judgments."""
    count = np.bincount(judgments.query, minlength=queries)
    highest = np.full(queries, -np.inf)
    np.maximum.at(highest, judgments.query, judgments.grade)
    of_top = np.flatnonzero(judgments.grade == highest[judgments.query])
    top = np.zeros(queries)
    top[judgments.query[of_top]] = gain[of_top]
    return top, count


def ideal_of_perfect(top: Floats, count: Ints, limit: Ints, cutoff: int | None, discount: str) -> Floats:
    """(instances,) ideal DCG of documents of the top grade, whether they exist or not: k of them, or
    without a cutoff as many as are judged."""
    number = count if cutoff is None else np.full(len(count), cutoff, dtype=np.int64)
    number = np.where(count > 0, np.minimum(number, limit), 0)
    cumulative = cumulative_weights(discount, int(number.max(initial=0)))
    return top * cumulative[number]


def ideal_limit(spec: MetricSpec, n_left: Ints) -> Ints:
    """(instances,) the last rank of the specification's ideal; n_left: (instances,) documents left of the run."""
    return last_ranks(spec["ideal_cutoff"], spec.cutoff, n_left)


def last_ranks(cut: str, cutoff: int | None, n_left: Ints) -> Ints:
    """(queries,) the last rank of the ideal under a value of `ideal_cutoff`; n_left: (queries,) documents left."""
    if cut == "retrieved":
        return n_left if cutoff is None else np.minimum(n_left, cutoff)
    whole = cut == "none" or cutoff is None
    return np.full(len(n_left), NO_LIMIT if whole else cutoff)
