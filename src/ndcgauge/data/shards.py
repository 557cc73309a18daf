"""An input that is a folder, or a split of one: the one file of it, or several that belong together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from ndcgauge.data.packing import MAX_BYTES
from ndcgauge.data.sources import Source, open_source


class Shards(Source):
    """Several files, one behind the other, as one input."""

    def __init__(self, name: str, parts: Sequence[Source], max_bytes: int = MAX_BYTES) -> None:
        super().__init__(name, parts[0].path, max_bytes=max_bytes)
        self._parts = tuple(parts)

    @property
    def parts(self) -> Sequence[Source]:
        """The files."""
        return self._parts

    @property
    def size(self) -> int:
        """Number of bytes of all files, packed as they are."""
        return sum(part.size for part in self._parts)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the bytes of all files in their order, as `cat` would join them; 64 hex digits."""
        import hashlib

        digest = hashlib.sha256()
        for part in self._parts:
            with part.path.open("rb") as file:
                while chunk := file.read(1 << 20):
                    digest.update(chunk)
        return digest.hexdigest()


def open_path(name: str, role: str, max_bytes: int = MAX_BYTES) -> Source:
    """The source that a user names for a role (`qrels`, `run`): a file, `-`, a folder, or a split of one.

    Errors as `open_source` and `files_of`.
    """
    path = Path(name)
    # Neither standard input nor a path with a NUL, about which `open_source` has something to say.
    if name == "-" or "\0" in name:
        return open_source(name, max_bytes=max_bytes)
    if path.is_file():
        return open_source(name, max_bytes=max_bytes)
    from ndcgauge.data.hub_folder import files_of, split_of

    files = files_of(path, role) if path.is_dir() else split_of(path, role)
    if files is None:
        return open_source(name, max_bytes=max_bytes)
    parts = [open_source(file, max_bytes=max_bytes) for file in files]
    return parts[0] if len(parts) == 1 else Shards(name, parts, max_bytes)
