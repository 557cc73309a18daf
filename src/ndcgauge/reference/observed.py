"""An order of tied documents that an evaluator itself showed (`ties=observed`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ndcgauge.data.collection import Collection, Ints, RankingKey, Ranks, RunLine


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
    lines: Mapping[str, Sequence[RunLine]]
    """The run's complete lists of the same queries."""
    _places: dict[RankingKey, Ranks] = field(default_factory=dict, repr=False, compare=False)

    @property
    def digest(self) -> str:
        """12 hex digits of the SHA-256 of the orders: part of the specification's identity."""
        import hashlib

        sha = hashlib.sha256()
        for query in sorted(self.docs):
            sha.update("\0".join((query, *self.docs[query])).encode("utf-8", "surrogateescape") + b"\n")
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

    def _compute(self, key: RankingKey) -> Ranks:
        rows = self.collection.rows[self.duplicates]
        ranking = rows.rankings[key]
        places = ranking.by_line.copy()
        for query, docs in self.docs.items():
            position = {doc: i for i, doc in enumerate(docs)}
            groups: dict[float, list[tuple[int, int]]] = {}
            for line in self.lines[query]:
                if key.min_score is not None and line.score <= key.min_score:
                    continue
                groups.setdefault(_value(line, key), []).append((position[line.doc], line.line))
            place_of_line = {
                number: place for group in groups.values() for place, (_, number) in enumerate(sorted(group))
            }
            code = self.collection.index[query]
            low, high = np.searchsorted(rows.query, [code, code + 1])
            for row in range(int(low), int(high)):
                if ranking.start[row] > 0 and not rows.inserted[row]:
                    places[row] = place_of_line[int(rows.line[row])]
        return places


def _value(line: RunLine, key: RankingKey) -> float:
    match key.order:
        case "rank":
            return float(line.rank)
        case "line":
            return float(line.line)
        case _:
            with np.errstate(over="ignore"):
                return float(np.float32(line.score)) if key.precision == "float32" else line.score
