"""A stream of bytes as blocks of whole lines, with what concerns bytes alone seen to.

A byte-order mark is removed, NUL bytes and endless lines are found, and a block can be cut where
the query changes, so that every query of it is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ndcgauge.data.sources import Source
from ndcgauge.errors import InputError

BLOCK = 2 << 20
"""Bytes of a block: large enough for numpy, small enough for the processor's cache."""
WIDEST = 64 << 20
"""Bytes of one query beyond which its lines are gathered like those of a file out of order."""
LONGEST_LINE = 1 << 20
"""Bytes of a line beyond which the file cannot be meant."""

BOM = b"\xef\xbb\xbf"
WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")

Cut = Callable[[bytearray, int], int]
"""Of bytes and the end of their last whole line: where the block is to end; 0 where it must grow."""


class QueryTooWide(Exception):
    """One query is longer than WIDEST."""


class Block(NamedTuple):
    """Whole lines of a file; the last one may lack its newline at the end of the file."""

    data: bytes
    offset: int
    """Position of the first byte in the unpacked file."""

    @property
    def newlines(self) -> int:
        """Number of newlines in the data, counted when it is asked for."""
        return newlines_in(self.data)

    @property
    def end(self) -> int:
        """Position behind the last byte in the unpacked file."""
        return self.offset + len(self.data)


def at_line(data: bytearray, end: int) -> int:
    """Cuts nowhere but after whole lines."""
    del data
    return end


def at_query(data: bytearray, end: int) -> int:
    """Cuts where the last query begins; 0 where there is one query only.

    Lines of one query are taken to stand together, so that few lines need to be looked at: where
    they do not, the block still ends at a change of query.
    """
    start, last = end, None
    while last is None and start > 0:
        # A blank line or a comment at the end says nothing: the query may go on behind it.
        start = data.rfind(b"\n", 0, start - 1) + 1
        last = _query_from(data, start, end)
    if last is None:
        return end
    low, high, step = 0, end, 1 << 14
    while True:
        low = _line_start(data, max(0, high - step))
        if _query_from(data, low, end) not in (None, last):
            break
        if low == 0:
            return 0
        high, step = low, 2 * step
    while True:
        middle = _line_start(data, (low + high) // 2)
        if middle <= low:
            middle = data.find(b"\n", low, end) + 1
        if not low < middle < high:
            return high
        if _query_from(data, middle, end) in (None, last):
            high = middle
        else:
            low = middle


def _line_start(data: bytearray, position: int) -> int:
    return data.rfind(b"\n", 0, position) + 1


def _query_from(data: bytearray, start: int, end: int) -> bytes | None:
    """The query of the first line with one, from a line's start on; None where there is none."""
    while start < end:
        stop = data.find(b"\n", start, end)
        stop = end if stop < 0 else stop
        fields = data[start:stop].split(None, 1)
        if fields and data[start] != ord("#"):
            return bytes(fields[0])
        start = stop + 1
    return None


def blocks(source: Source, cut: Cut, *, size: int = BLOCK, on_nul: str = "error") -> Iterator[Block]:
    """The unpacked bytes of a source as blocks of whole lines, about `size` bytes each.

    on_nul: `error`; `stop`, which ends the file at the first NUL, as trec_eval does; or `keep`.

    Raises InputError for a NUL byte under `error`, for a line of more than LONGEST_LINE bytes,
    and for damaged data; QueryTooWide where `cut` finds nowhere to cut.
    """
    with source.open() as stream:
        head = stream.read(len(BOM))
        offset = len(BOM) if head == BOM else 0
        # One buffer for all blocks: new memory for each would cost more than looking at its bytes. For a small file it
        # is small: to fill it with zeros would take longer than reading.
        if source.packing == "none" and 0 < source.size < size:
            size = source.size + 1
        buffer = bytearray(head[offset:]) + bytes(2 * size)
        have, ended = len(head) - offset, False
        while not ended:
            if len(buffer) - have < size:
                buffer.extend(bytes(max(size, have)))
            with memoryview(buffer) as room:
                count = stream.read_into(room[have : have + size])
            ended = count == 0
            have += count
            if on_nul != "keep" and (nul := buffer.find(b"\0", 0, have)) >= 0:
                if on_nul == "error":
                    raise _nul(source, offset + nul)
                have, ended = nul, True
            endless = _endless(buffer, have)
            if endless is not None:
                line = bytes(buffer[endless : min(have, endless + LONGEST_LINE)])
                raise _too_long(source, offset + endless, line)
            end = have if ended else buffer.rfind(b"\n", 0, have) + 1
            split = end if ended or end == 0 else cut(buffer, end)
            if split:
                with memoryview(buffer) as held_view:
                    block = bytes(held_view[:split])
                yield Block(block, offset)
                buffer[: have - split] = buffer[split:have]
                offset, have = offset + split, have - split
            elif have > WIDEST:
                raise QueryTooWide


def newlines_in(data: bytes) -> int:
    """As `data.count`, which is several times slower where lines are short."""
    return int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n")))


def has_mark(source: Source) -> bool:
    """Whether a source begins with the byte-order mark of UTF-8."""
    with source.open() as stream:
        return stream.read(len(BOM)) == BOM


def line_at(source: Source, offset: int) -> tuple[int, bytes]:
    """Number, from 1, and beginning of the line in which a byte of the unpacked source stands."""
    number, line = 1, b""
    with source.open() as stream:
        while stream.offset < offset and (data := stream.read(min(BLOCK, offset - stream.offset))):
            newlines = newlines_in(data)
            number += newlines
            line = data[data.rfind(b"\n") + 1 :] if newlines else (line + data)[:LONGEST_LINE]
        return number, line + stream.read(400).split(b"\n")[0]


def text_of_line(source: Source, number: int) -> bytes:
    """The beginning of a line of the unpacked source, by its number, from 1."""
    left = number - 1
    with source.open() as stream:
        while data := stream.read(BLOCK):
            newlines = newlines_in(data)
            if newlines > left or (newlines == left and not data.endswith(b"\n")):
                lines = (data + stream.read(LONGEST_LINE)).split(b"\n", left + 1)
                return lines[left].removeprefix(BOM) if number == 1 else lines[left]
            left -= newlines
    return b""


def _endless(data: bytearray, end: int) -> int | None:
    """Where a line of more than LONGEST_LINE bytes begins; None where there is none."""
    start = 0
    while end - start > LONGEST_LINE:
        newline = data.rfind(b"\n", start, start + LONGEST_LINE + 1)
        if newline < 0:
            return start
        start = newline + 1
    return None


def _too_long(source: Source, offset: int, line: bytes) -> InputError:
    from ndcgauge.data.refusals import looks_binary, shown

    number, _ = line_at(source, offset)
    return InputError(
        f"a line of more than {LONGEST_LINE:,} bytes",
        file=source.name,
        line=number,
        text=shown(line),
        fix="the file looks binary"
        if looks_binary(line)
        else "put every judgment or retrieved document on its own line",
    )


def _nul(source: Source, offset: int) -> InputError:
    with source.open() as stream:
        wide = stream.read(2) in WIDE_BOMS
    if wide:
        return InputError("this is UTF-16 text", file=source.name, fix="write it as UTF-8")
    from ndcgauge.data.refusals import shown

    number, line = line_at(source, offset)
    return InputError(
        f"a NUL byte at offset {offset:,}; trec_eval stops reading there without a word",
        file=source.name,
        line=number,
        text=shown(line),
        fix="get the file again; or read what trec_eval reads (--on-nul stop), or keep NULs in ids (--on-nul keep)",
    )
