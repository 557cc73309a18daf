"""Tie groups of the lines of complete queries, and where some of the lines stand in them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import Bools, Floats, Ints, Ranks
from ndcgauge.data.columns import stable_order
from ndcgauge.data.ids import Ids

Values = Floats | NDArray[np.float32]


class Groups(NamedTuple):
    """Lines of complete queries in rank order, and those that tie; a line in no group stands alone."""

    order: Ints | None
    """(lines,) the lines in rank order; None where that is the order they stand in."""
    first: Ints
    """(groups of two or more,) position in rank order of each group's first line; ascending."""
    size: Ints
    """(groups of two or more,) number of its lines."""


class Places(NamedTuple):
    """Where some lines stand; as in `collection.Ranking`, without the count a query."""

    start: Ranks
    length: Ranks
    by_docid: Ranks
    by_line: Ranks


class Queries(NamedTuple):
    """Lines sorted by query."""

    code: Ints
    """(lines,) the query of each line; ascending."""
    goes_on: Bools
    """(lines - 1,) whether the next line is of the same query."""
    first: Ints
    """(queries with a line,) position of the first line of each."""

    def first_line(self, position: Ints) -> Ints:
        """(positions,) the position of the first line of each one's query."""
        return self.first[np.searchsorted(self.first, position, side="right") - 1]


def queries_of(query: Ints) -> Queries:
    """The queries of lines that are sorted by them."""
    goes_on = query[1:] == query[:-1]
    first = np.flatnonzero(~goes_on) + 1
    return Queries(query, goes_on, np.concatenate((np.zeros(min(1, len(query)), dtype=np.int64), first)))


def rises(queries: Queries, value: Values) -> bool:
    """Whether every query's lines stand in the order of ascending values, all different."""
    rising = value[1:] > value[:-1]
    return bool((rising | ~queries.goes_on).all())


def group(queries: Queries, value: Values) -> Groups:
    """Groups lines of equal value inside a query, higher values first.

    value: (lines,). Within a group the order is undefined.
    """
    order: Ints | None = None
    climbs = value[1:] > value[:-1]
    climbs &= queries.goes_on
    if climbs.any():
        # Two quick sorts of one key each, the second one stable, are faster than a stable one of both.
        by_value = np.argsort(-value)
        order = by_value[stable_order(queries.code[by_value], int(queries.code[-1]) + 1)]
        value = value[order]
    return _tied(order, queries, value)


def narrowed(groups: Groups, queries: Queries, value: Values) -> Groups:
    """The groups under values that are those of `groups` rounded: rounding only merges groups.

    The same object where it merges none.
    """
    if groups.order is not None:
        value = value[groups.order]
    narrow = _tied(groups.order, queries, value)
    same = len(narrow.first) == len(groups.first) and int(narrow.size.sum()) == int(groups.size.sum())
    return groups if same else narrow


def _tied(order: Ints | None, queries: Queries, value: Values) -> Groups:
    """The runs of equal neighbours; `value` is in rank order."""
    equal = value[1:] == value[:-1]
    equal &= queries.goes_on
    tied = np.flatnonzero(equal)
    begins = np.ones(len(tied), dtype=np.bool_)
    np.not_equal(tied[1:], tied[:-1] + 1, out=begins[1:])
    begin = np.flatnonzero(begins)
    return Groups(order, tied[begin], np.diff(begin, append=len(tied)) + 1)


def places(groups: Groups, queries: Queries, doc: Ids, kept: Ints) -> Places:
    """Where the kept lines stand.

    queries, doc: as they were grouped, in the order that decides a tie by line. kept: positions of
    lines among them.
    """
    if groups.order is None:
        position = kept
    else:
        position_of = np.empty(len(queries.code), dtype=np.int64)
        position_of[groups.order] = np.arange(len(position_of), dtype=np.int64)
        position = position_of[kept]
    first, length = position, np.ones(len(kept), dtype=np.int32)
    by_docid = np.zeros(len(kept), dtype=np.int32)
    by_line = np.zeros(len(kept), dtype=np.int32)
    if len(groups.first):
        number = np.maximum(np.searchsorted(groups.first, position, side="right") - 1, 0)
        beyond = position - groups.first[number]
        tied = np.flatnonzero((beyond >= 0) & (beyond < groups.size[number]))
        if len(tied):
            number = number[tied]
            first = first.copy()
            first[tied], length[tied] = groups.first[number], groups.size[number]
            by_docid[tied], by_line[tied] = _inside(groups, len(queries.code), doc, number, kept[tied])
    start = first - queries.first_line(first) + 1
    return Places(start.astype(np.int32), length, by_docid, by_line)


def _inside(groups: Groups, n_lines: int, doc: Ids, number: Ints, kept: Ints) -> tuple[Ints, Ints]:
    """(kept,) twice: the place of tied lines inside their groups, by descending id and by line.

    number: (kept,) the group of each.
    """
    which, index = np.unique(number, return_inverse=True)
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
    found = np.searchsorted(label * n_lines + member, index * n_lines + kept)
    return place_by_id[found], found - before[index]


def places_by_line(queries: Queries, kept: Ints) -> Places:
    """Where the kept lines stand when lines are ranked by their order: no ties at all."""
    start = kept - queries.first_line(kept) + 1
    one, zero = (np.broadcast_to(np.int32(number), len(kept)) for number in (1, 0))
    return Places(start.astype(np.int32), one, zero, zero)
