"""The complete lists of some queries, read again from the run where a person looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ndcgauge.data.collection import RunLine
from ndcgauge.data.ids import decode, encode
from ndcgauge.data.packing import Unpacked
from ndcgauge.data.run_reading import Extent
from ndcgauge.data.sources import Source
from ndcgauge.errors import InputError

_PIECE = 4 << 20


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
        raise InputError("the file changed after it was read", file=source.name, fix="run the command again") from None
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
