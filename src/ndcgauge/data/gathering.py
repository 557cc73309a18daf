"""All lines of a run whose queries do not stand together, held compactly until they can be sorted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import Ints
from ndcgauge.data.columns import RunColumns, stable_order
from ndcgauge.data.ids import WORD, Ids

SLICE = 200_000
"""Lines that are sorted out and reduced at a time, if no query has more."""


class Gathered:
    """Columns of many blocks, each number in as few bytes as it needs."""

    def __init__(self) -> None:
        self._codes: dict[bytes, int] = {}
        self._query: list[NDArray[np.int32]] = []
        self._length: list[NDArray[np.int32]] = []
        self._rank: list[NDArray[np.float64]] = []
        self._score: list[NDArray[np.float64]] = []
        self._line: list[Ints] = []
        self._bytes: list[NDArray[np.uint8]] = []

    def add(self, columns: RunColumns) -> None:
        """Takes the lines of a block."""
        codes = self._codes
        table = np.fromiter((codes.setdefault(each, len(codes)) for each in columns.queries), np.int32)
        self._query.append(table[columns.query])
        self._length.append(columns.doc.length.astype(np.int32))
        self._rank.append(columns.rank)
        self._score.append(columns.score)
        self._line.append(columns.line)
        self._bytes.append(columns.doc.packed())

    def complete_queries(self) -> Iterator[RunColumns]:
        """The lines sorted by query, some complete queries at a time; they are given away."""
        query = _taken(self._query, np.int32)
        order = stable_order(query.astype(np.int64), len(self._codes))
        rank, score = _taken(self._rank, np.float64), _taken(self._score, np.float64)
        line, length = _taken(self._line, np.int64), _taken(self._length, np.int32)
        self._bytes.append(np.zeros(WORD, dtype=np.uint8))
        data = _taken(self._bytes, np.uint8)
        start = np.cumsum(length, dtype=np.int64) - length
        names = list(self._codes)
        ends = np.cumsum(np.bincount(query, minlength=len(names))).tolist()
        del query
        first, begin = 0, 0
        for last, end in enumerate(ends, 1):
            if end - begin < SLICE and last < len(ends):
                continue
            here = order[begin:end]
            counts = np.diff(ends[first:last], prepend=begin)
            yield RunColumns(
                names[first:last],
                np.repeat(np.arange(last - first, dtype=np.int64), counts),
                Ids(data, start[here], length[here].astype(np.int64)),
                rank[here],
                score[here],
                line[here],
            )
            first, begin = last, end


def _taken(columns: list[NDArray[Any]], of: type[np.generic]) -> NDArray[Any]:
    """The columns as one, their parts let go."""
    whole = np.concatenate(columns) if columns else np.zeros(0, dtype=of)
    columns.clear()
    return whole
