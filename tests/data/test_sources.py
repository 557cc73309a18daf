"""Where bytes come from: files, packed files, pipes, standard input."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import stat
import threading
from pathlib import Path

import pytest
import zstandard
from tests.data.writing import source

from ndcgauge.data.sources import Source, open_source
from ndcgauge.errors import InputError

TEXT = b"\xef\xbb\xbfq1 Q0 a 1 2.0 t\r\n# c\n\n" * 50_000


def everything(opened: Source, size: int = 1 << 16) -> bytes:
    with opened.open() as stream:
        return b"".join(iter(lambda: stream.read(size), b""))


def test_a_plain_file_is_its_own_unpacked_file(tmp_path: Path) -> None:
    opened = source(tmp_path, "run.txt", TEXT)
    assert opened.unpacked_path() == tmp_path / "run.txt"
    assert opened.sha256 == opened.unpacked_sha256 == hashlib.sha256(TEXT).hexdigest()
    assert everything(opened) == TEXT
    assert opened.size == len(TEXT)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_packed_file_is_unpacked_once_byte_for_byte(tmp_path: Path, suffix: str) -> None:
    opened = source(tmp_path, f"run.txt{suffix}", TEXT)
    path = opened.unpacked_path()
    assert path.read_bytes() == TEXT
    assert opened.unpacked_path() == path
    assert path.name.endswith("run.txt")
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert everything(opened) == TEXT
    assert opened.unpacked_sha256 == hashlib.sha256(TEXT).hexdigest()
    assert opened.sha256 == hashlib.sha256((tmp_path / f"run.txt{suffix}").read_bytes()).hexdigest()
    del opened
    assert not path.exists()


def test_packed_parts_one_behind_the_other_are_one_file(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    (tmp_path / "a.zst").write_bytes(b"".join(zstandard.compress(each) for each in (b"one\n", b"two\n")))
    assert everything(open_source(tmp_path / "a.gz")) == b"one\ntwo\n"
    assert everything(open_source(tmp_path / "a.zst"), 3) == b"one\ntwo\n"


def test_the_bytes_say_that_a_file_is_packed(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_bytes(gzip.compress(TEXT))
    assert everything(open_source(tmp_path / "run.txt")) == TEXT


@pytest.mark.parametrize("name", ["run.gz", "run.zst"])
def test_a_name_that_promises_packing_is_held_to_it(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"q1 Q0 a 1 2.0 t\n")
    with pytest.raises(InputError, match="the bytes do not"):
        open_source(tmp_path / name)


@pytest.mark.parametrize(("magic", "what"), [(b"PK\x03\x04", "ZIP"), (b"BZh9", "bzip2"), (b"\x04\x22\x4d\x18", "lz4")])
def test_formats_that_are_not_read_are_named(tmp_path: Path, magic: bytes, what: str) -> None:
    (tmp_path / "run").write_bytes(magic + b"...")
    with pytest.raises(InputError, match=what):
        open_source(tmp_path / "run")


@pytest.mark.parametrize("data", [TEXT, gzip.compress(TEXT)])
def test_standard_input_is_kept_as_it_is(data: bytes) -> None:
    opened = open_source("-", io.BytesIO(data))
    assert opened.name == "<stdin>"
    assert opened.path.read_bytes() == data
    assert opened.sha256 == hashlib.sha256(data).hexdigest()
    assert everything(opened) == TEXT == everything(opened)
    assert opened.unpacked_path().read_bytes() == TEXT
    assert stat.S_IMODE(opened.path.parent.stat().st_mode) == 0o700


def test_a_pipe_is_kept_and_read_as_often_as_needed(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(TEXT,))
    writer.start()
    opened = open_source(pipe)
    writer.join()
    assert opened.name == str(pipe)
    assert everything(opened) == TEXT == everything(opened)


def test_a_stream_goes_on_to_a_position(tmp_path: Path) -> None:
    for name in ("run", "run.gz", "run.zst"):
        with source(tmp_path, name, TEXT).open() as stream:
            stream.skip_to(100_000)
            assert stream.read(50) == TEXT[100_000:100_050]
            assert stream.offset == 100_050
