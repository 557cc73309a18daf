"""The whole lists of a run, kept compactly while it is read, for a caller that will look at all of them once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import Floats, Ints
from ndcgauge.data.columns import RunColumns
from ndcgauge.data.compact_ids import CompactIds

MOST = 1 << 30
"""Bytes of what is kept (of the file, where the lines of its queries do not stand together) beyond which nothing is:
the run is then read again."""


class _Block(NamedTuple):
    """Complete queries, their lines sorted by query and else as they stand."""

    queries: Sequence[bytes]
    query: Ints
    """(queries with lines,) index of each."""
    lines: Ints
    """(queries with lines,) lines of each."""
    docs: CompactIds
    rank: Floats | NDArray[np.float32]
    """In single precision where that holds every rank."""
    score: Floats
    first_line: int
    line: NDArray[np.int32] | None
    """(lines,) how far each stands behind the first; None where one follows the other."""


class Kept:
    """Blocks of complete queries."""

    def __init__(self) -> None:
        self._blocks: list[_Block] = []
        self._bytes = 0

    @property
    def complete(self) -> bool:
        """Whether everything was kept."""
        return self._bytes <= MOST

    def add(self, columns: RunColumns) -> None:
        """Takes the lines of a block; lets go of all where it is too much."""
        if not self.complete or not columns.queries:
            return
        columns = columns.by_query()
        borders = np.flatnonzero(np.diff(columns.query, prepend=-1))
        with np.errstate(over="ignore"):
            single = columns.rank.astype(np.float32)
        rank = single if bool((single == columns.rank).all()) else columns.rank
        first_line = int(columns.line[0])
        behind = (columns.line - first_line).astype(np.int32)
        one_by_one = bool((behind == np.arange(len(behind), dtype=np.int32)).all())
        docs = CompactIds.of(columns.doc)
        self._bytes += docs.data.nbytes + docs.length.nbytes + rank.nbytes + columns.score.nbytes
        self._bytes += 0 if one_by_one else behind.nbytes
        self._blocks.append(
            _Block(
                columns.queries,
                columns.query[borders],
                np.diff(borders, append=len(columns.query)),
                docs,
                rank,
                columns.score,
                first_line,
                None if one_by_one else behind,
            )
        )
        if not self.complete:
            self._blocks.clear()

    def __iter__(self) -> Iterator[RunColumns]:
        """The blocks, as they were."""
        for block in self._blocks:
            size = len(block.score)
            behind = np.arange(size) if block.line is None else block.line.astype(np.int64)
            yield RunColumns(
                block.queries,
                np.repeat(block.query, block.lines),
                block.docs.between(0, size),
                block.rank.astype(np.float64, copy=False),
                block.score,
                behind + block.first_line,
            )
