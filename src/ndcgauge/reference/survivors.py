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

import numpy as np

from ndcgauge.data.collection import Bools, Collection, Ints, RunRows
from ndcgauge.data.columns import distinct
from ndcgauge.reference.grades import Judgments
from ndcgauge.reference.observed import ObservedOrder
from ndcgauge.reference.standing import Choice, Groups, NoClosedForm, Standing

MOST_COMPOSITIONS = 20_000
"""Compositions of survivors of one tie beyond which the enumeration is refused."""


@dataclass
class _Builder:
    """Gathers the entries of the instances that are made one by one."""

    query: list[int] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    n_left: list[int] = field(default_factory=list)
    entries: list[tuple[Ints, Ints, Ints, Ints, Bools]] = field(default_factory=list)
    """(pair, start, length, slots, retrieved) of each instance."""


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
    cut = groups.cut[here]
    pair, start, length = groups.pair[here], groups.start[here], groups.length[here]
    slots, retrieved, doomed = groups.slots[here], groups.retrieved[here], groups.doomed[here]
    tied = np.flatnonzero(cut)
    room, whole = int(groups.room[here][tied[0]]), int(groups.whole[here][tied[0]])
    classes = _classes(pair[tied], doomed[tied], judgments)
    sizes = [len(each) for each in classes]
    # n_left counts the tie's documents as they were before the cut's drops; start from what precedes it.
    first = int(start[tied[0]])
    for counts, probability in compositions(sizes, whole - len(tied), room):
        chosen = [each[:count] for each, count in zip(classes, counts, strict=True)]
        taken = tied[np.sort(np.concatenate(chosen))] if chosen else tied[:0]
        alive = taken[~doomed[taken]]
        size = len(alive) if choice.drop_unjudged else room - (len(taken) - len(alive))
        kept = np.concatenate((np.flatnonzero(~cut), alive))
        new_length, new_slots = length[kept].copy(), slots[kept].copy()
        new_length[len(kept) - len(alive) :] = size
        new_slots[len(kept) - len(alive) :] = size
        builder.query.append(query)
        builder.weight.append(probability)
        builder.n_left.append(first - 1 + size)
        builder.entries.append((pair[kept], start[kept], new_length, new_slots, retrieved[kept]))


def finish(
    collection: Collection,
    rows: RunRows,
    groups: Groups,
    judgments: Judgments,
    choice: Choice,
    observed: ObservedOrder | None = None,
) -> Standing:
    """The standing of grouped rows: survivors enumerated, missing documents appended."""
    n_queries = len(collection.queries)
    builder = _Builder()
    special = distinct(groups.query[groups.cut])
    for query in special.tolist():
        _expand(groups, query, judgments, choice, builder)
    keep = ~np.isin(groups.query, special) if len(special) else np.ones(len(groups.query), dtype=np.bool_)
    weight = np.ones(n_queries)
    weight[special] = 0.0
    instance = [groups.query[keep]]
    for number, entry in enumerate(builder.entries):
        instance.append(np.full(len(entry[0]), n_queries + number, dtype=np.int64))
    retrieved = [groups.retrieved[keep], *(entry[4] for entry in builder.entries)]
    standing = Standing(
        instance=np.concatenate(instance),
        pair=np.concatenate((groups.pair[keep], *(entry[0] for entry in builder.entries))),
        start=np.concatenate((groups.start[keep], *(entry[1] for entry in builder.entries))),
        length=np.concatenate((groups.length[keep], *(entry[2] for entry in builder.entries))),
        slots=np.concatenate((groups.slots[keep], *(entry[3] for entry in builder.entries))),
        retrieved=np.concatenate(retrieved),
        n_left=np.concatenate((groups.n_left, np.array(builder.n_left, dtype=np.int64))),
        n_final=np.concatenate((groups.n_left, np.array(builder.n_left, dtype=np.int64))),
        query=np.concatenate((np.arange(n_queries), np.array(builder.query, dtype=np.int64))),
        weight=np.concatenate((weight, np.array(builder.weight, dtype=np.float64))),
    )
    if choice.add == "append":
        return _append(collection, rows, standing, judgments, choice, observed)
    if choice.add == "insert":
        inserted = np.bincount(standing.instance[~standing.retrieved], minlength=len(standing.query))
        return replace(standing, n_final=standing.n_left + inserted)
    return standing


def _missing(
    collection: Collection, rows: RunRows, standing: Standing, judgments: Judgments, own: str
) -> tuple[Ints, Ints]:
    """(instance, pair) of every judged document that is not in an instance's ranking, by pair."""
    barred = ~judgments.judged | ~collection.in_run[collection.judged.query]
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
    for number in range(n_queries, len(standing.query)):
        low, high = np.searchsorted(
            collection.judged.query[wanted], [standing.query[number], standing.query[number] + 1]
        )
        of_query = wanted[low:high]
        present = standing.pair[standing.instance == number]
        those = of_query[~np.isin(of_query, present)]
        instances.append(np.full(len(those), number, dtype=np.int64))
        pairs.append(those)
    return np.concatenate(instances), np.concatenate(pairs)


def _append(
    collection: Collection,
    rows: RunRows,
    standing: Standing,
    judgments: Judgments,
    choice: Choice,
    observed: ObservedOrder | None,
) -> Standing:
    instance, pair = _missing(collection, rows, standing, judgments, choice.own)
    count = np.bincount(instance, minlength=len(standing.query))
    symmetric = choice.ties in ("average", "best", "worst")
    if symmetric:
        start = standing.n_left[instance] + 1
        length = count[instance]
    else:
        order = _missing_order(collection, instance, pair, choice.ties, observed)
        instance, pair = instance[order], pair[order]
        place = np.arange(len(instance)) - np.searchsorted(instance, instance, side="left")
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
    if ties == "line":
        return np.lexsort((pair, instance))
    if ties == "line-reversed":
        return np.lexsort((-pair, instance))
    if ties in ("docid-desc", "docid-asc"):
        doc = collection.judged.doc
        ids = [str(doc[each]).encode("utf-8", "surrogateescape") for each in pair.tolist()]
        by_id = np.empty(len(ids), dtype=np.int64)
        by_id[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        return np.lexsort((by_id if ties == "docid-asc" else -by_id, instance))
    assert observed is not None
    return np.lexsort((observed.positions()[pair], instance))


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
    builder = _Builder()
    weights = standing.weight.copy()
    for number in instances.tolist():
        low, high = np.searchsorted(standing.instance, [number, number + 1])
        here = slice(int(low), int(high))
        tied = np.flatnonzero(cut[here])
        pair, start = standing.pair[here], standing.start[here]
        room = min(cutoff - int(start[tied[0]]) + 1, int(standing.slots[here][tied[0]]))
        classes = _classes(pair[tied], np.zeros(len(tied), dtype=np.bool_), judgments)
        sizes = [len(each) for each in classes]
        above = np.flatnonzero(start < start[tied[0]])
        for counts, probability in compositions(sizes, int(standing.length[here][tied[0]]) - len(tied), room):
            chosen = [each[:count] for each, count in zip(classes, counts, strict=True)]
            taken = tied[np.sort(np.concatenate(chosen))]
            kept = np.concatenate((above, taken))
            length, slots = standing.length[here][kept].copy(), standing.slots[here][kept].copy()
            length[len(above) :] = room
            slots[len(above) :] = room
            builder.query.append(int(standing.query[number]))
            builder.weight.append(float(standing.weight[number]) * probability)
            builder.n_left.append(int(standing.n_left[number]))
            builder.entries.append((pair[kept], start[kept], length, slots, standing.retrieved[here][kept]))
        weights[number] = 0.0
    keep = ~np.isin(standing.instance, instances)
    known = len(standing.query)
    extra = np.concatenate(
        [np.full(len(entry[0]), known + i, dtype=np.int64) for i, entry in enumerate(builder.entries)]
    )

    n_left = np.concatenate((standing.n_left, np.array(builder.n_left, dtype=np.int64)))
    return Standing(
        instance=np.concatenate((standing.instance[keep], extra)),
        pair=np.concatenate((standing.pair[keep], *(entry[0] for entry in builder.entries))),
        start=np.concatenate((standing.start[keep], *(entry[1] for entry in builder.entries))),
        length=np.concatenate((standing.length[keep], *(entry[2] for entry in builder.entries))),
        slots=np.concatenate((standing.slots[keep], *(entry[3] for entry in builder.entries))),
        retrieved=np.concatenate((standing.retrieved[keep], *(entry[4] for entry in builder.entries))),
        n_left=n_left,
        n_final=n_left,
        query=np.concatenate((standing.query, np.array(builder.query, dtype=np.int64))),
        weight=np.concatenate((weights, np.array(builder.weight, dtype=np.float64))),
    )
