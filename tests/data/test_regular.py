"""Regular lines are read as the plain reader reads them; nothing else is taken for regular."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcgauge.data import plain, regular
from ndcgauge.data.columns import Split
from ndcgauge.data.splitting import laid_out
from ndcgauge.errors import InputError


def split(data: bytes) -> Split | None:
    return regular.split(*laid_out(data))


def told(found: Split) -> list[object]:
    """Query, document, rank and score of each line."""
    queries = [found.queries[int(each)] for each in found.query]
    docs = [found.doc.raw(each) for each in range(len(found.doc))]
    # repr tells -0.0 from 0.0.
    scores = list(map(repr, found.numbers["score"].tolist()))
    return [list(each) for each in zip(queries, docs, found.numbers["rank"].tolist(), scores, strict=True)]


def by_the_plain_reader(data: bytes) -> list[object]:
    read = plain.read_run(data, 1, "run")
    queries = [read.queries[int(each)] for each in read.query]
    docs = [read.doc.raw(each) for each in range(len(read.doc))]
    scores = list(map(repr, read.score.tolist()))
    return [list(each) for each in zip(queries, docs, read.rank.tolist(), scores, strict=True)]


def lines(queries: list[bytes], docs: int, score: str = "%.4f", *, first: int = 1, tag: bytes = b"bm25") -> bytes:
    data = b""
    top = max(99.5, docs / 16 + 4)
    for query in queries:
        for number in range(docs):
            text = (score % (top - number / 16)).encode()
            data += b"%s Q0 d%d %d %s %s\n" % (query, number * number, number + first, text, tag)
    return data


@pytest.mark.parametrize(
    "data",
    [
        lines([b"q1", b"q2"], 30),
        lines([b"q1", b"q2"], 30)[:-1],
        lines([b"7", b"1000001", b"7"], 40),
        lines([b"q1"], 12_000, "%.1f")[: -len(b" bm25\n")] + b" b-25\n",
        lines([b"q1"], 25, first=0),
        lines([b"q1"], 25, "%.0f"),
        lines([b"q1"], 25, "%.7f"),
        lines([b"q1"], 1000, tag=b"a-tag-of-more-than-eight-bytes"),
        lines([b"q1"], 1580, "%.2f"),
        lines([b"\xc3\xa9"], 20),
    ],
)
def test_regular_lines_are_taken(data: bytes) -> None:
    found = split(data)
    assert found is not None
    assert told(found) == by_the_plain_reader(data)


BASE = lines([b"q1", b"q2"], 30)
LAST = BASE.splitlines(keepends=True)[-1]


@pytest.mark.parametrize(
    "last",
    [
        LAST.replace(b"q2", b"#q"),
        LAST.replace(b"q2", b"a-long-query"),
        LAST.replace(b" Q0 ", b" 0 "),
        LAST.replace(b" 30 ", b" 31 "),
        LAST.replace(b" 30 ", b" 030 "),
        LAST.replace(b" 30 ", b" 3 "),
        LAST.replace(b" d", b"  d"),
        LAST.replace(b" d841 ", b"  "),
        LAST.replace(b" d", b"\td"),
        LAST.replace(b"\n", b"\r\n"),
        LAST.replace(b"\n", b" \n"),
        LAST.replace(b"bm25", b"bm2"),
        LAST.replace(b"bm25", b"b 25"),
        LAST.replace(b"bm25", b"\x1cm25"),
        LAST.replace(b".6875", b".68750"),
        LAST.replace(b".6875", b".68e5"),
        LAST.replace(b".6875", b"16875"),
        LAST.replace(b"97.6875", b"9 .6875"),
        LAST.replace(b"97.6875", b"-7.6875"),
        LAST.replace(b"97.6875", b".6875"),
        b" " + LAST,
        b"\n" + LAST,
        b"# a comment of six words\n" + LAST,
        LAST.replace(b"97.6875", b"nan"),
        LAST.replace(b" bm25", b""),
        LAST.replace(b"bm25", b"bm25 "),
    ],
)  # fmt: skip
def test_a_line_that_differs_is_for_another_reader(last: bytes) -> None:
    assert last != LAST
    assert split(BASE[: -len(LAST)] + last) is None


PIECES = st.sampled_from(
    [b" ", b"  ", b"\n", b"\t", b"\r", b"0", b"1", b"9", b".", b"-", b"q", b"#", b"e5", b"\x1f", b"\x00", b"\xff", b""]
)


@settings(max_examples=300, deadline=None)
@given(
    queries=st.lists(st.sampled_from([b"1", b"22", b"q3", b"1000001", b"12345678", b"q3"]), min_size=1, max_size=3),
    docs=st.sampled_from([10, 11, 99, 100, 101]),
    score=st.sampled_from(["%.0f", "%.1f", "%.5f", "%.6f", "%.7f"]),
    first=st.sampled_from([0, 1, 1, 1, 2]),
    changes=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 2), PIECES), max_size=3),
)
def test_what_is_taken_is_read_as_the_plain_reader_reads_it(
    queries: list[bytes], docs: int, score: str, first: int, changes: list[tuple[int, int, bytes]]
) -> None:
    data = lines(queries, docs, score, first=first)
    for number, removed, piece in changes:
        place = number % len(data)
        data = data[:place] + piece + data[place + removed :]
    found = split(data)
    if found is not None:
        try:
            expected = by_the_plain_reader(data)
        except InputError as error:
            pytest.fail(f"taken, though it is refused: {error}")
        assert told(found) == expected
