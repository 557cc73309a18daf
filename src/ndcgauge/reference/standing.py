"""Where the judged documents stand in the ranking that a specification describes.

The stages of DESIGN §2 between reading and gains: `self`, sort, `depth`, what `negative` and
`unjudged` drop, what `unretrieved` appends. Everything is derived from the judged rows: unjudged
documents are counted, never listed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ndcgauge.data.collection import Bools, Collection, Ints, Ranking, RankingKey, Ranks, RunRows
from ndcgauge.data.columns import first_of_each
from ndcgauge.errors import NdcgaugeError
from ndcgauge.reference.grades import Judgments
from ndcgauge.reference.sums import counts

if TYPE_CHECKING:
    from ndcgauge.reference.first import First
    from ndcgauge.reference.observed import ObservedOrder

SYMMETRIC = ("average", "best", "worst")
"""Tie rules that no single order stands for."""


class NoClosedForm(NdcgaugeError):
    """A combination of axes that the judged rows cannot answer for this collection."""


@dataclass(frozen=True)
class Standing:
    """Entries: judged documents of the final rankings, sorted by instance, then rank.

    An instance is a query's ranking. Where what survives a cut depends on the order of a tie, a
    query has several instances, one for each set of survivors, with its probability.
    """

    instance: Ints
    """(entries,) index of the instance; ascending."""
    pair: Ints
    """(entries,) index into `Judged`."""
    start: Ints
    """(entries,) rank, from 1, of the first document of the tie group. Where the order is
    concrete, every group is one document and this is its rank."""
    length: Ints
    """(entries,) documents in the tie group, judged or not."""
    slots: Ints
    """(entries,) ranks that the group has: fewer than `length` where `depth` cuts it."""
    retrieved: Bools
    """(entries,) False for what `unretrieved` added."""
    n_left: Ints
    """(instances,) documents left before anything is added."""
    n_final: Ints
    """(instances,) documents of the final ranking."""
    query: Ints
    """(instances,) the query of each instance; the first ones are the queries themselves."""
    weight: np.ndarray[tuple[int], np.dtype[np.float64]]
    """(instances,) probability of the instance among its query's; 0 for a query that has others."""

    @cached_property
    def extra(self) -> int:
        """Number of instances beyond one a query."""
        return int((self.query != np.arange(len(self.query))).sum())

    def only(self, entries: Bools | Ints) -> Standing:
        """The standing without the other entries; `entries`: (entries,) flags, or positions in ascending order."""
        if entries.dtype == np.bool_:
            # Looked for once, not for every column.
            entries = np.flatnonzero(entries)
        if len(entries) == len(self.instance):
            return self
        length = self.length[entries]
        return replace(
            self,
            instance=self.instance[entries],
            pair=self.pair[entries],
            start=self.start[entries],
            length=length,
            slots=length if self.slots is self.length else self.slots[entries],
            retrieved=self.retrieved[entries],
        )


class Choice(NamedTuple):
    """What decides a standing; its fields are the key under which a standing is shared."""

    ties: str
    own: str
    depth: int | None
    drop_unjudged: bool
    add: str
    """`absent`, `append`, or `insert`: inserted rows are in the ranking already."""
    composition: bool
    """Whether the value depends on which documents of a tie survive `depth`."""


class Groups(NamedTuple):
    """Rows of one ranking in rank order, before survivors are looked at."""

    query: Ints
    pair: Ints
    start: Ints
    length: Ints
    slots: Ints
    retrieved: Bools
    n_left: Ints
    cut: Bools
    """Rows of a group that `depth` cuts, where it matters which of its documents survive."""
    room: Ints
    """Documents of the row's group that `depth` keeps."""
    whole: Ints
    """Documents of the row's group before drops."""
    doomed: Bools
    """Rows that `negative=drop` removes after `depth`; kept here only inside cut groups."""

    def only(self, keep: Bools) -> Groups:
        """The rows that are flagged."""
        rows = {name: column[keep] for name, column in self._asdict().items() if name != "n_left"}
        return self._replace(**rows)


def _sorted_by(query: Ints, position: Ints) -> Ints:
    top = int(position.max(initial=0)) + 1
    return np.argsort(query * top + position, kind="stable")


def _before(flags: Bools, query: Ints) -> Ints:
    """For sorted rows: how many flagged rows of the same query stand before each."""
    running = np.cumsum(flags) - flags
    return running - running[first_of_each(query)]


def _group_starts(query: Ints, start: Ints) -> Ints:
    """For rows sorted by query and start: the index of the first row of each row's group."""
    new = np.ones(len(query), dtype=np.bool_)
    new[1:] = (query[1:] != query[:-1]) | (start[1:] != start[:-1])
    first = np.flatnonzero(new)
    return first[np.cumsum(new) - 1]


def _in_group(flags: Bools, group: Ints) -> Ints:
    return counts(group, flags, len(group))[group]


def places(ranking: Ranking, ties: str, observed: ObservedOrder | None, key: RankingKey) -> Ranks:
    """(rows,) place, from 0, inside the tie group under a concrete tie rule."""
    match ties:
        case "docid-desc":
            return ranking.by_docid
        case "docid-asc":
            return ranking.length - 1 - ranking.by_docid
        case "line":
            return ranking.by_line
        case "line-reversed":
            return ranking.length - 1 - ranking.by_line
        case _:
            if observed is None:
                raise NdcgaugeError(f"ties={ties} needs an order that an evaluator showed")
            return observed.places(key)


def stand(
    collection: Collection,
    rows: RunRows,
    key: RankingKey,
    judgments: Judgments,
    choice: Choice,
    observed: ObservedOrder | None = None,
    first: First | None = None,
) -> Groups:
    """The rows in the final order, before anything is appended and before survivors are enumerated.

    first: the only rows to look at, where no others matter.

    Raises NoClosedForm for `depth` together with `unretrieved=score:x`, where the judged rows
    do not say how many documents of the cut list stand above x.
    """
    ranking = rows.rankings[key]
    inserting = key.insert_score is not None
    symmetric = choice.ties in SYMMETRIC
    # No document moves up before the cut: what stands behind it need not be sorted.
    deepest = None if inserting or choice.own == "drop" else choice.depth
    if first is not None:
        index = first.rows
    elif deepest is not None:
        index = np.flatnonzero((ranking.start > 0) & (ranking.start <= deepest))
    else:
        index = np.flatnonzero(ranking.start > 0)
    start = ranking.start[index].astype(np.int64)
    length = ranking.length[index].astype(np.int64)
    if not symmetric:
        start = start + places(ranking, choice.ties, observed, key)[index]
        length = np.ones(len(index), dtype=np.int64)
    if deepest is not None:
        above = start <= deepest
        index, start, length = index[above], start[above], length[above]
    index_order = _sorted_by(rows.query[index], start)
    index, start, length = index[index_order], start[index_order], length[index_order]
    query, pair = rows.query[index], rows.judged[index]
    known = pair >= 0
    judged, doomed = np.zeros(len(pair), dtype=np.bool_), np.zeros(len(pair), dtype=np.bool_)
    judged[known] = judgments.judged[pair[known]]
    doomed[known] = judgments.dropped[pair[known]]
    retrieved = np.ones(len(index), dtype=np.bool_)
    gone = np.zeros(len(index), dtype=np.bool_)
    n = ranking.ranked
    if inserting:
        if choice.depth is not None and bool((n > choice.depth).any()):
            raise NoClosedForm("depth together with unretrieved=score:x needs the complete lists")
        without = rows.rankings[key._replace(insert_score=None)]
        retrieved = without.start[index] > 0
        gone = ~retrieved & ~judged
    if choice.own == "drop":
        # `self` comes before `min_score`: a document of the run that is both is dropped, not missing.
        gone = gone | (rows.own[index] & ~rows.inserted[index])
    n_queries = len(collection.queries)
    if gone.any():
        group = _group_starts(query, start)
        inside = _in_group(gone, group)
        start = start - _before(gone, query)[group]
        length = length - inside
        n = n - np.bincount(query[gone], minlength=n_queries)
        keep = ~gone
        query, pair, start, length = query[keep], pair[keep], start[keep], length[keep]
        judged, doomed, retrieved = judged[keep], doomed[keep], retrieved[keep]
    slots = length
    if choice.depth is not None:
        keep = start <= choice.depth
        query, pair, start, length = query[keep], pair[keep], start[keep], length[keep]
        judged, doomed, retrieved = judged[keep], doomed[keep], retrieved[keep]
        slots = np.minimum(length, choice.depth - start + 1)
        n = np.minimum(n, choice.depth)
    cut = np.zeros(len(query), dtype=np.bool_)
    if choice.composition:
        group = _group_starts(query, start)
        cut = (slots < length) & (_in_group(judged | doomed, group) > 0)
    room, whole = slots, length
    n_inserted = np.bincount(query[~retrieved], minlength=n_queries) if inserting else 0
    if choice.drop_unjudged:
        stays = judged
        group = _group_starts(query, start)
        new_start = 1 + _before(stays, query)[group]
        new_length = _in_group(stays, group)
        start, length, slots = new_start, new_length, new_length
        n_left = np.bincount(query[stays & retrieved], minlength=n_queries)
    else:
        stays = ~doomed
        if doomed.any():
            group = _group_starts(query, start)
            inside = _in_group(doomed, group)
            start = start - _before(doomed, query)[group]
            length, slots = length - inside, slots - inside
        n_left = n - n_inserted - np.bincount(query[doomed], minlength=n_queries)
    n_left = n_left if first is None else first.left
    groups = Groups(query, pair, start, length, slots, retrieved, n_left, cut, room, whole, doomed)
    keep = (stays & judged) | (cut & (judged | doomed))
    # Where all stay, nothing is copied: many of these columns are one and the same by now.
    return groups if keep.all() else groups.only(keep)


def standing_of(groups: Groups) -> Standing:
    """The standing where no tie is cut: an instance a query, over the very columns of the groups."""
    queries = len(groups.n_left)
    return Standing(
        instance=groups.query,
        pair=groups.pair,
        start=groups.start,
        length=groups.length,
        slots=groups.slots,
        retrieved=groups.retrieved,
        n_left=groups.n_left,
        n_final=groups.n_left,
        query=np.arange(queries),
        weight=np.ones(queries),
    )
