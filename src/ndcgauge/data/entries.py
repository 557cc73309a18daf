"""Judgments and run lines one by one, collected into the columns that every reader ends with."""

from __future__ import annotations

import numpy as np

from ndcgauge.data.columns import QrelsColumns, RunColumns
from ndcgauge.data.ids import Ids


class _Collected:
    def __init__(self) -> None:
        self._codes: dict[bytes, int] = {}
        self._query: list[int] = []
        self._docs: list[bytes] = []
        self._lines: list[int] = []

    def _pair(self, query: bytes, doc: bytes, line: int) -> None:
        self._query.append(self._codes.setdefault(query, len(self._codes)))
        self._docs.append(doc)
        self._lines.append(line)

    def __len__(self) -> int:
        return len(self._lines)


class QrelsEntries(_Collected):
    """Judgments."""

    def __init__(self) -> None:
        super().__init__()
        self._grades: list[float] = []

    def add(self, query: bytes, doc: bytes, grade: float, line: int) -> None:
        """Takes a judgment; `line` tells it from the others of the file, ascending."""
        self._pair(query, doc, line)
        self._grades.append(grade)

    def columns(self) -> QrelsColumns:
        """All of them."""
        return QrelsColumns(
            list(self._codes),
            np.array(self._query, np.int64),
            Ids.of(self._docs),
            np.array(self._grades, np.float64),
            np.array(self._lines, np.int64),
        )


class RunEntries(_Collected):
    """Retrieved documents."""

    def __init__(self) -> None:
        super().__init__()
        self._ranks: list[float] = []
        self._scores: list[float] = []

    def add(self, query: bytes, doc: bytes, rank: float | None, score: float | None, line: int) -> None:
        """Takes a document; `line` tells it from the others of the file, ascending.

        Without a score it is 1/rank (the rank is 1 or more); without a rank the order of lines is the rank.
        """
        if score is None:
            assert rank is not None
            score = 1 / rank
        self._pair(query, doc, line)
        self._ranks.append(line if rank is None else rank)
        self._scores.append(score)

    def columns(self) -> RunColumns:
        """All of them."""
        return RunColumns(
            list(self._codes),
            np.array(self._query, np.int64),
            Ids.of(self._docs),
            np.array(self._ranks, np.float64),
            np.array(self._scores, np.float64),
            np.array(self._lines, np.int64),
        )
