"""A qrels file, block by block, to its judgments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ndcgauge.data.blocks import at_line, blocks
from ndcgauge.data.columns import QrelsColumns, joined_qrels
from ndcgauge.data.comments import Comments
from ndcgauge.data.judgments import Judgments, judgments_of
from ndcgauge.data.options import ReadingOptions
from ndcgauge.data.sources import Source

ReadQrels = Callable[[bytes, int, str], QrelsColumns]
"""Of whole lines, the number of the first, and the file's name: its columns."""


class QrelsRead(NamedTuple):
    """Qrels as they are kept."""

    judgments: Judgments
    lines: int
    """Lines with a judgment."""
    comments: Sequence[bytes]


def read_judgments(source: Source, options: ReadingOptions, read: ReadQrels) -> QrelsRead:
    """Reads qrels. Raises InputError for anything that they cannot be read as."""
    parts: list[QrelsColumns] = []
    comments = Comments()
    line = 1
    for block in blocks(source, at_line, size=options.block, on_nul=options.on_nul):
        columns = read(block.data, line, source.name)
        parts.append(columns)
        comments.add(block.data)
        line += block.newlines if columns.newlines is None else columns.newlines
        options.progress(source.name, block.end)
    lines = sum(len(part.query) for part in parts)
    judgments = judgments_of(joined_qrels(parts))
    if judgments.repeat is not None and options.on_duplicate == "error":
        from ndcgauge.data.repeats import repeated

        raise repeated(source, judgments.repeat)
    return QrelsRead(judgments, lines, comments.kept)
