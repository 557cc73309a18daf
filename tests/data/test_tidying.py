"""Tidied lines are the words of the lines, and know where they stood."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ndcgauge.data.tidying import is_tidy, tidy

TEXT = st.lists(st.sampled_from([bytes([each]) for each in b"ab# \t\n\r\v\f\x00\x1c\xff"]), max_size=30).map(b"".join)


def words(data: bytes) -> tuple[list[list[bytes]], list[int]]:
    lines = [(n, line) for n, line in enumerate(data.split(b"\n")) if line.split() and not line.startswith(b"#")]
    return [line.split() for _, line in lines], [n for n, _ in lines]


@settings(max_examples=500)
@given(TEXT)
def test_tidied_lines_have_the_words_of_the_lines(data: bytes) -> None:
    tidied = tidy(data)
    lines = tidied.data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    expected, numbers = words(data)
    assert lines == [b" ".join(each) for each in expected]
    assert tidied.line.tolist() == numbers


@settings(max_examples=500)
@given(TEXT)
def test_what_is_tidy_need_not_be_tidied(data: bytes) -> None:
    if is_tidy(data):
        lines = data.removesuffix(b"\n").split(b"\n")
        assert [b" ".join(line.split()) for line in lines] == lines


def test_ordinary_lines_are_tidy() -> None:
    assert is_tidy(b"q1 Q0 d 1 0.5 t\nq2 Q0 \xc2\xa0# 1 0.5 t\n")
    assert not is_tidy(b"q1 Q0 d 1 0.5 t\r\n")
