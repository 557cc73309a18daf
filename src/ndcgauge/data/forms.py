"""What a format's module makes of a file once its header, or its first record, was looked at.

`TREC` columns are read by `plain` and `fast`; the forms here are all the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ndcgauge.data.columns import QrelsColumns, RunColumns
from ndcgauge.data.options import ReadingOptions
from ndcgauge.data.sources import Source


@dataclass(frozen=True)
class QrelsForm:
    """How the judgments of a file are read: line by line, or as a whole."""

    title: str
    """What the report says, for example `beir qrels (query-id, corpus-id, score)`."""
    by_line: Callable[[bytes, int, str], QrelsColumns] | None = None
    """Of whole lines, the number of the first, and the file's name."""
    whole: Callable[[Source, ReadingOptions], tuple[QrelsColumns, tuple[str, ...]]] | None = None
    """All judgments, and warnings."""
    unit: str = "line"
    """What the numbers in the column `line` count."""


@dataclass(frozen=True)
class RunForm:
    """How the documents of a run are read: line by line, or as a whole."""

    title: str
    has_scores: bool = True
    """Without scores, the score is 1/rank."""
    has_ranks: bool = True
    """Without ranks, the order of lines is the rank."""
    by_line: Callable[[bytes, int, str], RunColumns] | None = None
    whole: Callable[[Source, ReadingOptions], tuple[RunColumns, tuple[str, ...]]] | None = None
    unit: str = "line"
