"""Tie groups of the lines of complete queries, and where some of the lines stand in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import Bools, Floats, Ints
from ndcgauge.data.ids import Ids

Values = Floats | NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Groups:
    """Lines of complete queries in rank order, cut into tie groups."""

    order: Ints | None
    """(lines,) the lines in rank order; None where that is the order they stand in."""
    first: Ints
    """(groups,) position in rank order of each group's first line; ascending."""
    size: Ints
    """(groups,) number of its lines."""


@dataclass(frozen=True, eq=False)
class Places:
    """Where some lines stand; as in `collection.Ranking`, without the count a query."""

    start: Ints
    length: Ints
    by_docid: Ints
    by_line: Ints


def query_starts(query: Ints) -> Bools:
    """(lines,) whether a line is the first of its query; `query` is sorted."""
    new = np.ones(len(query), dtype=np.bool_)
    np.not_equal(query[1:], query[:-1], out=new[1:])
    return new


def group(query: Ints, new_query: Bools, value: Values) -> Groups:
    """Groups lines of equal value inside a query, higher values first.

    query, new_query, value: (lines,), sorted by query. Within a group the order is undefined.
    """
    order: Ints | None = None
    falls = value[1:] <= value[:-1]
    falls |= new_query[1:]
    if not falls.all():
        order = np.lexsort((-value, query))
        value = value[order]
    border = new_query.copy()
    border[1:] |= value[1:] != value[:-1]
    first = np.flatnonzero(border)
    return Groups(order, first, np.diff(first, append=len(query)))


def places(groups: Groups, query: Ints, new_query: Bools, doc: Ids, kept: Ints) -> Places:
    """Where the kept lines stand.

    query, new_query, doc: (lines,), as they were grouped, in the order that decides a tie by
    line. kept: positions of lines among them.
    """
    if groups.order is None:
        position = kept
    else:
        position_of = np.empty(len(query), dtype=np.int64)
        position_of[groups.order] = np.arange(len(query), dtype=np.int64)
        position = position_of[kept]
    number = np.searchsorted(groups.first, position, side="right") - 1
    first, length = groups.first[number], groups.size[number]
    query_first = np.flatnonzero(new_query)
    start = first - query_first[np.searchsorted(query_first, first, side="right") - 1] + 1
    by_docid = np.zeros(len(kept), dtype=np.int64)
    by_line = np.zeros(len(kept), dtype=np.int64)
    tied = np.flatnonzero(length > 1)
    if len(tied):
        which, index = np.unique(number[tied], return_inverse=True)
        sizes = groups.size[which]
        before = np.cumsum(sizes) - sizes
        label = np.repeat(np.arange(len(which), dtype=np.int64), sizes)
        member = np.arange(len(label), dtype=np.int64) - before[label] + groups.first[which][label]
        if groups.order is not None:
            member = groups.order[member]
        # Members by line first: both sorts below are stable, so equal ids stay by line.
        by_position = np.lexsort((member, label))
        member = member[by_position]
        by_id = np.lexsort((*reversed(doc.take(member).descending_keys()), label))
        place_by_id = np.empty(len(label), dtype=np.int64)
        place_by_id[by_id] = np.arange(len(label), dtype=np.int64) - before[label]
        # Label and line as one ascending number: one search serves all groups.
        span = len(query)
        found = np.searchsorted(label * span + member, index * span + kept[tied])
        by_line[tied], by_docid[tied] = found - before[index], place_by_id[found]
    return Places(start, length, by_docid, by_line)


def places_by_line(new_query: Bools, kept: Ints) -> Places:
    """Where the kept lines stand when lines are ranked by their order: no ties at all."""
    query_first = np.flatnonzero(new_query)
    start = kept - query_first[np.searchsorted(query_first, kept, side="right") - 1] + 1
    zeros = np.zeros(len(kept), dtype=np.int64)
    return Places(start, np.ones(len(kept), dtype=np.int64), zeros, zeros)
