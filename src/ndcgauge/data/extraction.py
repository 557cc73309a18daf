"""From the lines of complete queries to their judged rows, ranked under every key.

The one place where a run becomes ranks; every reader ends here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import Bools, Floats, Ints, Needs, RankingKey, Ranks, TiedGroups
from ndcgauge.data.columns import RunColumns, among, stable_order
from ndcgauge.data.ids import Ids, joined, same
from ndcgauge.data.judgments import VARIANTS, Judgments, Repeat, codes_of, first_repeat, match, pairs_of
from ndcgauge.data.ranking import (
    Groups,
    Places,
    Queries,
    Values,
    group,
    narrowed,
    places,
    places_by_line,
    queries_of,
    rises,
)


class Standings(NamedTuple):
    """One ranking of a part's rows; as `collection.Ranking`, over the part's own queries."""

    places: Places
    ranked: Ints
    """(queries of the part,) number of documents ranked."""


class Rows(NamedTuple):
    """The judged rows of some complete queries under one value of `run_duplicates`."""

    query: NDArray[np.int32]
    """(rows,) index into the queries of the part."""
    judged: NDArray[np.int32]
    own: Bools
    line: Ints
    inserted: Bools
    rankings: Mapping[RankingKey, Standings]
    """Keys whose rankings are equal by construction share one object."""
    ties: Mapping[str, TiedGroups]
    """By `score_precision`; `query` is an index into the queries of the part."""


class Part(NamedTuple):
    """What is kept of some complete queries of a run."""

    queries: Sequence[bytes]
    lines: int
    rows: Mapping[str, Rows]
    """By value of `run_duplicates`; one object for all where nothing is repeated."""
    repeat: Repeat | None
    """The first line that repeats a document, if one does."""


def extract(columns: RunColumns, judgments: Judgments, needs: Needs) -> Part:
    """Keeps the judged rows of complete queries, and every query's own document.

    columns: the lines in file order; each of its queries is complete and has a line.
    """
    columns = columns.by_query()
    found = match(judgments, columns.queries, columns.query, columns.doc)
    everything = np.arange(len(columns.query), dtype=np.int64)

    def rows_of(lines: Ints) -> Rows:
        return _Ranker(columns.take(lines), found.judged[lines], found.own[lines], judgments, needs).rows()

    whole = _Ranker(columns, found.judged, found.own, judgments, needs).rows()
    if found.original is None:
        return Part(columns.queries, len(everything), dict.fromkeys(VARIANTS, whole), None)
    last = np.empty(len(everything), dtype=np.int64)
    last[found.original] = everything
    rows = {
        "first": rows_of(np.flatnonzero(found.original == everything)),
        "last": rows_of(np.flatnonzero(last[found.original] == everything)),
        "all": whole,
    }
    repeat = first_repeat(columns.queries, columns.query, columns.doc, columns.line, found.original)
    return Part(columns.queries, len(everything), rows, repeat)


class _Lines(NamedTuple):
    """Lines that are ranked together."""

    columns: RunColumns
    queries: Queries
    kept: Ints
    """Positions, among the lines, of those that are kept."""
    row: Ints
    """The row of each of them."""
    ranked: Ints
    """(queries of the part,) number of lines."""


def _none() -> Ints:
    return np.zeros(0, dtype=np.int64)


class _Ranker:
    """Ranks the lines of complete queries, sorted by query, under each key.

    Its rows are the kept lines, then (where something is to be inserted) the judged documents
    that the run lacks.
    """

    def __init__(self, columns: RunColumns, judged: Ints, own: Bools, judgments: Judgments, needs: Needs) -> None:
        self._columns = columns
        self._judgments = judgments
        self._needs = needs
        self._kept = np.flatnonzero((judged >= 0) | own)
        self._judged = judged[self._kept]
        self._own = own[self._kept]
        self._pairs, self._owners = _none(), _none()
        self._missing, self._missing_query = _none(), _none()
        if needs.insert_scores:
            self._pairs, self._owners = pairs_of(judgments, codes_of(judgments, columns.queries))
            lacking = ~among(self._pairs, np.sort(self._judged))
            self._missing, self._missing_query = self._pairs[lacking], self._owners[lacking]

    def rows(self) -> Rows:
        """The rows with every ranking that was asked for."""
        whole = self._lines(None)
        ties: dict[str, TiedGroups] = {}
        orders = self._orders(whole, ties)
        rankings: dict[RankingKey, Standings] = {}
        for minimum in (None, *self._needs.min_scores):
            above = None if minimum is None else self._columns.score > minimum
            found = orders
            if above is not None and not above.all():
                found = self._orders(self._lines(np.flatnonzero(above)), {})
            for (order, precision), standings in found.items():
                rankings[RankingKey(order, precision, minimum)] = standings
        for key in self._needs.keys():  # noqa: SIM118 - no mapping
            if key.insert_score is not None:
                rankings[key] = self._insert(key, key.insert_score)
        kept, missing = self._kept, self._missing
        return Rows(
            query=np.concatenate((self._columns.query[kept], self._missing_query)).astype(np.int32),
            judged=np.concatenate((self._judged, missing)).astype(np.int32),
            own=np.concatenate((self._own, self._own_missing())),
            line=np.concatenate((self._columns.line[kept], np.zeros(len(missing), dtype=np.int64))),
            inserted=np.arange(len(kept) + len(missing)) >= len(kept),
            rankings=rankings,
            ties=ties,
        )

    def _own_missing(self) -> Bools:
        """(judged documents that the run lacks,) whether each is its query's own."""
        if not len(self._missing):
            return np.zeros(0, dtype=np.bool_)
        queries = Ids.of(self._columns.queries)
        return same(self._judgments.doc.take(self._missing), queries.take(self._missing_query))

    def _lines(self, above: Ints | None) -> _Lines:
        """The lines, or those at the positions `above`."""
        columns, kept = self._columns, self._kept
        row = np.arange(len(kept), dtype=np.int64)
        if above is not None:
            columns = columns.take(above)
            row = np.flatnonzero(among(kept, above))
            kept = np.searchsorted(above, kept[row])
        ranked = np.bincount(columns.query, minlength=len(columns.queries))
        return _Lines(columns, queries_of(columns.query), kept, row, ranked)

    def _orders(self, lines: _Lines, ties: dict[str, TiedGroups]) -> Mapping[tuple[str, str], Standings]:
        """Lines ranked by each column, by (order, precision); fills `ties` by precision."""
        columns, queries, kept, row, ranked = lines
        by_line = self._standings(places_by_line(queries, kept), row, ranked)
        by_rank = by_line
        if not rises(queries, columns.rank):
            of_rank = group(queries, -columns.rank)
            by_rank = self._standings(places(of_rank, queries, columns.doc, kept), row, ranked)
        wide = group(queries, columns.score)
        by_score = self._standings(places(wide, queries, columns.doc, kept), row, ranked)
        narrow, by_single = narrowed(wide, queries, _rounded(columns.score, "float32")), by_score
        if narrow is not wide:
            by_single = self._standings(places(narrow, queries, columns.doc, kept), row, ranked)
        ties["float64"] = _tied(wide, queries)
        ties["float32"] = ties["float64"] if narrow is wide else _tied(narrow, queries)
        return {
            ("score", "float64"): by_score,
            ("score", "float32"): by_single,
            ("rank", "float64"): by_rank,
            ("line", "float64"): by_line,
        }

    def _insert(self, key: RankingKey, score: float) -> Standings:
        """The lines ranked by score, with every judged document that is not among them at `score`.

        A document that `min_score` cuts stands there too, as if the run lacked it; where the run
        repeats it, its first row does.
        """
        above = None if key.min_score is None else np.flatnonzero(self._columns.score > key.min_score)
        columns, _, kept, row, _ = self._lines(above)
        added = ~among(self._pairs, np.sort(self._judged[row]))
        pairs, owners = self._pairs[added], self._owners[added]
        # Each pair's row, the first one where it has several.
        with_row, first_row = np.unique(np.concatenate((self._judged, self._missing)), return_index=True)
        row_of_pair = first_row[np.searchsorted(with_row, pairs)]
        query = np.concatenate((columns.query, owners))
        order = stable_order(query, len(columns.queries))
        position = np.empty(len(order), dtype=np.int64)
        position[order] = np.arange(len(order), dtype=np.int64)
        value = _rounded(np.concatenate((columns.score, np.full(len(pairs), score))), key.precision)[order]
        doc = joined((columns.doc, self._judgments.doc.take(pairs))).take(order)
        queries = queries_of(query[order])
        at = position[np.concatenate((kept, len(columns.query) + np.arange(len(pairs), dtype=np.int64)))]
        found = places(group(queries, value), queries, doc, at)
        ranked = np.bincount(query, minlength=len(columns.queries))
        return self._standings(found, np.concatenate((row, row_of_pair)), ranked)

    def _standings(self, found: Places, row: Ints, ranked: Ints) -> Standings:
        """Places of some rows as those of all; the others have none."""
        n_rows = len(self._kept) + len(self._missing)
        if len(row) == n_rows and bool((row[1:] > row[:-1]).all()):
            return Standings(found, ranked)

        def spread(values: Ranks) -> Ranks:
            result = np.zeros(n_rows, dtype=np.int32)
            result[row] = values
            return result

        return Standings(
            Places(spread(found.start), spread(found.length), spread(found.by_docid), spread(found.by_line)), ranked
        )


def _rounded(score: Floats, precision: str) -> Values:
    """(lines,) scores as they are compared; beyond float32's range they become ±inf there, and tie."""
    if precision == "float64":
        return score
    with np.errstate(over="ignore"):
        return score.astype(np.float32)


def _tied(groups: Groups, queries: Queries) -> TiedGroups:
    first = groups.first
    return TiedGroups(queries.code[first], first - queries.first_line(first) + 1, groups.size)
