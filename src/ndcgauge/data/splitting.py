"""Tidy lines split into columns by the places of their spaces: for files as programs write them.

The bytes are looked at once, and columns are views of them: nothing is copied or made an object line by
line. What is not as plain as expected here (another number of columns, control bytes, numbers with an
exponent) is left to the other readers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data import regular
from ndcgauge.data.collection import Floats, Ints
from ndcgauge.data.columns import NUMBERS, RUN, Split
from ndcgauge.data.decimals import BEFORE, decimals
from ndcgauge.data.ids import WORD, Ids, same

SCATTERED = 1000
"""Changes of the query in a block beyond which queries are told apart by hashes and not by name."""

_SPACE, _NEWLINE, _HASH = 32, 10, 35
_FIRST = ord("0")


def split(data: bytes, columns: Sequence[str]) -> Split | None:
    """Lines with one space between columns as columns; None where another reader has to look at them.

    columns: the name of each, `query` the first; those of NUMBERS become numbers.
    """
    if not data:
        return None
    room, text = laid_out(data)
    # Most runs are more regular than most qrels.
    found = regular.split(room, text) if columns is RUN else None
    return _by_spaces(data, room, text, columns) if found is None else found


def laid_out(data: bytes) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Lines, the last one ended by a newline, in a room where a word can be read at each of their bytes.

    Returns the room, with BEFORE bytes in front and a word behind, and the lines inside.
    """
    size = len(data)
    room = np.empty(BEFORE + size + 1 + WORD, dtype=np.uint8)
    room[:BEFORE] = _FIRST
    room[BEFORE : BEFORE + size] = np.frombuffer(data, dtype=np.uint8)
    room[BEFORE + size] = _NEWLINE
    return room, room[BEFORE : BEFORE + size + (data[-1] != _NEWLINE)]


def _by_spaces(data: bytes, room: NDArray[np.uint8], text: NDArray[np.uint8], columns: Sequence[str]) -> Split | None:
    width = len(columns)
    # Cheap looks first, at what makes most untidy blocks untidy; the second one: no two borders beside each other,
    # so no empty column.
    if text[0] in (_SPACE, _NEWLINE, _HASH) or any(each in data for each in (b"\t", b"\r")):
        return None
    if len(text) > 1 and int(np.maximum(text[1:], text[:-1]).min()) <= _SPACE:
        return None
    borders = np.flatnonzero(text <= _SPACE)
    if len(borders) % width:
        return None
    # A border of another kind is a tab, a carriage return, a control byte in an id: not for here.
    kinds = text[borders]
    last = kinds[width - 1 :: width]
    if np.count_nonzero(kinds == _SPACE) != len(kinds) - len(last) or not (last == _NEWLINE).all():
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
    runs = ids.take(first)
    found = _by_hash(runs) if len(first) > SCATTERED else None
    if found is None:
        codes: dict[bytes, int] = {}
        raw = [runs.raw(each) for each in range(len(runs))]
        found = codes, np.fromiter((codes.setdefault(name, len(codes)) for name in raw), np.int64, count=len(raw))
    names, code = found
    if any(name.startswith(b"#") for name in names):
        return None
    return list(names), np.repeat(code, np.diff(first, append=len(ids)))


def _by_hash(ids: Ids) -> tuple[list[bytes], Ints] | None:
    """The distinct ids, and (ids,) the index of each, by hashes; None where two ids have one hash."""
    hashes = ids.hashes()
    order = np.argsort(hashes)
    new = np.ones(len(ids), dtype=np.bool_)
    np.not_equal(hashes[order[1:]], hashes[order[:-1]], out=new[1:])
    code = np.empty(len(ids), dtype=np.int64)
    code[order] = np.cumsum(new) - 1
    example = order[new]
    if not same(ids, ids.take(example[code])).all():
        return None
    return [ids.raw(each) for each in example.tolist()], code
