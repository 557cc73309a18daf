"""Lines of a run as programs write them: ranks counted from the top, scores with one number of decimals.

Of such lines nearly everything is known beforehand. The places of the newlines are looked up, the spaces of a
line follow from what its neighbours look like, and each of them is checked; as a block has no more white space
than was checked, nothing stands between. What does not fit is for `splitting`, which expects less.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import Floats, Ints
from ndcgauge.data.columns import RUN, Split
from ndcgauge.data.decimals import BEFORE, ZEROS, decimals, number_of_digits
from ndcgauge.data.ids import WORD, Ids, Words

MOST_RANKS = 1 << 16
"""Lines of one query beyond which ranks are read, not foreseen."""
FEWEST_LINES = 10
"""Lines of a query, on average, below which looking at the first of each costs more than it saves."""

_SPACE, _NEWLINE, _POINT = 32, 10, ord(".")
_SPACES, _ONES, _TOPS = (np.uint64(number) for number in (0x2020202020202020, 0x0101010101010101, 0x8080808080808080))
_ONE = np.uint64(1)


class _Sample(NamedTuple):
    """What one line looks like."""

    iteration: int
    """Characters of the second column."""
    rank: bytes
    places: int
    """Digits behind the point of the score; 0 without a point."""
    tag: int
    """Characters of the last column."""


def split(room: NDArray[np.uint8], text: NDArray[np.uint8]) -> Split | None:
    """Lines as columns; None where another reader has to look at them.

    text: whole lines, inside `room`, which has BEFORE bytes in front of them and a word behind.
    """
    sample = _sample(text[:1024].tobytes())
    if sample is None or sample.rank not in (b"0", b"1"):
        return None
    newline = np.flatnonzero(text == _NEWLINE)
    lines = len(newline)
    if np.count_nonzero(text <= _SPACE) != len(RUN) * lines:
        return None
    newline += BEFORE
    start = np.empty(lines, dtype=np.int64)
    start[0] = BEFORE
    np.add(newline[:-1], 1, out=start[1:])
    every: Words = np.ndarray((len(room) - WORD + 1,), dtype="<u8", buffer=room, strides=(1,))

    # The query and the space behind it, as a number.
    head = every[start].astype(np.uint64, copy=False)
    spaces = head ^ _SPACES
    first_space = (spaces - _ONES) & ~spaces & _TOPS
    if not first_space.all():
        return None
    first_space &= ~first_space + _ONE
    head &= (first_space << _ONE) - _ONE
    new = np.flatnonzero(head[1:] != head[:-1]) + 1
    if lines < FEWEST_LINES * len(new):
        return None
    first = np.concatenate((np.zeros(1, dtype=np.int64), new))
    sizes = np.diff(first, append=lines)
    names = [room[begin : begin + WORD].tobytes().partition(b" ")[0] for begin in start[first].tolist()]
    codes: dict[bytes, int] = {}
    code = np.fromiter((codes.setdefault(name, len(codes)) for name in names), np.int64, count=len(names))
    if int(sizes.max()) > MOST_RANKS or any(name[:1] in (b"#", b"") for name in codes):
        return None

    doc = start + np.repeat([len(name) + sample.iteration + 2 for name in names], sizes)
    score_end = newline - (sample.tag + 1)
    point = score_end - (sample.places + 1) if sample.places else score_end
    if not ((room[doc - 1] == _SPACE).all() and (room[score_end] == _SPACE).all()):
        return None
    if sample.places and not (room[point] == _POINT).all():
        return None
    figures = _figures(room, point, np.concatenate((first, first + sizes - 1)))
    if figures is None:
        return None
    rank_end = point - figures
    rank_end -= 1
    ranked = np.arange(lines, dtype=np.int64)
    ranked -= np.repeat(first - int(sample.rank), sizes)
    before = every[point - WORD].astype(np.uint64, copy=False)
    texts, unused, digits = _rank_texts(int(sizes.max()) + 1)
    most = figures if isinstance(figures, int) else int(figures.max())
    if most + len(str(int(sizes.max()))) + 2 <= WORD:
        # The word before the point holds the rank, and a space on either side of it, as well.
        before_score = before << _bits(figures + 1)
    else:
        before_score = every[rank_end - WORD].astype(np.uint64, copy=False)
    before_score >>= unused[ranked]
    if (before_score != texts[ranked]).any():
        return None
    length = rank_end - digits[ranked]
    length -= doc
    length -= 1
    if int(length.min()) < 1:
        return None
    score = None
    if most + sample.places <= WORD:
        behind = every[score_end - WORD].astype(np.uint64, copy=False) if sample.places else None
        score = _scores(before, behind, figures, sample.places)
    else:
        score = decimals(room, rank_end + 1, score_end - rank_end - 1)
    if score is None:
        return None
    numbers = {"rank": ranked.astype(np.float64), "score": score}
    return Split(list(codes), np.repeat(code, sizes), Ids(room, doc, length), numbers)


def _sample(data: bytes) -> _Sample | None:
    """What the first line looks like; None where it is no regular one."""
    fields = data.partition(b"\n")[0].split(b" ")
    if len(fields) != len(RUN) or not all(fields):
        return None
    _, iteration, _, rank, score, tag = fields
    _, point, places = score.partition(b".")
    if len(places) > WORD or (point and not places):
        return None
    return _Sample(len(iteration), rank, len(places), len(tag))


def _figures(room: NDArray[np.uint8], point: Ints, looked_at: Ints) -> Ints | int | None:
    """(lines,) digits before the point of each score, as one number where it is the same for all.

    looked_at: lines with the fewest and with the most digits, as the first and the last of every query's have them
    where scores descend. Where another line has fewer or more, None, or the place of a space that is not the last
    one before the point: then the score has no digit there.
    """
    few = point[looked_at]
    nearest = np.zeros(len(few), dtype=np.int64)
    for size in range(WORD - 1, 0, -1):
        nearest[room[few - (size + 1)] == _SPACE] = size
    fewest, most = int(nearest.min()), int(nearest.max())
    if fewest == 0:
        return None
    if fewest == most:
        return most if bool((room[point - (most + 1)] == _SPACE).all()) else None
    figures = np.zeros(len(point), dtype=np.int64)
    for size in range(most, fewest - 1, -1):
        figures[room[point - (size + 1)] == _SPACE] = size
    return figures if bool(figures.all()) else None


def _scores(before: Words, behind: Words | None, figures: Ints | int, places: int) -> Floats | None:
    """(lines,) scores of eight digits at most; None where a character is no digit.

    before, behind: (lines,) the eight characters in front of the point, and the last eight of the score, which end
    with its decimals. See `decimals` on why a division gives the very numbers.
    """
    # The digits in front of the point and those behind it are moved together, with zeros before.
    words = before ^ ZEROS
    words >>= _bits(WORD - figures)
    words <<= _bits(WORD - places - figures)
    if behind is not None:
        behind = behind ^ ZEROS
        unused = np.uint64(8 * (WORD - places))
        behind >>= unused
        behind <<= unused
        words |= behind
    numbers = number_of_digits(words)
    if numbers is None:
        return None
    values = numbers.view(np.int64).astype(np.float64)
    if places:
        values /= 10.0**places
    return values


def _bits(size: Ints | int) -> Words | np.uint64:
    return np.uint64(8 * size) if isinstance(size, int) else (8 * size).view(np.uint64)


@lru_cache(maxsize=4)
def _rank_texts(size: int) -> tuple[Words, Words, Ints]:
    """(more than `size`,) three times: a space and each rank as the bytes of a word, the bits left over, its digits."""
    ranks = np.arange(max(2048, 1 << size.bit_length()), dtype=np.int64)
    digits = np.ones(len(ranks), dtype=np.int64)
    for power in range(1, 6):
        digits += ranks >= 10**power
    texts = np.full(len(ranks), _SPACE, dtype=np.int64)
    for power in range(6):
        written = np.flatnonzero(digits > power)
        texts[written] |= (ranks[written] // 10**power % 10 + ord("0")) << (8 * (digits[written] - power))
    return texts.view(np.uint64), (8 * (WORD - 1 - digits)).view(np.uint64), digits
