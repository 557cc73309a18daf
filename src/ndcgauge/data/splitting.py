"""Tidy lines split into columns by the places of their spaces: for files as programs write them.

The bytes are looked at once, and columns are views of them: nothing is copied or made an object line by
line. What is not as plain as expected here (another number of columns, control bytes, numbers with an
exponent) is left to the other readers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ndcgauge.data.collection import Floats, Ints
from ndcgauge.data.columns import NUMBERS, Split
from ndcgauge.data.decimals import BEFORE, decimals
from ndcgauge.data.ids import WORD, Ids

_SPACE, _NEWLINE, _HASH = 32, 10, 35
_FIRST = ord("0")


def split(data: bytes, columns: Sequence[str]) -> Split | None:
    """Lines with one space between columns as columns; None where another reader has to look at them.

    columns: the name of each, `query` the first; those of NUMBERS become numbers.
    """
    size = len(data)
    if not size:
        return None
    # Room before the first number and behind the last id, so that words can be read at all of them.
    room = np.empty(BEFORE + size + 1 + WORD, dtype=np.uint8)
    room[:BEFORE] = _FIRST
    room[BEFORE : BEFORE + size] = np.frombuffer(data, dtype=np.uint8)
    room[BEFORE + size] = _NEWLINE
    text = room[BEFORE : BEFORE + size + (data[-1] != _NEWLINE)]
    width = len(columns)
    borders = np.flatnonzero(text <= _SPACE)
    if len(borders) % width or text[0] in (_SPACE, _NEWLINE, _HASH):
        return None
    # A border of another kind is a tab, a carriage return, a control byte in an id: not for here.
    kinds = text[borders]
    last = kinds[width - 1 :: width]
    if np.count_nonzero(kinds == _SPACE) != len(kinds) - len(last) or not (last == _NEWLINE).all():
        return None
    # No two borders beside each other: no empty column.
    if len(text) > 1 and int(np.maximum(text[1:], text[:-1]).min()) <= _SPACE:
        return None
    borders += BEFORE

    def column(number: int) -> tuple[Ints, Ints]:
        """(lines,) twice: where a column begins, and its length."""
        # What is contiguous is looked up by twice as fast.
        end = np.ascontiguousarray(borders[number::width])
        start = np.empty(len(end), dtype=np.int64)
        if number:
            np.add(borders[number - 1 :: width], 1, out=start)
        else:
            start[0] = BEFORE
            np.add(borders[width - 1 : -1 : width], 1, out=start[1:])
        end -= start
        return start, end

    found: dict[str, Floats] = {}
    for name in NUMBERS:
        if name not in columns:
            continue
        values = decimals(room, *column(columns.index(name)))
        if values is None:
            return None
        found[name] = values
    coded = _coded(Ids(room, *column(0)))
    if coded is None:
        return None
    queries, query = coded
    return Split(queries, query, Ids(room, *column(columns.index("doc"))), found)


def _coded(ids: Ids) -> tuple[list[bytes], Ints] | None:
    """The distinct ids, and (ids,) the index of each; None where one begins a comment.

    Lines of one query are taken to stand together, which makes this quick; it holds where they do not.
    """
    new = np.ones(len(ids), dtype=np.bool_)
    np.logical_not(ids.repeats(), out=new[1:])
    first = np.flatnonzero(new)
    names = [ids.raw(each) for each in first.tolist()]
    if any(name.startswith(b"#") for name in names):
        return None
    codes: dict[bytes, int] = {}
    code = np.fromiter((codes.setdefault(name, len(codes)) for name in names), np.int64, count=len(names))
    return list(codes), np.repeat(code, np.diff(first, append=len(ids)))
