"""Blocks are whole lines, end where the query changes, and lose no byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.data.writing import load, source

from ndcgauge.data import blocks as module
from ndcgauge.data.blocks import QueryTooWide, at_line, at_query, blocks, line_at, text_of_line

LINES = st.lists(
    st.sampled_from([b"a 1", b"a 2", b"b 1", b" b 2", b"c\t1", b"", b"# a", b"abc 3", b" "]), max_size=30
).map(b"\n".join)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, st.sampled_from([1, 5, 17, 100]), st.booleans())
def test_blocks_are_the_file(tmp_path: Path, data: bytes, size: int, newline: bool) -> None:
    data += b"\n" * newline
    for cut in (at_line, at_query):
        found = list(blocks(source(tmp_path, "file", data), cut, size=size))
        assert b"".join(block.data for block in found) == data
        assert [data[block.offset : block.end] for block in found] == [block.data for block in found]
        assert all(block.data.endswith(b"\n") for block in found[:-1])
        assert [block.newlines for block in found] == [block.data.count(b"\n") for block in found]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.sampled_from([1, 30, 100]))
def test_queries_that_stand_together_stay_together(tmp_path: Path, sizes: list[int], size: int) -> None:
    data = b"".join(b"q%d x\n" % query * lines for query, lines in enumerate(sizes))
    found = [
        {line.split()[0] for line in block.data.splitlines()}
        for block in blocks(source(tmp_path, "file", data), at_query, size=size)
    ]
    assert sum(map(len, found)) == len(sizes)
    # A block grows only until the query after it is seen to begin.
    assert len(found) > 1 or len(data) <= 2 * size + max(sizes) * 6 or len(sizes) == 1


REMARKS = st.sampled_from([b"", b"", b"", b"# a remark\n", b"\n", b" \n# one\n\n"])


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(REMARKS, min_size=1, max_size=9), min_size=2, max_size=8), st.sampled_from([1, 20, 40]))
def test_remarks_and_blank_lines_tear_no_query_apart(tmp_path: Path, queries: list[list[bytes]], size: int) -> None:
    data = b"".join(b"q%d x\n" % query + remark for query, lines in enumerate(queries) for remark in lines)
    found = [
        {line.split()[0] for line in block.data.splitlines() if line.startswith(b"q")}
        for block in blocks(source(tmp_path, "file", data), at_query, size=size)
    ]
    assert sum(map(len, found)) == len(queries)


def test_a_query_wider_than_memory_should_hold_is_gathered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WIDEST", 50)
    run = source(tmp_path, "run", b"".join(b"q Q0 d%d 1 %d t\n" % (n, n) for n in range(20)))
    with pytest.raises(QueryTooWide):
        list(blocks(run, at_query, size=10))
    loaded = load(source(tmp_path, "qrels", b"q 0 d7 1\n"), run, block=10)
    assert loaded.collection.rows["error"].line.tolist() == [8]


def test_lines_are_found_by_offset_and_by_number(tmp_path: Path) -> None:
    file = source(tmp_path, "file", b"\xef\xbb\xbfone\ntwo\n\nfour")
    assert line_at(file, 8) == (2, b"two")
    assert line_at(file, 13) == (4, b"four")
    assert [text_of_line(file, each) for each in (1, 2, 3, 4)] == [b"one", b"two", b"", b"four"]


def test_lines_are_found_beyond_the_first_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK", 3)
    file = source(tmp_path, "file", b"one\ntwo\n\nfour")
    assert [text_of_line(file, each) for each in (1, 2, 3, 4)] == [b"one", b"two", b"", b"four"]
    assert [line_at(file, each) for each in (0, 5, 10)] == [(1, b"one"), (2, b"two"), (4, b"four")]
