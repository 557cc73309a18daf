"""A run, block by block, to its judged rows.

Where the lines of each query stand together, as they do in nearly all runs, a block holds
complete queries and is reduced to its judged rows at once: memory is bounded by the block. Where
a query turns up again after it was done with, the run is read a second time and its lines are
gathered and sorted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ndcgauge.data.blocks import QueryTooWide, at_line, at_query, blocks
from ndcgauge.data.columns import RunColumns
from ndcgauge.data.comments import Comments
from ndcgauge.data.extraction import Part, extract
from ndcgauge.data.judgments import Judgments, Repeat
from ndcgauge.data.options import ReadingOptions
from ndcgauge.data.sources import Source
from ndcgauge.errors import InputError

if TYPE_CHECKING:
    from ndcgauge.data.gathering import Gathered
    from ndcgauge.data.keeping import Kept

ReadRun = Callable[[bytes, int, str], RunColumns]
"""Of whole lines, the number of the first, and the file's name: its columns."""


class Extent(NamedTuple):
    """A piece of the unpacked file that holds all lines of some queries."""

    offset: int
    size: int
    first_line: int


class RunParts(NamedTuple):
    """A run as it is kept."""

    parts: Sequence[Part]
    extents: Sequence[Extent]
    """(parts,) where the lines of each part stand."""
    lines: int
    """Lines with a document."""
    comments: Sequence[bytes]
    complete: Callable[[], Iterator[RunColumns]] | None = None
    """All lines, some complete queries at a time, sorted by query, where they were kept."""


def read_run_parts(source: Source, judgments: Judgments, options: ReadingOptions, read: ReadRun) -> RunParts:
    """Reads a run. Raises InputError for anything that it cannot be read as."""
    with contextlib.suppress(QueryTooWide, _TurnsUpAgain):
        return _in_order(source, judgments, options, read)
    # Only now: while an exception is handled, all that was read until then is held.
    return _out_of_order(source, judgments, options, read)


class _TurnsUpAgain(Exception):
    """A query has lines in a block after the one that it was taken to be complete in."""


def _in_order(source: Source, judgments: Judgments, options: ReadingOptions, read: ReadRun) -> RunParts:
    parts: list[Part] = []
    extents: list[Extent] = []
    comments = Comments()
    done: set[bytes] = set()
    kept = _kept() if options.needs.lists else None
    line = 1
    for block in blocks(source, at_query, size=options.block, on_nul=options.on_nul):
        columns = read(block.data, line, source.name)
        comments.add(block.data)
        if not done.isdisjoint(columns.queries):
            raise _TurnsUpAgain
        done.update(columns.queries)
        if columns.queries:
            part = extract(columns, judgments, options.needs)
            if part.repeat is not None and options.on_duplicate == "error":
                raise _repeated(source, part.repeat)
            parts.append(part)
            if kept is not None:
                kept.add(columns)
            extents.append(Extent(block.offset, len(block.data), line))
        line += block.newlines if columns.newlines is None else columns.newlines
        options.progress(source.name, block.end)
    complete = None if kept is None or not kept.complete else kept.__iter__
    return RunParts(parts, extents, sum(part.lines for part in parts), comments.kept, complete)


def _kept() -> Kept:
    # Imported late: few callers need it.
    from ndcgauge.data.keeping import Kept

    return Kept()


def _repeated(source: Source, repeat: Repeat) -> InputError:
    from ndcgauge.data.repeats import repeated

    return repeated(source, repeat)


def _out_of_order(source: Source, judgments: Judgments, options: ReadingOptions, read: ReadRun) -> RunParts:
    from ndcgauge.data.gathering import Gathered

    gathered = Gathered()
    comments = Comments()
    line = 1
    begin, end = None, 0
    # Every block has lines of nearly all queries: the larger it is, the fewer times each is met.
    for block in blocks(source, at_line, size=4 * options.block, on_nul=options.on_nul):
        columns = read(block.data, line, source.name)
        gathered.add(columns)
        comments.add(block.data)
        line += block.newlines if columns.newlines is None else columns.newlines
        # Behind a byte-order mark, if there is one.
        begin, end = block.offset if begin is None else begin, block.end
        options.progress(source.name, end)
    parts = [extract(columns, judgments, options.needs) for columns in gathered.complete_queries()]
    repeats = [part.repeat for part in parts if part.repeat is not None]
    if repeats and options.on_duplicate == "error":
        raise _repeated(source, min(repeats, key=lambda repeat: repeat.again))
    everywhere = Extent(begin or 0, end - (begin or 0), 1)
    complete = _sorted_by_query(gathered) if options.needs.lists and end <= _most() else None
    return RunParts(parts, [everywhere] * len(parts), sum(part.lines for part in parts), comments.kept, complete)


def _most() -> int:
    from ndcgauge.data import keeping

    return keeping.MOST


def _sorted_by_query(gathered: Gathered) -> Callable[[], Iterator[RunColumns]]:
    return lambda: (columns.by_query() for columns in gathered.complete_queries())
