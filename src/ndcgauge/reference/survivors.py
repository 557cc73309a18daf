"""From grouped rows to a standing: what is appended, and which documents survive a cut tie.

Where `depth` (or, for the average precision over the relevant documents found, the cutoff)
cuts a tie and the value depends on which of its documents survive, a query becomes several
instances, one for each possible composition of the survivors, weighted by its probability under
a uniformly random order of the tie (a multivariate hypergeometric distribution).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ndcgauge.data.collection import Bools, Collection, Floats, Ints, RunRows
from ndcgauge.data.columns import among, distinct, first_of_each
from ndcgauge.reference.grades import Judgments
from ndcgauge.reference.observed import ObservedOrder
from ndcgauge.reference.standing import Choice, Groups, NoClosedForm, Standing, standing_of

MOST_COMPOSITIONS = 20_000
"""Compositions of survivors of one tie beyond which the enumeration is refused."""


@dataclass
class _Builder:
    """Gathers the entries of the instances of one query after another."""

    known: int
    """Instances that there are before the first that is added."""
    query: list[Ints] = field(default_factory=list[Ints])
    weight: list[Floats] = field(default_factory=list[Floats])
    n_left: list[Ints] = field(default_factory=list[Ints])
    entries: list[tuple[Ints, Ints, Ints, Ints, Ints, Bools]] = field(
        default_factory=list[tuple[Ints, Ints, Ints, Ints, Ints, Bools]]
    )
    """(instance, pair, start, length, slots, retrieved) of the instances of each query."""

    def add(self, query: int, weight: Floats, n_left: Ints, chosen: Bools, of_query: _OfQuery, size: Ints) -> None:
        """Adds an instance for each row of `chosen` (instances, entries of the query that are in it).

        `size`: (instances,) documents of the cut tie that survive: its length and slots there.
        """
        row, entry = np.nonzero(chosen)
        tied = of_query.tied[entry]
        self.query.append(np.full(len(weight), query, dtype=np.int64))
        self.weight.append(weight)
        self.n_left.append(n_left)
        self.entries.append(
            (
                self.known + row,
                of_query.pair[entry],
                of_query.start[entry],
                np.where(tied, size[row], of_query.length[entry]),
                np.where(tied, size[row], of_query.slots[entry]),
                of_query.retrieved[entry],
            )
        )
        self.known += len(weight)


class _OfQuery(NamedTuple):
    """The entries of one query, in rank order, those of the cut tie flagged."""

    pair: Ints
    start: Ints
    length: Ints
    slots: Ints
    retrieved: Bools
    tied: Bools


@lru_cache(maxsize=4096)
def _table(sizes: tuple[int, ...], others: int, slots: int) -> tuple[Ints, Floats]:
    """`compositions` as arrays: (ways, classes) counts and (ways,) probabilities."""
    ways = list(compositions(list(sizes), others, slots))
    counts = np.array([each[0] for each in ways], dtype=np.int64).reshape(len(ways), len(sizes))
    return counts, np.array([each[1] for each in ways], dtype=np.float64)


def _chosen(classes: list[Ints], counts: Ints, members: int) -> Bools:
    """(ways, members of the tie) which of them are in each composition: the first ones of each class."""
    taken = np.zeros((len(counts), members), dtype=np.bool_)
    for number, positions in enumerate(classes):
        taken[:, positions] = np.arange(len(positions)) < counts[:, number : number + 1]
    return taken


def compositions(sizes: list[int], others: int, slots: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Every way to fill `slots` from classes of the given sizes and `others`, with its probability.

    Yields (count taken from each class, probability); the rest of the slots goes to `others`.
    Raises NoClosedForm where there are more than MOST_COMPOSITIONS ways.
    """
    ways = math.prod(size + 1 for size in sizes)
    if ways > MOST_COMPOSITIONS:
        raise NoClosedForm(
            f"a tie of {sum(sizes) + others} documents is cut after {slots}: "
            f"{ways:,} compositions of what survives are too many to sum over"
        )
    total = math.comb(sum(sizes) + others, slots)
    for counts in itertools.product(*(range(size + 1) for size in sizes)):
        rest = slots - sum(counts)
        if 0 <= rest <= others:
            ways_here = math.comb(others, rest) * math.prod(map(math.comb, sizes, counts))
            yield counts, ways_here / total


def _classes(pairs: Ints, doomed: Bools, judgments: Judgments) -> list[Ints]:
    """Positions in `pairs` of documents that no measure can tell apart: same grades, same fate."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for position, (pair, gone) in enumerate(zip(pairs.tolist(), doomed.tolist(), strict=True)):
        low, high = np.searchsorted(judgments.pair, [pair, pair + 1])
        key = (gone, *sorted(judgments.grade[low:high].tolist()))
        groups.setdefault(key, []).append(position)
    return [np.array(each, dtype=np.int64) for each in groups.values()]


def _expand(groups: Groups, query: int, judgments: Judgments, choice: Choice, builder: _Builder) -> None:
    """Adds an instance for each composition of the survivors of a query's cut tie."""
    low, high = np.searchsorted(groups.query, [query, query + 1])
    here = slice(int(low), int(high))
    cut, doomed = groups.cut[here], groups.doomed[here]
    of_query = _OfQuery(
        groups.pair[here], groups.start[here], groups.length[here], groups.slots[here], groups.retrieved[here], cut
    )
    tied = np.flatnonzero(cut)
    room, whole = int(groups.room[here][tied[0]]), int(groups.whole[here][tied[0]])
    classes = _classes(of_query.pair[tied], doomed[tied], judgments)
    counts, probability = _table(tuple(map(len, classes)), whole - len(tied), room)
    taken = _chosen(classes, counts, len(tied))
    alive = taken & ~doomed[tied]
    survivors = alive.sum(axis=1)
    size = survivors if choice.drop_unjudged else room - (taken.sum(axis=1) - survivors)
    chosen = np.repeat(~cut[None, :], len(counts), axis=0)
    chosen[:, tied] = alive
    # n_left counts the tie's documents as they were before the cut's drops; start from what precedes it.
    first = int(of_query.start[tied[0]])
    builder.add(query, probability, first - 1 + size, chosen, of_query, size)


def finish(
    collection: Collection,
    rows: RunRows,
    groups: Groups,
    judgments: Judgments,
    choice: Choice,
    observed: ObservedOrder | None = None,
    only: int | None = None,
) -> Standing:
    """The standing of grouped rows: survivors enumerated, missing documents appended.

    only: how many ranks matter; lists that have as many documents get none appended.
    """
    standing = _with_survivors(groups, judgments, choice) if groups.cut.any() else standing_of(groups)
    if choice.add == "append":
        return _append(collection, rows, standing, judgments, choice, observed, only)
    if choice.add == "insert":
        inserted = np.bincount(standing.instance[~standing.retrieved], minlength=len(standing.query))
        return replace(standing, n_final=standing.n_left + inserted)
    return standing


def _with_survivors(groups: Groups, judgments: Judgments, choice: Choice) -> Standing:
    """The standing where every query with a cut tie has an instance for each composition of its survivors."""
    queries = len(groups.n_left)
    builder = _Builder(queries)
    special = distinct(groups.query[groups.cut])
    for query in special.tolist():
        _expand(groups, query, judgments, choice, builder)
    keep = ~among(groups.query, special)
    weight = np.ones(queries)
    weight[special] = 0.0
    n_left = np.concatenate((groups.n_left, *builder.n_left))
    return Standing(
        instance=np.concatenate((groups.query[keep], *(entry[0] for entry in builder.entries))),
        pair=np.concatenate((groups.pair[keep], *(entry[1] for entry in builder.entries))),
        start=np.concatenate((groups.start[keep], *(entry[2] for entry in builder.entries))),
        length=np.concatenate((groups.length[keep], *(entry[3] for entry in builder.entries))),
        slots=np.concatenate((groups.slots[keep], *(entry[4] for entry in builder.entries))),
        retrieved=np.concatenate((groups.retrieved[keep], *(entry[5] for entry in builder.entries))),
        n_left=n_left,
        n_final=n_left,
        query=np.concatenate((np.arange(queries), *builder.query)),
        weight=np.concatenate((weight, *builder.weight)),
    )


def _missing(
    collection: Collection, rows: RunRows, standing: Standing, judgments: Judgments, own: str, only: int | None
) -> tuple[Ints, Ints]:
    """(instance, pair) of every judged document that is not in an instance's ranking, by pair.

    only: of queries with an instance of fewer documents than that alone.
    """
    open_to = collection.in_run
    if only is not None:
        short = np.zeros(len(open_to), dtype=np.bool_)
        short[standing.query[standing.n_left < only]] = True
        open_to = open_to & short
    barred = ~judgments.judged | ~open_to[collection.judged.query]
    if own == "drop":
        dropped = rows.judged[rows.own & ~rows.inserted & (rows.judged >= 0)]
        barred[dropped] = True
    wanted = np.flatnonzero(~barred)
    n_queries = len(collection.queries)
    base = standing.instance < n_queries
    absent = np.ones(len(barred), dtype=np.bool_)
    absent[standing.pair[base]] = False
    replaced = np.zeros(n_queries, dtype=np.bool_)
    replaced[standing.query[n_queries:]] = True
    here = wanted[absent[wanted] & ~replaced[collection.judged.query[wanted]]]
    instances, pairs = [collection.judged.query[here]], [here]
    extra = np.searchsorted(standing.instance, n_queries)
    entry_query = standing.query[standing.instance[extra:]]
    for query in distinct(standing.query[n_queries:]).tolist():
        low, high = np.searchsorted(collection.judged.query[wanted], [query, query + 1])
        of_query = wanted[low:high]
        if not len(of_query):
            continue
        first, last = n_queries + np.searchsorted(standing.query[n_queries:], [query, query + 1])
        begin, end = extra + np.searchsorted(entry_query, [query, query + 1])
        lacking = np.ones((last - first, len(of_query)), dtype=np.bool_)
        place = np.searchsorted(of_query, standing.pair[begin:end])
        known = (place < len(of_query)) & (of_query[np.minimum(place, len(of_query) - 1)] == standing.pair[begin:end])
        lacking[standing.instance[begin:end][known] - first, place[known]] = False
        row, column = np.nonzero(lacking)
        instances.append(first + row)
        pairs.append(of_query[column])
    return np.concatenate(instances), np.concatenate(pairs)


def _append(
    collection: Collection,
    rows: RunRows,
    standing: Standing,
    judgments: Judgments,
    choice: Choice,
    observed: ObservedOrder | None,
    only: int | None,
) -> Standing:
    instance, pair = _missing(collection, rows, standing, judgments, choice.own, only)
    count = np.bincount(instance, minlength=len(standing.query))
    symmetric = choice.ties in ("average", "best", "worst")
    if symmetric:
        start = standing.n_left[instance] + 1
        length = count[instance]
    else:
        order = _missing_order(collection, instance, pair, choice.ties, observed)
        instance, pair = instance[order], pair[order]
        place = np.arange(len(instance)) - first_of_each(instance)
        start = standing.n_left[instance] + 1 + place
        length = np.ones(len(instance), dtype=np.int64)
    all_instances = np.concatenate((standing.instance, instance))
    order = np.argsort(all_instances, kind="stable")
    return replace(
        standing,
        instance=all_instances[order],
        pair=np.concatenate((standing.pair, pair))[order],
        start=np.concatenate((standing.start, start))[order],
        length=np.concatenate((standing.length, length))[order],
        slots=np.concatenate((standing.slots, length))[order],
        retrieved=np.concatenate((standing.retrieved, np.zeros(len(pair), dtype=np.bool_)))[order],
        n_final=standing.n_left + count,
    )


def _missing_order(
    collection: Collection, instance: Ints, pair: Ints, ties: str, observed: ObservedOrder | None
) -> Ints:
    """Sorts appended documents by instance, then by the tie rule; pairs are in the order of qrels lines."""
    match ties:
        case "line" | "line-reversed":
            place = pair
        case "docid-desc" | "docid-asc":
            place = collection.judged.by_id[pair]
        case _:
            assert observed is not None
            place = observed.positions()[pair]
    most = int(place.max(initial=0))
    if ties in ("line-reversed", "docid-desc"):
        place = most - place
    # As one number each, which sorts several times faster than two keys. Documents that an evaluator showed no
    # order of have one place, and stay in the order of lines.
    return np.argsort(instance * np.int64(most + 1) + place, kind="quicksort" if observed is None else "stable")


def split_at_cutoff(standing: Standing, judgments: Judgments, cutoff: int) -> Standing:
    """A standing whose ties across the cutoff are replaced by every composition of their upper part.

    For measures whose denominator counts what stands in the top k. Only the top k of the result
    is meaningful.
    """
    last = standing.start + standing.slots - 1
    cut = (standing.start <= cutoff) & ((last > cutoff) | (standing.slots < standing.length))
    if not cut.any():
        return standing
    instances = distinct(standing.instance[cut])
    builder = _Builder(len(standing.query))
    weights = standing.weight.copy()
    for number in instances.tolist():
        low, high = np.searchsorted(standing.instance, [number, number + 1])
        here = slice(int(low), int(high))
        tied = np.flatnonzero(cut[here])
        of_query = _OfQuery(
            standing.pair[here],
            standing.start[here],
            standing.length[here],
            standing.slots[here],
            standing.retrieved[here],
            cut[here],
        )
        start = of_query.start
        room = min(cutoff - int(start[tied[0]]) + 1, int(of_query.slots[tied[0]]))
        classes = _classes(of_query.pair[tied], np.zeros(len(tied), dtype=np.bool_), judgments)
        counts, probability = _table(tuple(map(len, classes)), int(of_query.length[tied[0]]) - len(tied), room)
        chosen = np.repeat((start < start[tied[0]])[None, :], len(counts), axis=0)
        chosen[:, tied] = _chosen(classes, counts, len(tied))
        ways = len(counts)
        left = np.full(ways, standing.n_left[number], dtype=np.int64)
        share = float(standing.weight[number]) * probability
        builder.add(int(standing.query[number]), share, left, chosen, of_query, np.full(ways, room, dtype=np.int64))
        weights[number] = 0.0
    keep = ~among(standing.instance, instances)
    n_left = np.concatenate((standing.n_left, *builder.n_left))
    return Standing(
        instance=np.concatenate((standing.instance[keep], *(entry[0] for entry in builder.entries))),
        pair=np.concatenate((standing.pair[keep], *(entry[1] for entry in builder.entries))),
        start=np.concatenate((standing.start[keep], *(entry[2] for entry in builder.entries))),
        length=np.concatenate((standing.length[keep], *(entry[3] for entry in builder.entries))),
        slots=np.concatenate((standing.slots[keep], *(entry[4] for entry in builder.entries))),
        retrieved=np.concatenate((standing.retrieved[keep], *(entry[5] for entry in builder.entries))),
        n_left=n_left,
        n_final=n_left,
        query=np.concatenate((standing.query, *builder.query)),
        weight=np.concatenate((weights, *builder.weight)),
    )
