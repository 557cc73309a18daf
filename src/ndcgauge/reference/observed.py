"""An order of tied documents that an evaluator itself showed (`ties=observed`)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ndcgauge.data.collection import Bools, Collection, Floats, Ints, RankingKey, Ranks
from ndcgauge.data.columns import RunColumns, among, distinct, first_of_each
from ndcgauge.data.ids import decode, encode
from ndcgauge.errors import NdcgaugeError


class PackedDocs(Mapping[str, Sequence[str]]):
    """Query id to documents, best first, held as the bytes of each query's ids with a space between.

    As no id that a line of a TREC file can hold has one. A list becomes objects where somebody looks.
    """

    def __init__(self, packed: Mapping[str, bytes]) -> None:
        self.packed = packed

    def __getitem__(self, query: str) -> list[str]:
        docs = self.packed[query]
        return decode(docs).split(" ") if docs else []

    def __contains__(self, query: object) -> bool:
        return query in self.packed

    def __iter__(self) -> Iterator[str]:
        return iter(self.packed)

    def __len__(self) -> int:
        return len(self.packed)

    def joined(self, query: str, between: bytes) -> bytes:
        """The bytes of a query's documents with something else between."""
        return self.packed[query].replace(b" ", between)


class QueryLines(NamedTuple):
    """Every line of a run with one query, in file order."""

    docs: Sequence[bytes]
    rank: Floats
    score: Floats
    line: Ints

    @classmethod
    def of(cls, columns: RunColumns, begin: int, end: int) -> QueryLines:
        """Some lines of a block, over memory of their own."""
        here = slice(begin, end)
        docs = columns.doc.take(np.arange(begin, end)).texts()
        return cls(docs, columns.rank[here].copy(), columns.score[here].copy(), columns.line[here].copy())

    def ranked_by(self, key: RankingKey) -> tuple[Floats, Ints]:
        """What ranks the lines under a key, and the positions of those that it ranks."""
        kept = np.arange(len(self.score)) if key.min_score is None else np.flatnonzero(self.score > key.min_score)
        match key.order:
            case "rank":
                values = self.rank
            case "line":
                values = self.line.astype(np.float64)
            case _:
                values = self.score
                if key.precision == "float32":
                    with np.errstate(over="ignore"):
                        values = values.astype(np.float32).astype(np.float64)
        return values[kept], kept


def queries_of(columns: RunColumns) -> Iterator[tuple[bytes, int, int]]:
    """Of lines that are sorted by query: each query, with its first line and the one behind its last."""
    borders = np.flatnonzero(np.diff(columns.query, prepend=-1, append=-1)).tolist() if len(columns.query) else []
    for begin, end in itertools.pairwise(borders):
        yield columns.queries[int(columns.query[begin])], begin, end


@dataclass(frozen=True)
class ObservedOrder:
    """The complete order of documents, query by query, as an evaluator ranked them.

    Whether it may be used at all is checked where it comes in (DESIGN §5.4).
    """

    collection: Collection
    duplicates: str
    """The value of `run_duplicates` whose rows the order speaks of."""
    docs: Mapping[str, Sequence[str]]
    """Query id to document ids, best first; queries without a tie may be left out."""
    lines: dict[str, QueryLines] = field(default_factory=dict[str, QueryLines], repr=False, compare=False)
    """What is known of the run's lists; where a tie is looked at, those that are lacking are read again."""
    _places: dict[RankingKey, Ranks] = field(default_factory=dict[RankingKey, Ranks], repr=False, compare=False)

    @cached_property
    def digest(self) -> str:
        """12 hex digits of the SHA-256 of the orders: part of the specification's identity."""
        import hashlib

        sha = hashlib.sha256()
        packed = self.docs if isinstance(self.docs, PackedDocs) else None
        for query in sorted(self.docs):
            sha.update(encode(query))
            if packed is not None and packed.packed[query]:
                sha.update(b"\0" + packed.joined(query, b"\0"))
            elif packed is None:
                sha.update(b"".join(b"\0" + encode(doc) for doc in self.docs[query]))
            sha.update(b"\n")
        return sha.hexdigest()[:12]

    def positions(self) -> Ints:
        """(pairs,) position of each judged document in its query's order; a large number where it has none."""
        judged = self.collection.judged
        last = int(np.iinfo(np.int32).max)
        result = np.full(len(judged.query), last, dtype=np.int64)
        for query, docs in self.docs.items():
            position = {doc: i for i, doc in enumerate(docs)}
            code = self.collection.index[query]
            low, high = np.searchsorted(judged.query, [code, code + 1])
            for pair in range(int(low), int(high)):
                result[pair] = position.get(judged.doc[pair], last)
        return result

    def places(self, key: RankingKey) -> Ranks:
        """(rows,) place, from 0, inside the row's tie group under a key; by line where no order was shown."""
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = self._compute(key)
        return found

    def tied_queries(self, key: RankingKey) -> set[str]:
        """The queries of the order that have a judged document in a tie under a key."""
        rows = self.collection.rows[self.duplicates]
        ranking = rows.rankings[key]
        tied = rows.query[(ranking.length > 1) & ~rows.inserted]
        queries = (str(self.collection.queries[code]) for code in distinct(tied).tolist())
        return {query for query in queries if query in self.docs}

    def _compute(self, key: RankingKey) -> Ranks:
        rows = self.collection.rows[self.duplicates]
        ranking = rows.rankings[key]
        places = ranking.by_line.copy()
        tied = self.tied_queries(key)
        self._read(tied - self.lines.keys())
        for query in sorted(tied):
            lines, code = self.lines.get(query), self.collection.index[query]
            low, high = np.searchsorted(rows.query, [code, code + 1])
            here = np.arange(low, high)[(ranking.length[low:high] > 1) & ~rows.inserted[low:high]]
            if lines is None or not bool(among(rows.line[here], lines.line).all()):
                raise NdcgaugeError(f"the run changed after it was read (query {query})", fix="run the command again")
            place = self._places_of_lines(query, lines, key)
            places[here] = place[np.searchsorted(lines.line, rows.line[here])]
        return places

    def _read(self, lacking: set[str]) -> None:
        if not lacking:
            return
        for columns in self.collection.complete():
            for raw, begin, end in queries_of(columns):
                if (query := decode(raw)) in lacking:
                    self.lines[query] = QueryLines.of(columns, begin, end)

    def _places_of_lines(self, query: str, lines: QueryLines, key: RankingKey) -> Ints:
        """(lines,) place, from 0, in the tie under a key, in the order that was shown; 0 where there is no tie."""
        shown = {encode(doc): i for i, doc in enumerate(self.docs[query])}
        values, kept = lines.ranked_by(key)
        counts = _counting(lines.docs, self.duplicates)[kept]
        values, kept = values[counts], kept[counts]
        position = np.fromiter((shown[lines.docs[each]] for each in kept.tolist()), np.int64, count=len(kept))
        # Equal values, then in the order that was shown; repeated documents, which have one position, by line.
        order = np.lexsort((position, values))
        place = np.zeros(len(lines.line), dtype=np.int64)
        place[kept[order]] = np.arange(len(order)) - first_of_each(values[order])
        return place


def _counting(docs: Sequence[bytes], duplicates: str) -> Bools:
    """(lines,) whether each counts under a value of `run_duplicates`."""
    counts = np.ones(len(docs), dtype=np.bool_)
    if duplicates in ("first", "last"):
        numbered = list(enumerate(docs))
        kept = {doc: at for at, doc in (reversed(numbered) if duplicates == "first" else numbered)}
        counts[:] = False
        counts[list(kept.values())] = True
    return counts
