"""All lines of a run whose queries do not stand together, held compactly until they can be sorted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import Floats
from ndcgauge.data.columns import RunColumns
from ndcgauge.data.compact_ids import CompactIds
from ndcgauge.data.ids import WORD, Ids, joined

SLICE = 200_000
"""Lines that are sorted out and reduced at a time, if no drawer has more."""
DRAWERS = 64
"""Parts that the lines of every block are laid into by their query, so that all lines are never sorted at once."""


class _Block(NamedTuple):
    """The lines of a block, sorted by drawer and else as they stand."""

    ends: Sequence[int]
    """(drawers,) where the lines of each end."""
    query: NDArray[np.int32]
    docs: CompactIds
    rank: Floats | NDArray[np.float32]
    """In single precision where that holds every rank."""
    score: Floats
    first_line: int
    line: NDArray[np.int32]
    """(lines,) how far each stands behind the first."""

    def of(self, first: int, last: int) -> tuple[int, int]:
        """Where the lines of the drawers from `first` to the one before `last` begin and end."""
        return self.ends[first - 1] if first else 0, self.ends[last - 1]


class Gathered:
    """Columns of many blocks, each number in as few bytes as it needs."""

    def __init__(self) -> None:
        self._codes: dict[bytes, int] = {}
        self._blocks: list[_Block] = []

    def add(self, columns: RunColumns) -> None:
        """Takes the lines of a block."""
        if not columns.queries:
            return
        codes = self._codes
        table = np.fromiter((codes.setdefault(each, len(codes)) for each in columns.queries), np.int32)
        query = table[columns.query]
        drawer = (query % DRAWERS).astype(np.uint8)
        # Of such small numbers NumPy's stable sort counts, and compares none.
        order = np.argsort(drawer, kind="stable")
        first_line = int(columns.line[0])
        with np.errstate(over="ignore"):
            single = columns.rank.astype(np.float32)
        rank = single if bool((single == columns.rank).all()) else columns.rank
        self._blocks.append(
            _Block(
                np.cumsum(np.bincount(drawer, minlength=DRAWERS)).tolist(),
                query[order],
                CompactIds.of(columns.doc.take(order)),
                rank[order],
                columns.score[order],
                first_line,
                (columns.line - first_line).astype(np.int32)[order],
            )
        )

    def complete_queries(self) -> Iterator[RunColumns]:
        """All lines, some complete queries at a time; those of one query as they stand in the file."""
        sizes = np.zeros(DRAWERS, dtype=np.int64)
        for block in self._blocks:
            sizes += np.diff(block.ends, prepend=0)
        first, lines = 0, 0
        for last, size in enumerate(sizes.tolist(), 1):
            lines += size
            if lines and (lines >= SLICE or last == DRAWERS):
                yield self._drawers(first, last)
                first, lines = last, 0

    def _drawers(self, first: int, last: int) -> RunColumns:
        """The lines of the drawers from `first` to the one before `last`."""
        names = list(self._codes)
        drawer = np.arange(len(names)) % DRAWERS
        here = np.flatnonzero((drawer >= first) & (drawer < last))
        place = np.zeros(len(names), dtype=np.int64)
        place[here] = np.arange(len(here))
        cuts = [(block, *block.of(first, last)) for block in self._blocks]
        room = Ids(np.zeros(WORD, dtype=np.uint8), *2 * (np.zeros(0, dtype=np.int64),))
        return RunColumns(
            [names[each] for each in here.tolist()],
            place[np.concatenate([block.query[begin:end] for block, begin, end in cuts])],
            joined([*(block.docs.between(begin, end) for block, begin, end in cuts), room]),
            np.concatenate([block.rank[begin:end] for block, begin, end in cuts]).astype(np.float64, copy=False),
            np.concatenate([block.score[begin:end] for block, begin, end in cuts]),
            np.concatenate([block.line[begin:end] + np.int64(block.first_line) for block, begin, end in cuts]),
        )
