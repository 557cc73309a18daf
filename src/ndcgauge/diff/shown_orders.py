"""Whether the order that an evaluator showed may stand for the order of its ties (DESIGN §5.4).

Each list must be a permutation of the run's documents with non-increasing scores, followed by nothing but judged
documents that the run lacks: otherwise an evaluator could verify itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ndcgauge.data.collection import Collection, Floats, RankingKey
from ndcgauge.data.columns import RunColumns
from ndcgauge.data.ids import WORD, Ids, decode, encode, same
from ndcgauge.evaluators.order_file import shown_lists
from ndcgauge.reference.observed import ObservedOrder, PackedDocs, QueryLines, queries_of

_NO_PERMUTATION = "the order it showed is not a permutation of the run's documents"
_NOT_FALLING = "the order it showed is not by falling score"
_SPACE = 32


@dataclass(frozen=True)
class ShownOrder:
    """An order that an evaluator showed, and whether it may stand for its ties."""

    order: ObservedOrder | None
    refusal: str | None
    """Why the order is not accepted."""


def shown_order(path: Path, collection: Collection, duplicates: str) -> ShownOrder:
    """Reads an adapter's order file, and the run again, and accepts the order only if it could be that of its ties."""
    lists = shown_lists(path)
    if lists and not any(query in collection.index for query in lists):
        return ShownOrder(None, "the order it showed names no query of the qrels or of the run")
    return _checked(lists, collection, duplicates)


def order_of(docs: Mapping[str, Sequence[str]], collection: Collection, duplicates: str) -> ShownOrder:
    """The same for lists that were read already: query id to documents, best first."""
    return _checked({query: encode(" ".join(each)) for query, each in docs.items()}, collection, duplicates)


def _checked(lists: Mapping[str, bytes], collection: Collection, duplicates: str) -> ShownOrder:
    shown = {query: docs for query, docs in lists.items() if query in collection.index}
    order = ObservedOrder(collection, duplicates, PackedDocs(shown))
    # Of ties in single precision those in double are a part. Where the run repeats a document, and the specification
    # refuses that, the reference says so when it is asked.
    tied = order.tied_queries(RankingKey(precision="float32")) if duplicates in collection.rows else set[str]()
    checker = _Checker(collection, shown, repeats="error" not in collection.rows)
    met: set[str] = set()
    for columns in collection.complete():
        found = list(queries_of(columns))
        refusal = checker.refusal(columns, found)
        if refusal is not None:
            return ShownOrder(None, refusal)
        for raw, begin, end in found:
            query = decode(raw)
            met.add(query)
            if query in tied:
                order.lines[query] = QueryLines.of(columns, begin, end)
    for query in sorted(shown.keys() - met):
        # The run has no such query, so every document of the order is an added one.
        refusal = _refusal(order.docs[query], (), (), checker.judged(query))
        if refusal is not None:
            return ShownOrder(None, f"query {query}: {refusal}")
    return ShownOrder(order, None)


@dataclass(frozen=True)
class _Checker:
    """Checks the lists of a block of the run."""

    collection: Collection
    shown: Mapping[str, bytes]
    repeats: bool
    """Whether the run repeats a document of a query."""

    def refusal(self, columns: RunColumns, found: Sequence[tuple[bytes, int, int]]) -> str | None:
        """Why the order of some query of the block is not accepted; None where all are."""
        alike: list[tuple[str, int, int]] = []
        for raw, begin, end in found:
            query = decode(raw)
            docs = self.shown.get(query)
            if docs is None:
                continue
            if not self.repeats and docs.count(b" ") + 1 == end - begin:
                alike.append((query, begin, end))
                continue
            lines = QueryLines.of(columns, begin, end)
            names, own = docs.split(b" ") if docs else [], list(map(decode, lines.docs))
            refusal = _refusal(list(map(decode, names)), own, lines.score.tolist(), self.judged(query))
            if refusal is not None:
                return f"query {query}: {refusal}"
        return self._of_alike(columns, alike) if alike else None

    def _of_alike(self, columns: RunColumns, alike: Sequence[tuple[str, int, int]]) -> str | None:
        """The same for queries whose lists are as long as the run's, which repeats no document.

        Where the run stands by falling score, and the order has the same document at a place, there is nothing to see:
        left are the places at which they differ.
        """
        ends = np.cumsum([end - begin for _, begin, end in alike])
        own, query, score = columns.doc, columns.query, columns.score
        if ends[-1] < len(score):
            rows = np.concatenate([np.arange(begin, end) for _, begin, end in alike])
            own, query, score = own.take(rows), query[rows], score[rows]
        if bool(((score[1:] > score[:-1]) & (query[1:] == query[:-1])).any()):
            order = np.lexsort((-score, query))
            own, score = own.take(order), score[order]
        shown = _ids_of(b" ".join(self.shown[name] for name, _, _ in alike))
        other = np.flatnonzero(~same(own, shown))
        for number in np.unique(np.searchsorted(ends, other, side="right")).tolist():
            here = other[(other < ends[number]) & (other >= (ends[number - 1] if number else 0))]
            refusal = _refusal_of_moved(shown.take(here).texts(), own.take(here).texts(), score[here])
            if refusal is not None:
                return f"query {alike[number][0]}: {refusal}"
        return None

    def judged(self, query: str) -> set[str]:
        """The judged documents of a query."""
        code = self.collection.index[query]
        low, high = np.searchsorted(self.collection.judged.query, [code, code + 1])
        return {str(self.collection.judged.doc[pair]) for pair in range(int(low), int(high))}


def _ids_of(packed: bytes) -> Ids:
    """Ids with one space between them as a column."""
    data = np.frombuffer(packed + bytes(WORD), dtype=np.uint8)
    spaces = np.flatnonzero(data == _SPACE)
    start = np.concatenate(([0], spaces + 1))
    return Ids(data, start, np.concatenate((spaces, [len(packed)])) - start)


def _refusal_of_moved(shown: Sequence[bytes], own: Sequence[bytes], score: Floats) -> str | None:
    """Of the places at which an order differs from the run by falling score, and the scores there."""
    if sorted(shown) != sorted(own):
        return _NO_PERMUTATION
    # By falling score, a permutation has the same score at every place.
    score_of = dict(zip(own, score.tolist(), strict=True))
    return None if [score_of[doc] for doc in shown] == score.tolist() else _NOT_FALLING


def _refusal(shown: Sequence[str], docs: Sequence[str], scores: Sequence[float], judged: set[str]) -> str | None:
    """Of a whole list, and the lines of the run with their scores."""
    score: Mapping[str, float] = dict(zip(docs, scores, strict=True))
    own, added = shown[: len(score)], shown[len(score) :]
    if set(own) != set(score) or len(own) != len(score):
        return _NO_PERMUTATION
    if any(doc in score or doc not in judged for doc in added) or len(set(added)) != len(added):
        return "the order it showed has documents that are neither in the run nor judged"
    falling = all(score[one] >= score[next_one] for one, next_one in itertools.pairwise(own))
    return None if falling else _NOT_FALLING
