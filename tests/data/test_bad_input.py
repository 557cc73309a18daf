"""Bad input is an error that names the file, the line and a way out; never a number."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import zstandard
from tests.data.writing import LINE_BY_LINE, load, source

from ndcgauge.data.common_queries import require_common_queries
from ndcgauge.data.memory import collection_from_lines
from ndcgauge.data.sources import open_source
from ndcgauge.errors import InputError

QRELS = b"q1 0 a 1\nq1 0 b 0\n"
RUN = b"q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\n"
WAYS = [(LINE_BY_LINE, 4 << 20), (LINE_BY_LINE, 20), (0, 4 << 20), (0, 20)]
both_ways = pytest.mark.parametrize(("small", "block"), WAYS)

BAD_RUN_LINES = {
    "5 columns": (b"q1 Q0 c 3 0.5", "5 columns where there must be 6", "last column"),
    "one column": (b"q1", "1 column where there must be 6", "columns"),
    "MS MARCO": (b"q1\tc\t3", "3 columns", "MS MARCO"),
    "qrels": (b"q1 0 c 1", "4 columns", "the qrels come first"),
    "a title as a score": (b"q1 Q0 c 3 high t", "the score 'high' is no number", "finite decimal"),
    "NaN": (b"q1 Q0 c 3 nan t", "the score 'nan' is not finite", "finite decimal"),
    "infinity": (b"q1 Q0 c 3 -inf t", "the score '-inf' is not finite", "finite decimal"),
    "overflow": (b"q1 Q0 c 3 1e400 t", "the score '1e400' is not finite", "finite decimal"),
    "hexadecimal": (b"q1 Q0 c 3 0x1p3 t", "the score '0x1p3' is no number", "finite decimal"),
    "underscore": (b"q1 Q0 c 3 1_000 t", "the score '1_000' is no number", "finite decimal"),
    "other digits": ("q1 Q0 c 3 ١ t".encode(), "the score '١' is no number", "finite decimal"),
    "decimal comma": (b"q1 Q0 c 3 0,5 t", "the score '0,5' is no number", "finite decimal"),
    "a word as a rank": (b"q1 Q0 c third 0.5 t", "the rank 'third' is no number", "finite decimal"),
    "an id with a space": (
        b"q1 Q0 Big Report 3 7.0 t",
        "the rank 'Report' is no number",
        "7 columns: an id with a space",
    ),
    "JSON": (b'{"q1": {"c": 0.5}}', "3 columns", "JSON"),
    "commas": (b"q1,Q0,c,3,0.5,t", "1 column where", "commas"),
    "repeated": (b"q1 Q0 a 3 0.5 t", "document a of query q1 stands on line 1 already", "--on-duplicate"),
    "repeated, identical": (b"q1 Q0 b 2 1.0 t", "document b of query q1 stands on line 2 already", "--on-duplicate"),
}
BAD_QRELS_LINES = {
    "3 columns": (b"q1 c 1", "3 columns where there must be 4", "query 0 document grade"),
    "5 columns": (b"q1 0 c d 1", "5 columns where there must be 4", "space"),
    "a run": (b"q1 Q0 c 3 0.5 t", "6 columns where there must be 4", "the qrels come first"),
    "a word as a grade": (b"q1 0 c high", "the grade 'high' is no number", "0, 1 or 2"),
    "NaN": (b"q1 0 c NaN", "the grade 'NaN' is not finite", "0, 1 or 2"),
    "infinity": (b"q1 0 c inf", "the grade 'inf' is not finite", "0, 1 or 2"),
    "conflicting": (b"q1 0 a 2", "document a of query q1 stands on line 1 already", "--on-duplicate"),
    "identical": (b"q1 0 b 0", "document b of query q1 stands on line 2 already", "--on-duplicate"),
}


@both_ways
@pytest.mark.parametrize("name", BAD_RUN_LINES)
def test_a_bad_line_of_a_run(tmp_path: Path, name: str, small: int, block: int) -> None:
    line, message, fix = BAD_RUN_LINES[name]
    run = source(tmp_path, "run", RUN + line + b"\nq2 Q0 a 1 1 t\n")
    with pytest.raises(InputError) as caught:
        load(source(tmp_path, "qrels", QRELS), run, small=small, block=block)
    error = caught.value
    assert (error.file, error.line, error.text) == (run.name, 3, line.decode().replace("\t", "\\t"))
    assert message in error.message
    assert error.fix is not None
    assert fix in error.fix


@both_ways
@pytest.mark.parametrize("name", BAD_QRELS_LINES)
def test_a_bad_line_of_qrels(tmp_path: Path, name: str, small: int, block: int) -> None:
    line, message, fix = BAD_QRELS_LINES[name]
    qrels = source(tmp_path, "qrels", QRELS + line + b"\nq2 0 a 1\n")
    with pytest.raises(InputError) as caught:
        load(qrels, source(tmp_path, "run", RUN), small=small, block=block)
    error = caught.value
    assert (error.file, error.line, error.text) == (qrels.name, 3, line.decode())
    assert message in error.message
    assert error.fix is not None
    assert fix in error.fix


@both_ways
def test_a_repeated_document_of_a_query_in_two_places(tmp_path: Path, small: int, block: int) -> None:
    run = source(tmp_path, "run", RUN + b"q2 Q0 a 1 1 t\n" * 1 + b"q3 Q0 a 1 1 t\nq1 Q0 a 3 0.5 t\nq2 Q0 a 1 1 t\n")
    with pytest.raises(InputError) as caught:
        load(source(tmp_path, "qrels", QRELS), run, small=small, block=block)
    assert (caught.value.line, caught.value.text) == (5, "q1 Q0 a 3 0.5 t")


@pytest.mark.parametrize("content", [b"", b"\n \n", b"# only this\n"])
@both_ways
def test_files_without_a_line(tmp_path: Path, content: bytes, small: int, block: int) -> None:
    good_qrels, good_run = source(tmp_path, "qrels", QRELS), source(tmp_path, "run", RUN)
    bad = source(tmp_path, "bad", content)
    problem = "no line with a" if content else "empty"
    with pytest.raises(InputError, match=problem) as caught:
        load(bad, good_run, small=small, block=block)
    assert caught.value.file == bad.name
    with pytest.raises(InputError, match=problem):
        load(good_qrels, bad, small=small, block=block)


@both_ways
def test_nul_bytes_are_named_by_their_offset(tmp_path: Path, small: int, block: int) -> None:
    run = source(tmp_path, "run", RUN + b"q2 Q0 \0\0a 1 1 t\n")
    with pytest.raises(InputError, match="NUL byte at offset 38; trec_eval stops") as caught:
        load(source(tmp_path, "qrels", QRELS), run, small=small, block=block)
    assert (caught.value.line, caught.value.text) == (3, "q2 Q0 \\x00\\x00a 1 1 t")


def test_utf_16_is_recognised(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="UTF-16"):
        load(source(tmp_path, "qrels", QRELS), source(tmp_path, "run", RUN.decode().encode("utf-16")))


@both_ways
def test_binary_garbage(tmp_path: Path, small: int, block: int) -> None:
    garbage = bytes(range(128, 256)) * 40 + b"\n"
    with pytest.raises(InputError) as caught:
        load(source(tmp_path, "qrels", QRELS), source(tmp_path, "run", garbage), small=small, block=block)
    assert caught.value.line == 1
    assert caught.value.fix is not None
    assert "binary" in caught.value.fix
    assert len(caught.value.text or "") < 200


@pytest.mark.parametrize("small", [0, LINE_BY_LINE])
def test_a_line_of_ten_megabytes(tmp_path: Path, small: int) -> None:
    run = source(tmp_path, "run", RUN + b"q2 Q0 " + b"x" * 10_000_000 + b" 1 1 t\n")
    with pytest.raises(InputError, match="a line of more than") as caught:
        load(source(tmp_path, "qrels", QRELS), run, small=small)
    assert caught.value.line == 3
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("small", [0, LINE_BY_LINE])
def test_a_line_just_short_enough(tmp_path: Path, small: int) -> None:
    line = b"q2 Q0 " + b"x" * ((1 << 20) - 12) + b" 1 1 t\n"
    assert len(line) == (1 << 20) + 1
    loaded = load(source(tmp_path, "qrels", QRELS), source(tmp_path, "run", RUN + line), small=small)
    assert loaded.run_file.lines == 3


@pytest.mark.parametrize(("suffix", "packing"), [(".gz", "gzip"), (".zst", "zstd")])
@pytest.mark.parametrize("small", [0, LINE_BY_LINE])
def test_a_truncated_packed_file(tmp_path: Path, suffix: str, packing: str, small: int) -> None:
    text = b"".join(b"q%d Q0 d%d 1 %d.5 t\n" % (n, n * n, n) for n in range(5000))
    packed = gzip.compress(text) if suffix == ".gz" else zstandard.ZstdCompressor().compress(text)
    path = tmp_path / f"run{suffix}"
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InputError, match=f"the {packing} data is cut short") as caught:
        load(source(tmp_path, "qrels", QRELS), open_source(path), small=small)
    assert caught.value.file == str(path)
    with pytest.raises(InputError, match="cut short"):
        open_source(path).unpacked_path()


@pytest.mark.parametrize(
    "damage", [b"\x1f\x8b\x08\x00 nothing that gzip knows", b"\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff"]
)
def test_a_damaged_packed_file(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "run"
    path.write_bytes(damage)
    with pytest.raises(InputError, match="cut short or damaged"):
        load(source(tmp_path, "qrels", QRELS), open_source(path))


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file") as caught:
        open_source(tmp_path / "missing.run")
    assert caught.value.file == str(tmp_path / "missing.run")
    with pytest.raises(InputError, match="no folder"):
        open_source(tmp_path / "nowhere" / "missing.run")


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="directory"):
        open_source(tmp_path)


def test_a_path_that_is_none() -> None:
    with pytest.raises(InputError, match="no path"):
        open_source("a\0b")


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without the rights of root, which may read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_bytes(RUN)
    path.chmod(0)
    with as_nobody(), pytest.raises(InputError, match="permission denied") as caught:
        open_source(path)
    assert caught.value.file == str(path)


@pytest.mark.parametrize(
    ("judged", "retrieved", "hint"),
    [
        (["t7.1", "t8.1"], ["t7", "t8"], "without the suffix '.1' in the qrels, 2 of 2 ids match"),
        (["7", "8", "9"], ["topic-7", "topic-8"], "without the prefix 'topic-' in the run, 2 of 2 ids match"),
        (["Q1", "Q2"], ["q1", "q2"], "ignoring case, 2 of 2 ids match"),
        (["007", "008"], ["7", "8"], "without the prefix '00' in the qrels, 2 of 2 ids match"),
        (["07", "8"], ["7", "08"], "without leading zeros, 2 of 2 ids match"),
        (["a"], ["b"], "check that the run belongs to these qrels"),
    ],
)
def test_no_query_in_common(judged: list[str], retrieved: list[str], hint: str) -> None:
    collection = collection_from_lines([(q, "d", 1) for q in judged], [(q, "d", 1, 1.0) for q in retrieved])
    with pytest.raises(InputError) as caught:
        require_common_queries(collection)
    assert caught.value.fix is not None
    assert hint in caught.value.fix
    assert repr(sorted(judged)[0]) in caught.value.message
    assert repr(sorted(retrieved)[0]) in caught.value.message


def test_one_query_in_common_is_enough() -> None:
    require_common_queries(collection_from_lines([("a", "d", 1), ("b", "d", 1)], [("b", "x", 1, 1.0)]))
