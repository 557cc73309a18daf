"""Bombs: a few kilobytes that unpack to gigabytes are refused at the limit, in little memory."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from pathlib import Path

import pytest
import zstandard

from ndcgauge.data.sources import open_source
from ndcgauge.errors import InputError


def bomb(folder: Path, packing: str, size: int) -> Path:
    path = folder / f"bomb.{packing}"
    piece = b"0" * (1 << 20)
    with path.open("wb") as file:
        packer = (
            gzip.GzipFile(fileobj=file, mode="wb")
            if packing == "gz"
            else zstandard.ZstdCompressor().stream_writer(file)
        )
        with packer:
            for _ in range(size >> 20):
                packer.write(piece)
    return path


@pytest.mark.parametrize("packing", ["gz", "zst"])
def test_a_bomb_is_refused_at_the_limit_in_little_memory(tmp_path: Path, packing: str) -> None:
    path = bomb(tmp_path, packing, 1 << 30)
    assert path.stat().st_size < 2 << 20
    tracemalloc.start()
    with open_source(path, max_bytes=100 << 20).open() as stream:

        def read_all() -> None:
            while stream.read(1 << 20):
                pass

        with pytest.raises(InputError, match="unpacked bytes") as caught:
            read_all()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "--max-bytes" in (caught.value.fix or "")
    assert peak < 80 << 20


def test_the_limit_holds_for_copies_and_for_standard_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unpacked bytes"):
        open_source(bomb(tmp_path, "gz", 4 << 20), max_bytes=1 << 20).unpacked_path()
    with pytest.raises(InputError, match="unpacked bytes"):
        open_source("-", io.BytesIO(b"x" * 2000), max_bytes=1000)


@pytest.mark.parametrize("packing", ["gz", "zst"])
def test_what_is_within_the_limit_is_read_whole(tmp_path: Path, packing: str) -> None:
    with open_source(bomb(tmp_path, packing, 3 << 20), max_bytes=3 << 20).open() as stream:
        assert sum(len(piece) for piece in iter(lambda: stream.read(100_000), b"")) == 3 << 20


def test_several_zstd_frames_are_one_text(tmp_path: Path) -> None:
    (tmp_path / "two.zst").write_bytes(
        b"".join(zstandard.ZstdCompressor().compress(each) for each in (b"a" * 5000, b"b"))
    )
    with open_source(tmp_path / "two.zst").open() as stream:
        assert stream.read(10_000) + stream.read(10) == b"a" * 5000 + b"b"
