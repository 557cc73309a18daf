"""From the lines of complete queries to their judged rows, ranked under every key.

The one place where a run becomes ranks; every reader ends here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ndcgauge.data.collection import Bools, Floats, Ints, Needs, RankingKey, TiedGroups
from ndcgauge.data.columns import RunColumns, stable_order
from ndcgauge.data.ids import Ids, joined, same
from ndcgauge.data.judgments import VARIANTS, Judgments, Repeat, codes_of, first_repeat, match, pairs_of
from ndcgauge.data.ranking import Groups, Places, Values, group, places, places_by_line, query_starts


@dataclass(frozen=True, eq=False)
class Standings:
    """One ranking of a part's rows; as `collection.Ranking`, over the part's own queries."""

    places: Places
    ranked: Ints
    """(queries of the part,) number of documents ranked."""


@dataclass(frozen=True, eq=False)
class Rows:
    """The judged rows of some complete queries under one value of `run_duplicates`."""

    query: Ints
    """(rows,) index into the queries of the part."""
    judged: Ints
    own: Bools
    line: Ints
    inserted: Bools
    rankings: Mapping[RankingKey, Standings]
    """Keys whose rankings are equal by construction share one object."""
    ties: Mapping[str, TiedGroups]
    """By `score_precision`; `query` is an index into the queries of the part."""


@dataclass(frozen=True, eq=False)
class Part:
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
        if needs.insert_scores:
            self._pairs, self._owners = pairs_of(judgments, codes_of(judgments, columns.queries))
        lacking = ~np.isin(self._pairs, self._judged)
        self._missing, self._missing_query = self._pairs[lacking], self._owners[lacking]
        self._groups: dict[RankingKey, Groups] = {}
        self._rankings: dict[RankingKey, Standings] = {}
        self._ties: dict[str, TiedGroups] = {}

    def rows(self) -> Rows:
        """The rows with every ranking that was asked for."""
        score = self._columns.score
        for key in self._needs.keys():  # noqa: SIM118 - no mapping
            if key.insert_score is not None:
                self._rankings[key] = self._insert(key, key.insert_score)
            elif key.min_score is None:
                self._rankings[key] = self._rank(key, None)
            else:
                above = score > key.min_score
                whole = RankingKey(key.order, key.precision)
                self._rankings[key] = (
                    self._rankings[whole] if bool(above.all()) else self._rank(key, np.flatnonzero(above))
                )
        kept, missing = self._kept, self._missing
        docs, queries = self._judgments.doc.take(missing), Ids.of(self._columns.queries)
        return Rows(
            query=np.concatenate((self._columns.query[kept], self._missing_query)),
            judged=np.concatenate((self._judged, missing)),
            own=np.concatenate((self._own, same(docs, queries.take(self._missing_query)))),
            line=np.concatenate((self._columns.line[kept], np.zeros(len(missing), dtype=np.int64))),
            inserted=np.arange(len(kept) + len(missing)) >= len(kept),
            rankings=self._rankings,
            ties=self._ties,
        )

    def _rank(self, key: RankingKey, above: Ints | None) -> Standings:
        """The lines, or those at the positions `above`, ranked by one column."""
        columns, kept = self._columns, self._kept
        row = np.arange(len(kept), dtype=np.int64)
        if above is not None:
            columns = columns.take(above)
            row = np.flatnonzero(np.isin(kept, above))
            kept = np.searchsorted(above, kept[row])
        new_query = query_starts(columns.query)
        if key.order == "line":
            found = places_by_line(new_query, kept)
        else:
            groups = group(columns.query, new_query, _value(columns, key))
            wide = self._groups.get(RankingKey(key.order, "float64", key.min_score))
            if key.precision == "float32" and wide is not None and len(wide.first) == len(groups.first):
                # Rounding only merges groups: as many groups are the same groups.
                if above is None:
                    self._ties["float32"] = self._ties["float64"]
                return self._rankings[RankingKey(key.order, "float64", key.min_score)]
            self._groups[key] = groups
            if key.order == "score" and above is None:
                self._ties[key.precision] = _tied(groups, columns.query, new_query)
            found = places(groups, columns.query, new_query, columns.doc, kept)
        return self._standings(found, row, columns.query)

    def _insert(self, key: RankingKey, score: float) -> Standings:
        """The lines ranked by score, with every judged document that is not among them at `score`.

        A document that `min_score` cuts stands there too, as if the run lacked it; where the run
        repeats it, its first row does.
        """
        columns = self._columns
        if key.min_score is not None:
            above = np.flatnonzero(columns.score > key.min_score)
            columns = columns.take(above)
            row = np.flatnonzero(np.isin(self._kept, above))
            kept = np.searchsorted(above, self._kept[row])
        else:
            row = np.arange(len(self._kept), dtype=np.int64)
            kept = self._kept
        added = ~np.isin(self._pairs, self._judged[row])
        pairs, owners = self._pairs[added], self._owners[added]
        # Each pair's row, the first one where it has several.
        with_row, first_row = np.unique(np.concatenate((self._judged, self._missing)), return_index=True)
        row_of_pair = first_row[np.searchsorted(with_row, pairs)]
        query = np.concatenate((columns.query, owners))
        order = stable_order(query, len(columns.queries))
        position = np.empty(len(order), dtype=np.int64)
        position[order] = np.arange(len(order), dtype=np.int64)
        value = _rounded(np.concatenate((columns.score, np.full(len(pairs), score))), key)[order]
        doc = joined((columns.doc, self._judgments.doc.take(pairs))).take(order)
        query = query[order]
        new_query = query_starts(query)
        groups = group(query, new_query, value)
        at = position[np.concatenate((kept, len(columns.query) + np.arange(len(pairs), dtype=np.int64)))]
        found = places(groups, query, new_query, doc, at)
        return self._standings(found, np.concatenate((row, row_of_pair)), query)

    def _standings(self, found: Places, row: Ints, query: Ints) -> Standings:
        """Places of some rows as those of all, and the number of lines ranked a query."""
        ranked = np.bincount(query, minlength=len(self._columns.queries))
        n_rows = len(self._kept) + len(self._missing)
        if len(row) == n_rows and bool((row[1:] > row[:-1]).all()):
            return Standings(found, ranked)

        def spread(values: Ints) -> Ints:
            result = np.zeros(n_rows, dtype=np.int64)
            result[row] = values
            return result

        return Standings(
            Places(spread(found.start), spread(found.length), spread(found.by_docid), spread(found.by_line)), ranked
        )


def _rounded(score: Floats, key: RankingKey) -> Values:
    if key.precision == "float64":
        return score
    with np.errstate(over="ignore"):
        return score.astype(np.float32)


def _value(columns: RunColumns, key: RankingKey) -> Values:
    """(lines,) what ranks them, higher first; scores beyond float32's range become ±inf there and tie."""
    return -columns.rank if key.order == "rank" else _rounded(columns.score, key)


def _tied(groups: Groups, query: Ints, new_query: Bools) -> TiedGroups:
    tied = groups.size > 1
    first = groups.first[tied]
    query_first = np.flatnonzero(new_query)
    number = np.searchsorted(query_first, first, side="right") - 1
    return TiedGroups(query[query_first[number]], first - query_first[number] + 1, groups.size[tied])
