"""Numerators and denominators of the measures, instance by instance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ndcgauge.data.collection import Floats, Ints
from ndcgauge.reference.discounts import cumulative_weights, divisors
from ndcgauge.reference.standing import Standing
from ndcgauge.reference.sums import sums
from ndcgauge.reference.tied import (
    expected_any_hit,
    expected_hits,
    expected_precision_sums,
    expected_reciprocal_ranks,
    expected_weights,
    extreme_ranks,
)
from ndcgauge.spec import MetricSpec


class Parts(NamedTuple):
    """The ratio that a measure is."""

    numerator: Floats
    """(instances,)"""
    denominator: Floats
    """(instances,)"""

    def ratio(self, otherwise: float = 0.0) -> Floats:
        """(instances,) numerator over denominator; `otherwise` where the denominator is not positive."""
        positive = self.denominator > 0
        if positive.all():
            return self.numerator / self.denominator
        return np.where(positive, self.numerator / np.where(positive, self.denominator, 1.0), otherwise)


def weighted_sum(standing: Standing, gain: Floats, ties: str, discount: str, cutoff: int | None) -> Floats:
    """(instances,) discounted cumulated gain; `gain`: (entries,). Sums run in rank order (DESIGN §4)."""
    size = len(standing.query)
    if ties == "average":
        return sums(standing.instance, gain * average_weights(standing, discount, cutoff), size)
    return discounted(*in_order(standing, gain, ties, cutoff), discount, size)


def average_weights(standing: Standing, discount: str, cutoff: int | None) -> Floats:
    """(entries,) the expected discount of each entry down to the cutoff."""
    last = int((standing.start + standing.slots).max(initial=1))
    last = last if cutoff is None else min(last, cutoff)
    return expected_weights(standing, cumulative_weights(discount, last), cutoff)


def in_order(standing: Standing, gain: Floats, ties: str, cutoff: int | None) -> tuple[Ints, Ints, Floats]:
    """(entries of the top k,) instance, rank and gain in rank order, under a concrete or an extreme order of ties."""
    instance, rank = standing.instance, standing.start
    if ties in ("best", "worst"):
        if cutoff is not None:
            reached = standing.start <= cutoff
            standing, gain = standing.only(reached), gain[reached]
            instance = standing.instance
        rank = extreme_ranks(standing, gain, ties == "best")
        # Entries are in rank order already, but for those that share a tie.
        tied = np.flatnonzero(standing.length > 1)
        if len(tied):
            order = np.arange(len(rank))
            order[tied] = tied[np.lexsort((rank[tied], standing.start[tied], instance[tied]))]
            rank, gain = rank[order], gain[order]
    # A document that a cut tie leaves no place for has a rank beyond all.
    inside = rank <= (np.iinfo(np.int64).max - 1 if cutoff is None else cutoff)
    return instance[inside], rank[inside], gain[inside]


def discounted(instance: Ints, rank: Ints, gain: Floats, discount: str, size: int) -> Floats:
    """(size,) discounted cumulated gain of entries in rank order."""
    table = divisors(discount, int(rank.max(initial=0)))
    return sums(instance, gain / table[rank], size)


def _ordered(standing: Standing, relevance: Floats, ties: str, cutoff: int | None) -> tuple[Standing, Floats]:
    """The top k as a concrete order: every entry its own group."""
    rank, instance = standing.start, standing.instance
    if ties in ("best", "worst"):
        rank = extreme_ranks(standing, relevance, ties == "best")
    last = np.iinfo(np.int64).max - 1 if cutoff is None else cutoff
    keep = (rank <= last) & (relevance > 0)
    order = np.lexsort((rank[keep], instance[keep]))
    instance, rank, relevance = instance[keep][order], rank[keep][order], relevance[keep][order]
    ones = np.ones(len(rank), dtype=np.int64)
    concrete = Standing(
        instance=instance,
        pair=standing.pair[keep][order],
        start=rank,
        length=ones,
        slots=ones,
        retrieved=standing.retrieved[keep][order],
        n_left=standing.n_left,
        n_final=standing.n_final,
        query=standing.query,
        weight=standing.weight,
    )
    return concrete, relevance


def _hits(standing: Standing, relevance: Floats, ties: str, cutoff: int | None) -> Floats:
    """(instances,) relevant (or judged) documents in the top k."""
    if ties == "average":
        return expected_hits(standing, relevance, cutoff)
    concrete, kept = _ordered(standing, relevance, ties, cutoff)
    return sums(concrete.instance, kept, len(standing.query))


def _depth_of(standing: Standing, cutoff: int | None) -> Floats:
    length = standing.n_final if cutoff is None else np.minimum(standing.n_final, cutoff)
    return length.astype(np.float64)


def _average_precision(standing: Standing, relevance: Floats, total: Floats, spec: MetricSpec) -> Parts:
    ties, cutoff = spec["ties"], spec.cutoff
    concrete, kept = (standing, relevance) if ties == "average" else _ordered(standing, relevance, ties, cutoff)
    numerator = expected_precision_sums(concrete, kept, cutoff)
    match spec["ap_denominator"]:
        case "relevant":
            denominator = total
        case "min-k":
            denominator = total if cutoff is None else np.minimum(total, cutoff)
        case _:
            denominator = _hits(standing, relevance, ties, cutoff)
    return Parts(numerator, denominator)


def _reciprocal_rank(standing: Standing, relevance: Floats, spec: MetricSpec) -> Parts:
    ties, cutoff = spec["ties"], spec.cutoff
    ones = np.ones(len(standing.query))
    if ties == "average":
        return Parts(expected_reciprocal_ranks(standing, relevance, cutoff), ones)
    concrete, kept = _ordered(standing, relevance, ties, cutoff)
    return Parts(expected_reciprocal_ranks(concrete, kept, cutoff), ones)


def binary_parts(standing: Standing, relevance: Floats, total: Floats, spec: MetricSpec) -> Parts:
    """Numerator and denominator of ap, rr, precision, recall or judged.

    `relevance`: (entries,) number of relevant judgments of each entry (for `judged`: of judgments
    at all); `total`: (instances,) relevant judgments of the query. Definitions: trec_eval 10's
    m_map.c, m_recip_rank.c, m_P.c and m_recall.c; the other denominators as DESIGN §2.
    """
    ties, cutoff = spec["ties"], spec.cutoff
    match spec.measure:
        case "ap":
            return _average_precision(standing, relevance, total, spec)
        case "rr":
            return _reciprocal_rank(standing, relevance, spec)
        case "precision":
            hits = _hits(standing, relevance, ties, cutoff)
            if spec["precision_denominator"] == "k" and cutoff is not None:
                return Parts(hits, np.full(len(hits), float(cutoff)))
            return Parts(hits, _depth_of(standing, cutoff))
        case "judged":
            hits = _hits(standing, relevance, ties, cutoff)
            if spec["judged_denominator"] == "k" and cutoff is not None:
                return Parts(hits, np.full(len(hits), float(cutoff)))
            return Parts(hits, _depth_of(standing, cutoff))
        case _:
            if spec["recall_denominator"] == "any":
                if ties == "average":
                    found = expected_any_hit(standing, relevance, cutoff)
                else:
                    found = (_hits(standing, relevance, ties, cutoff) > 0).astype(np.float64)
                return Parts(found, np.minimum(total, 1.0))
            hits = _hits(standing, relevance, ties, cutoff)
            if spec["recall_denominator"] == "min-k" and cutoff is not None:
                return Parts(hits, np.minimum(total, cutoff))
            return Parts(hits, total)
