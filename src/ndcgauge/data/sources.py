"""Where qrels and runs come from: a file, a packed file, a pipe, standard input."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ndcgauge.data.packing import MAX_BYTES, Unpacked, packing_of, too_large
from ndcgauge.errors import InputError

if TYPE_CHECKING:
    import tempfile

_CHUNK = 1 << 20


class Source:
    """The bytes of one input, readable as often as needed.

    What can be read only once (standard input, a pipe) and what evaluators cannot read packed is
    kept in a private temporary folder, which goes when the source does.
    """

    def __init__(
        self,
        name: str,
        path: Path,
        folder: tempfile.TemporaryDirectory[str] | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.name = name
        """The input as the user named it; `<stdin>` for standard input."""
        self.path = path
        """A file with exactly the user's bytes."""
        self.packing = packing_of(path, name)
        """`none`, `gzip` or `zstd`."""
        self.max_bytes = max_bytes
        """Unpacked bytes beyond which reading is an error."""
        self._folder = folder
        self._written: dict[str, Path] = {}

    @property
    def parts(self) -> Sequence[Source]:
        """The files of the input, one behind the other; itself where it is one file."""
        return (self,)

    @property
    def size(self) -> int:
        """Number of bytes, packed as they are."""
        return self.path.stat().st_size

    def open(self) -> Unpacked:
        """The unpacked bytes, from the start. Raises InputError where they cannot be read."""
        try:
            return Unpacked(self.path, self.packing, self.name, self.max_bytes)
        except OSError as error:
            raise _unopened(self.name, error) from None

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the bytes as the user's file has them, 64 hex digits."""
        import hashlib

        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @cached_property
    def unpacked_sha256(self) -> str:
        """SHA-256 of the unpacked bytes, 64 hex digits."""
        if self.packing == "none":
            return self.sha256
        import hashlib

        digest = hashlib.sha256()
        with self.open() as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
        return digest.hexdigest()

    def unpacked_path(self) -> Path:
        """A plain file with the unpacked bytes, for evaluators: the user's own where it is not packed.

        Made once. Raises InputError where the packed data is damaged or the disk is full.
        """
        return self.path if self.packing == "none" else self._unpacked_copy

    def release(self) -> None:
        """Deletes what was made of the input for evaluators; it is made again where it is asked for again."""
        for path in self._written.values():
            path.unlink(missing_ok=True)
        self._written.clear()
        copy: Path | None = self.__dict__.pop("_unpacked_copy", None)
        if copy is not None:
            copy.unlink(missing_ok=True)

    def written(self, name: str, write: Callable[[BinaryIO], None]) -> Path:
        """A file of that name in the private folder, made by `write` once.

        Raises InputError where the disk is full; nothing half-written is kept.
        """
        if name not in self._written:
            if self._folder is None:
                self._folder = _private_folder()
            path = Path(self._folder.name) / name
            try:
                with path.open("wb") as file:
                    write(file)
            except OSError as error:
                path.unlink(missing_ok=True)
                raise InputError(
                    f"a temporary file cannot be written: {error.strerror}",
                    file=self.name,
                    fix="make room where temporary files go, or name another folder with TMPDIR",
                ) from None
            self._written[name] = path
        return self._written[name]

    @cached_property
    def _unpacked_copy(self) -> Path:
        if self._folder is None:
            self._folder = _private_folder()
        name = Path(self.name).name
        target = Path(self._folder.name) / f"unpacked-{Path(name).stem if name.endswith(('.gz', '.zst')) else name}"
        try:
            with self.open() as stream, target.open("xb") as copy:
                while chunk := stream.read(_CHUNK):
                    copy.write(chunk)
        except OSError as error:
            raise InputError(f"the unpacked copy cannot be written: {error.strerror}", file=self.name) from None
        return target


def open_source(name: str | Path, stdin: BinaryIO | None = None, *, max_bytes: int = MAX_BYTES) -> Source:
    """The source that a user names: a path, or `-` for standard input (`stdin`, if given).

    Raises InputError for a file that is missing, is a directory, may not be read, or is in a
    format that is not read.
    """
    if str(name) == "-":
        return _spooled("<stdin>", sys.stdin.buffer if stdin is None else stdin, max_bytes)
    path = Path(name)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise InputError("this is a directory, not a file", file=str(name), fix="name the file inside it")
        if not stat.S_ISREG(mode):
            with path.open("rb") as pipe:
                return _spooled(str(name), pipe, max_bytes)
        return Source(str(name), path, max_bytes=max_bytes)
    except OSError as error:
        raise _unopened(str(name), error) from None
    except ValueError as error:
        # A path with a NUL in it.
        raise InputError(f"this is no path: {error}", file=repr(str(name))) from None


def written_source(name: str, write: Callable[[BinaryIO], None], max_bytes: int = MAX_BYTES) -> Source:
    """A source of what `write` writes, in a private temporary file.

    Raises InputError where the disk is full.
    """
    folder = _private_folder()
    path = Path(folder.name) / "input"
    try:
        with path.open("xb") as file:
            write(file)
    except OSError as error:
        raise InputError(f"the input cannot be kept in a temporary file: {error.strerror}", file=name) from None
    return Source(name, path, folder, max_bytes)


def _unopened(name: str, error: OSError) -> InputError:
    if isinstance(error, FileNotFoundError):
        parent = Path(name).parent
        fix = "check the spelling" if parent.is_dir() else f"there is no folder {parent} either; check the path"
        return InputError("there is no such file", file=name, fix=fix)
    if isinstance(error, PermissionError):
        return InputError("the file may not be read (permission denied)", file=name, fix="ask its owner, or copy it")
    return InputError(f"the file cannot be opened: {error.strerror or error}", file=name)


def _private_folder() -> tempfile.TemporaryDirectory[str]:
    # Imported where it is needed: with what it imports it takes as long as five thousand lines.
    import tempfile

    return tempfile.TemporaryDirectory(prefix=f"ndcgauge-{os.getpid()}-")


def _spooled(name: str, stream: BinaryIO, max_bytes: int) -> Source:
    folder = _private_folder()
    path = Path(folder.name) / "input"
    try:
        with path.open("xb") as copy:
            left = max_bytes
            while chunk := stream.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise too_large(name, max_bytes)
                copy.write(chunk)
    except OSError as error:
        raise InputError(f"the input cannot be kept in a temporary file: {error.strerror}", file=name) from None
    return Source(name, path, folder, max_bytes)
