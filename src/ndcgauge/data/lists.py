"""The complete lists of queries, read again from the run: of some as lines where a person looks, of all as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ndcgauge.data.collection import RunLine
from ndcgauge.data.columns import RunColumns
from ndcgauge.data.ids import decode, encode
from ndcgauge.data.packing import Unpacked
from ndcgauge.data.run_reading import Extent
from ndcgauge.data.sources import Source
from ndcgauge.errors import InputError

_PIECE = 4 << 20

Read = Callable[[bytes, int, str], RunColumns]
"""Of whole lines, the number of the first, and the file's name: its columns."""


def complete_queries(source: Source, extents: Sequence[Extent], read: Read) -> Iterator[RunColumns]:
    """Every line of the run, some complete queries at a time, sorted by query and else as they stand.

    extents: of each part of the run; the same one for all where the lines of a query do not stand together.

    Raises InputError where the file is not the one that was read any more.
    """
    scattered = len(extents) > 1 and len(set(extents)) == 1
    pieces = _blocks(source, extents[0], read) if scattered else _pieces(source, extents, read)
    yield from together(pieces) if scattered else (each.by_query() for each in pieces)


def together(pieces: Iterable[RunColumns]) -> Iterator[RunColumns]:
    """Columns whose queries may stand in several of them, as complete queries."""
    from ndcgauge.data.gathering import Gathered

    gathered = Gathered()
    for columns in pieces:
        gathered.add(columns)
    for columns in gathered.complete_queries():
        yield columns.by_query()


def _pieces(source: Source, extents: Sequence[Extent], read: Read) -> Iterator[RunColumns]:
    with source.open() as stream:
        for extent in sorted(extents, key=lambda each: each.offset):
            stream.skip_to(extent.offset)
            data = b"".join(_of_extent(stream, extent.size, source))
            yield read(data, extent.first_line, source.name)


def _blocks(source: Source, extent: Extent, read: Read) -> Iterator[RunColumns]:
    number, rest = extent.first_line, b""
    with source.open() as stream:
        stream.skip_to(extent.offset)
        for data in _of_extent(stream, extent.size, source):
            lines, newline, rest = (rest + data).rpartition(b"\n")
            if newline:
                yield read(lines + newline, number, source.name)
                number += lines.count(b"\n") + 1
    if rest:
        yield read(rest, number, source.name)


def _of_extent(stream: Unpacked, size: int, source: Source) -> Iterator[bytes]:
    while size:
        data = stream.read(min(size, _PIECE))
        if not data:
            raise _changed(source)
        size -= len(data)
        yield data


def _changed(source: Source) -> InputError:
    return InputError("the file changed after it was read", file=source.name, fix="run the command again")


def read_lists(
    source: Source, places: Sequence[tuple[Sequence[bytes], Extent]], queries: Sequence[str]
) -> Mapping[str, Sequence[RunLine]]:
    """Every line of some queries, in file order, whatever `run_duplicates` says; none for a query that the run lacks.

    places: the queries of each piece of the file.

    Raises InputError where the file is not the one that was read any more.
    """
    found: dict[bytes, list[RunLine]] = {encode(query): [] for query in queries}
    wanted = {extent for held, extent in places if not found.keys().isdisjoint(held)}
    try:
        with source.open() as stream:
            for extent in sorted(wanted, key=lambda each: each.offset):
                _read_extent(stream, extent, found)
    except (ValueError, IndexError):
        raise _changed(source) from None
    return {query: found[encode(query)] for query in queries}


def _read_extent(stream: Unpacked, extent: Extent, found: Mapping[bytes, list[RunLine]]) -> None:
    stream.skip_to(extent.offset)
    left, number, rest = extent.size, extent.first_line, b""
    while left:
        data = stream.read(min(left, _PIECE))
        if not data:
            raise ValueError("the file is shorter than it was")
        left -= len(data)
        *lines, rest = (rest + data).split(b"\n")
        for line in lines if left else (*lines, rest):
            fields = line.split(None, 5)
            if fields and fields[0] in found and not line.startswith(b"#"):
                found[fields[0]].append(RunLine(decode(fields[2]), decode(fields[3]), float(fields[4]), number))
            number += 1
