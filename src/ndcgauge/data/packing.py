"""Bytes of a file as they are inside: plain, gzip or zstd, told by the first bytes."""

from __future__ import annotations

import io
import zlib
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from ndcgauge.errors import InputError

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
_SUFFIXES = {".gz": "gzip", ".zst": "zstd"}
_OTHERS = {
    b"PK\x03\x04": "a ZIP archive",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ\x00": "an xz file",
    b"\x04\x22\x4d\x18": "an lz4 file",
    b"ARROW1": "an Arrow file",
}

_PACKED_CHUNK = 1 << 17
"""Packed bytes that are read at a time."""
_PIECE = 1 << 17
"""Unpacked bytes that are asked for at a time."""
_ZSTD_PIECE = 1 << 10
"""Packed bytes that zstd is given at a time: four bytes can unpack to 128 KiB, so that these give 32 MiB at most."""
MAX_BYTES = 8 << 30
"""Unpacked bytes of an input beyond which it is refused (`--max-bytes`): a few kilobytes can unpack to terabytes."""


class _Reads(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Zstd:
    """A zstd stream that says where it is cut short, which the library's own reader does not."""

    def __init__(self, file: io.FileIO) -> None:
        import zstandard

        self._file = file
        self._damage = zstandard.ZstdError
        self._decompressor = zstandard.ZstdDecompressor()
        self._frame = self._decompressor.decompressobj()
        self._untouched = True
        self._packed = b""
        self._ready = bytearray()

    def read(self, size: int, /) -> bytes:
        while len(self._ready) < size:
            packed = self._packed or self._file.read(_PACKED_CHUNK)
            if not packed:
                if not self._frame.eof and not self._untouched:
                    raise EOFError("the last frame is cut short")
                break
            self._packed = packed
            while self._packed and len(self._ready) < size:
                piece, self._packed = self._packed[:_ZSTD_PIECE], self._packed[_ZSTD_PIECE:]
                try:
                    self._ready += self._frame.decompress(piece)
                except self._damage as error:
                    raise OSError(str(error)) from None
                self._untouched = False
                if self._frame.eof:
                    self._packed = self._frame.unused_data + self._packed
                    self._frame = self._decompressor.decompressobj()
                    self._untouched = True
        taken = bytes(self._ready[:size])
        del self._ready[:size]
        return taken


class Unpacked:
    """The bytes inside a file, front to back; damage is an InputError with the file's name."""

    def __init__(self, path: Path, packing: str, name: str, max_bytes: int = MAX_BYTES) -> None:
        self._name = name
        self._packing = packing
        self._max_bytes = max_bytes
        self.offset = 0
        """Position of the next byte."""
        self._file = io.FileIO(path)
        self._reader: _Reads = self._file
        if packing == "gzip":
            import gzip

            self._reader = gzip.GzipFile(fileobj=io.BufferedReader(self._file, _PACKED_CHUNK), mode="rb")
        elif packing == "zstd":
            self._reader = _Zstd(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; none at the end only. Raises InputError for damaged data, and beyond `max_bytes`."""
        try:
            data = self._reader.read(size)
        except (EOFError, zlib.error, OSError) as error:
            raise self._damaged(error) from None
        self._count(len(data))
        return data

    def read_into(self, room: memoryview) -> int:
        """As `read`, up to the size of `room` and into it; the number of bytes read, 0 at the end only."""
        if self._packing != "none":
            # In pieces, which are let go at once: a whole block beside the room for it would be held twice.
            filled = 0
            while filled < len(room) and (data := self.read(min(_PIECE, len(room) - filled))):
                room[filled : filled + len(data)] = data
                filled += len(data)
            return filled
        try:
            count = self._file.readinto(room)
        except OSError as error:
            raise self._damaged(error) from None
        self._count(count)
        return count

    def skip_to(self, offset: int) -> None:
        """Goes on to a position that is not behind."""
        if self._packing == "none":
            self._file.seek(offset)
            self.offset = offset
        while self.offset < offset and self.read(min(1 << 22, offset - self.offset)):
            pass

    def _count(self, more: int) -> None:
        self.offset += more
        if self.offset > self._max_bytes:
            raise too_large(self._name, self._max_bytes)

    def _damaged(self, error: Exception) -> InputError:
        if self._packing == "none":
            return InputError(f"the file cannot be read: {error}", file=self._name)
        return InputError(
            f"the {self._packing} data is cut short or damaged after {self.offset:,} unpacked bytes ({error})",
            file=self._name,
            fix="get the file again, or pack it again from the original",
        )


def too_large(name: str, max_bytes: int) -> InputError:
    """The error for an input with more than `--max-bytes` unpacked bytes."""
    return InputError(
        f"the input has more than {max_bytes:,} unpacked bytes",
        file=name,
        fix="where it is meant to be as large, allow more with --max-bytes, for example --max-bytes 20G",
    )


def packing_of(path: Path, name: str) -> str:
    """`none`, `gzip` or `zstd`, by the first bytes of a file.

    Raises InputError for packings and formats that are not read, and for a file whose name says
    that it is packed and whose bytes do not.
    """
    with path.open("rb") as file:
        head = file.read(8)
    if head.startswith(GZIP):
        return "gzip"
    if head.startswith(ZSTD):
        return "zstd"
    for magic, what in _OTHERS.items():
        if head.startswith(magic):
            raise InputError(
                f"this is {what}, which is not read",
                file=name,
                fix="give text (TREC, TSV, JSON), plain, .gz or .zst; or Parquet",
            )
    promised = _SUFFIXES.get(Path(name).suffix)
    if promised is not None and head:
        raise InputError(
            f"the name says {promised}, the bytes do not",
            file=name,
            fix=f"take {Path(name).suffix} off the name if the file is plain text",
        )
    return "none"
