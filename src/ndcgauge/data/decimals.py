"""A column of decimal numbers read from its bytes, eight digits of every line at a time.

Programs write a column with one number of decimals. Then its numbers are whole numbers over one power of
ten; where they have at most fifteen digits, both are exact in float64, and one division rounds as correctly
as any parser does (Clinger, How to read floating point numbers accurately, PLDI 1990, §4). Columns that are
written in another way are for another reader.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import Floats, Ints
from ndcgauge.data.ids import WORD, Words

BEFORE = 2 * WORD + 1
"""Bytes that stand before the first number at least: they are read along, and left out."""
MOST_DIGITS = 15

ZEROS = np.uint64(0x3030303030303030)
_BEYOND_NINE = np.uint64(0x7676767676767676)
"""What, added to a byte above 9, sets its top bit."""
_TOPS = np.uint64(0x8080808080808080)
_PAIRS = np.uint64(0x000000FF000000FF)
_EARLY_PAIRS = np.uint64(100 + (1_000_000 << 32))
_LATE_PAIRS = np.uint64(1 + (10_000 << 32))
_EIGHT, _TEN, _SIXTEEN, _HALF = (np.uint64(number) for number in (8, 10, 16, 32))
_MINUS, _POINT = ord("-"), ord(".")


def decimals(data: NDArray[np.uint8], start: Ints, length: Ints) -> Floats | None:
    """(numbers,) the numbers whose texts begin at `start` in `data` and have `length` characters.

    A minus or none, one to eight digits, and a point with as many decimals as all others have, at most
    eight, or no point at all. None where any of them is written in another way.
    """
    if not len(start):
        return np.zeros(0, dtype=np.float64)
    end = start + length
    places = _decimals_of(data[int(start[0]) : int(end[0])].tobytes())
    if places > WORD:
        return None
    if places:
        # A number too short for a point there has another character, of the column before, or no digit.
        point = end - (places + 1)
        if not bool((data[point] == _POINT).all()):
            return None
    else:
        point = end
    minus = data[start] == _MINUS
    signed = bool(minus.any())
    figures = point - start - minus if signed else point - start
    most = int(figures.max())
    if int(figures.min()) < 1 or most > WORD or most + places > MOST_DIGITS:
        return None
    every: Words = np.ndarray((len(data) - WORD + 1,), dtype="<u8", buffer=data, strides=(1,))
    # Shifted out and in again, what stands before the first digit counts as zeros.
    whole = _eight_digits(every[point - WORD], ((WORD - figures) * 8).view(np.uint64))
    if whole is None:
        return None
    if places:
        behind = _eight_digits(every[end - WORD], np.uint64((WORD - places) * 8))
        if behind is None:
            return None
        whole *= np.uint64(10**places)
        whole += behind
    values = whole.view(np.int64).astype(np.float64)
    if places:
        values /= 10.0**places
    if signed:
        np.negative(values, out=values, where=minus)
    return values


def _decimals_of(text: bytes) -> int:
    """How many characters stand behind the point of a number."""
    _, _, behind = text.partition(b".")
    return len(behind)


def _eight_digits(words: Words, unused: Words | np.uint64) -> Words | None:
    """(words,) the numbers that the last digits of eight characters make, the first one in the lowest byte.

    unused: bits that do not belong to the number. None where a character is no digit.
    """
    words = words.astype(np.uint64, copy=False) ^ ZEROS
    words >>= unused
    words <<= unused
    return number_of_digits(words)


def number_of_digits(words: Words) -> Words | None:
    """(words,) the numbers that eight digits make, the first one in the lowest byte; takes the words for itself.

    words: eight characters each, with ZEROS taken off by exclusive or. None where a character is no digit.
    """
    beyond = words + _BEYOND_NINE
    beyond |= words
    beyond &= _TOPS
    if bool(beyond.any()):
        return None
    # Two, then four, then eight digits at a time.
    pairs = words >> _EIGHT
    words *= _TEN
    pairs += words
    late = pairs >> _SIXTEEN
    late &= _PAIRS
    late *= _LATE_PAIRS
    pairs &= _PAIRS
    pairs *= _EARLY_PAIRS
    pairs += late
    pairs >>= _HALF
    return pairs
