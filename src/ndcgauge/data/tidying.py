"""Untidy lines made tidy: one space between columns, no blank lines, no comments; line numbers kept."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import Ints

_SPACE, _TAB, _NEWLINE, _RETURN, _HASH = 32, 9, 10, 13, 35


class Tidy(NamedTuple):
    """Lines as `is_tidy` wants them."""

    data: bytes
    line: Ints
    """(lines of `data`,) how many lines stand before each in what was tidied."""


def is_tidy(data: bytes) -> bool:
    """Whether columns are separated by one space each, and no line is blank, indented or a comment in front.

    Control bytes beside white space make a block untidy as well: the test is meant to be fast.
    Comments further down have to be looked for by who reads.
    """
    if (
        data[:1] in (b"", b" ", b"\n", b"#")
        or data[-1:] == b" "
        or any(each in data for each in (b"\t", b"\r", b"\v", b"\f"))
    ):
        return False
    each = np.frombuffer(data, dtype=np.uint8)
    return len(each) < 2 or int(np.maximum(each[1:], each[:-1]).min()) > _SPACE


def tidy(data: bytes) -> Tidy:
    """Tidies whole lines. White space is exactly what C's `isspace` says, so that control bytes stay in ids."""
    text = np.frombuffer(data, dtype=np.uint8).copy()
    newline = np.flatnonzero(text == _NEWLINE)
    begins = np.concatenate((np.zeros(1, dtype=np.int64), newline + 1))
    if text.size:
        begins = begins[begins < text.size]
        comments = np.flatnonzero(text[begins] == _HASH)
        for begin in begins[comments].tolist():
            end = data.find(b"\n", begin)
            text[begin : len(data) if end < 0 else end] = _SPACE
    # From the tab to the carriage return they follow one another; below the tab, the difference turns over.
    white = text - np.uint8(_TAB) <= _RETURN - _TAB
    white |= text == _SPACE
    run = _first_of_each_run(white)
    # A run of white space becomes its first byte, which is a newline where the run has one.
    run_of_newline = np.searchsorted(run, newline, side="right") - 1
    text[run] = _SPACE
    text[run[run_of_newline]] = _NEWLINE
    drop = white.copy()
    drop[run] = False
    # What stands before the first line, and white space after the last, belongs to no line.
    before = 0
    if run.size and run[0] == 0:
        drop[0] = True
        before = int(np.searchsorted(run_of_newline, 0, side="right"))
    if run.size and white.size and white[-1]:
        text[run[-1]] = _NEWLINE
    closes = np.flatnonzero(np.diff(run_of_newline, append=-1)) if newline.size else newline
    inner = closes[run_of_newline[closes] > 0] if run.size and run[0] == 0 else closes
    line = np.concatenate((np.full(1, before, dtype=np.int64), inner + 1))
    # No carriage return is left but where one is put to be taken out: several times as fast as picking the rest.
    np.copyto(text, _RETURN, where=drop)
    kept = text.tobytes().replace(b"\r", b"")
    lines = int(np.count_nonzero(np.frombuffer(kept, dtype=np.uint8) == _NEWLINE))
    lines += not kept.endswith(b"\n") and bool(kept)
    return Tidy(kept, line[:lines])


def _first_of_each_run(white: NDArray[np.bool_]) -> Ints:
    starts = white.copy()
    starts[1:] &= ~white[:-1]
    return np.flatnonzero(starts)
