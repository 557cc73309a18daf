"""Ties that no single order stands for: expectations over all orders, and the extreme orders.

Expectations are the closed forms of McSherry & Najork, Computing information retrieval
performance measures efficiently in the presence of tied scores, ECIR 2008 (§2.2 precision and
recall, §2.3 reciprocal rank, §2.4 average precision, §2.6 nDCG), generalised to documents with
several judgments (`qrels_duplicates=all`).
"""

from __future__ import annotations

import numpy as np

from ndcgauge.data.collection import Floats, Ints
from ndcgauge.data.columns import first_of_each
from ndcgauge.reference.standing import Standing
from ndcgauge.reference.sums import counts, sums


def group_index(standing: Standing) -> Ints:
    """(entries,) number of the entry's tie group, from 0, ascending."""
    new = np.ones(len(standing.instance), dtype=np.bool_)
    new[1:] = (standing.instance[1:] != standing.instance[:-1]) | (standing.start[1:] != standing.start[:-1])
    return np.cumsum(new) - 1


def extreme_ranks(standing: Standing, gain: Floats, best: bool) -> Ints:
    """(entries,) the rank of each entry in the order of every tie that makes a gain-weighted sum largest
    (`best`) or smallest; a number beyond the group's slots where the cut leaves the entry out.

    `gain`: (entries,). Documents without a gain fill the places between; discounts never grow
    with the rank, so descending gains are best and ascending ones worst (rearrangement inequality).
    """
    ranks = standing.start.copy()
    tied = np.flatnonzero(standing.length > 1)
    if len(tied):
        group, length = group_index(standing)[tied], standing.length[tied]
        signed = gain[tied] if best else -gain[tied]
        order = np.lexsort((-signed, group))
        sorted_group, sorted_gain = group[order], signed[order]
        place = np.arange(len(order)) - first_of_each(sorted_group)
        members = np.bincount(group, minlength=1)[sorted_group]
        at_end = sorted_gain < 0
        place[at_end] += length[order][at_end] - members[at_end]
        # Entries of gain 0 stand wherever room is left: their place never matters.
        ranks[tied[order]] += place
    ranks[ranks > standing.start + standing.slots - 1] = np.iinfo(np.int64).max
    return ranks


def places_within(standing: Standing, cutoff: int | None) -> Ints:
    """(entries,) number of ranks of the entry's group that lie within slots and cutoff."""
    if cutoff is None:
        return standing.slots
    return np.clip(cutoff - standing.start + 1, 0, standing.slots)


def expected_weights(standing: Standing, cumulative: Floats, cutoff: int | None) -> Floats:
    """(entries,) expected discount of each entry over all orders of its tie.

    `cumulative`: sum of the discounts up to each rank. McSherry & Najork 2008, §2.6.
    """
    within = places_within(standing, cutoff)
    before = np.minimum(standing.start - 1, len(cumulative) - 1)
    return (cumulative[np.where(within > 0, before + within, before)] - cumulative[before]) / standing.length


def expected_hits(standing: Standing, relevance: Floats, cutoff: int | None) -> Floats:
    """(instances,) expected number of relevant documents in the top k (McSherry & Najork 2008, §2.2)."""
    shares = relevance * places_within(standing, cutoff) / standing.length
    return sums(standing.instance, shares, len(standing.query))


def expected_precision_sums(standing: Standing, relevance: Floats, cutoff: int | None) -> Floats:
    """(instances,) expected sum of the precisions at relevant documents (McSherry & Najork 2008, §2.4).

    A document at place j of its tie meets (j - 1)(M - a)/(L - 1) other relevant ones of the tie
    above it, of M - a in all; the sum over places is closed with harmonic numbers.
    """
    group = group_index(standing)
    in_group = sums(group, relevance, 1)[group]
    running = np.cumsum(relevance) - relevance
    first = np.searchsorted(standing.instance, standing.instance, side="left")
    group_first = first_of_each(group)
    above = running[group_first] - running[first]
    within = places_within(standing, cutoff)
    size = int((standing.start + within).max(initial=1))
    harmonic = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, size + 1))))
    ends = np.where(within > 0, standing.start - 1 + within, 0)
    begins = np.where(within > 0, standing.start - 1, 0)
    inverse = harmonic[ends] - harmonic[begins]
    others = np.where(standing.length > 1, (in_group - relevance) / np.maximum(standing.length - 1, 1), 0.0)
    precisions = (above + relevance) * inverse + others * (within - standing.start * inverse)
    return sums(standing.instance, relevance / standing.length * precisions, len(standing.query))


def _first_relevant_groups(standing: Standing, relevance: Floats) -> tuple[Ints, Ints]:
    """(instances with a relevant entry,) the index of the first relevant entry, and the number of
    relevant documents in its group."""
    hits = np.flatnonzero(relevance > 0)
    _, position = np.unique(standing.instance[hits], return_index=True)
    group = group_index(standing)
    number = counts(group, relevance > 0, 1)
    return hits[position], number[group[hits[position]]]


def expected_reciprocal_ranks(standing: Standing, relevance: Floats, cutoff: int | None) -> Floats:
    """(instances,) expectation of 1/rank of the first relevant document in the top k, 0 where there is none.

    McSherry & Najork 2008, §2.3: with m relevant among L tied documents the first stands at place
    j with probability C(L - j, m - 1) / C(L, m).
    """
    result = np.zeros(len(standing.query))
    entries, counts = _first_relevant_groups(standing, relevance)
    within = places_within(standing, cutoff)
    for entry, m in zip(entries.tolist(), counts.tolist(), strict=True):
        length, start = int(standing.length[entry]), int(standing.start[entry])
        chance, total = m / length, 0.0
        for j in range(1, min(int(within[entry]), length - m + 1) + 1):
            total += chance / (start + j - 1)
            if length > j:
                chance *= (length - j - m + 1) / (length - j)
        result[standing.instance[entry]] = total
    return result


def expected_any_hit(standing: Standing, relevance: Floats, cutoff: int | None) -> Floats:
    """(instances,) probability that a relevant document is in the top k.

    1 where a whole tie with one is; else, for the tie across the cutoff, the complement of the
    hypergeometric probability that none of its relevant documents is among the upper ones.
    """
    result = np.zeros(len(standing.query))
    within = places_within(standing, cutoff)
    entries, counts = _first_relevant_groups(standing, relevance)
    for entry, m in zip(entries.tolist(), counts.tolist(), strict=True):
        length, inside = int(standing.length[entry]), int(within[entry])
        miss = 1.0
        for j in range(inside):
            miss *= max(length - m - j, 0) / (length - j)
        result[standing.instance[entry]] = 1.0 - miss
    return result
