"""A column of ids as bytes: hashed, compared and ordered without a Python object an id.

Ids are read eight bytes at a time as machine words. Every hash hit is verified by its bytes, so
a hash can cost time but never decides a result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import Bools, Ints
from ndcgauge.errors import InputError

Words = NDArray[np.uint64]

WORD = 8
LONG = 64
"""Bytes beyond which an id is handled by itself, so that one huge id does not cost all others."""

_MASKS: Words = np.array([(1 << (8 * n)) - 1 for n in range(WORD + 1)], dtype=np.uint64)
_ODD = np.uint64(0x9E3779B97F4A7C15)
_OTHER_ODD = np.uint64(0xC2B2AE3D27D4EB4F)
_HALF = np.uint64(32)


def encode(text: str) -> bytes:
    """The bytes of an id that a caller gave as text.

    Raises InputError for text that no file can hold (a surrogate that does not stand for a byte).
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise InputError(f"the id {text!r} cannot be written as UTF-8: {error.reason}") from None


def decode(raw: bytes) -> str:
    """An id as text; bytes that are not UTF-8 become surrogates and can be encoded again."""
    return raw.decode("utf-8", "surrogateescape")


def mix(words: Words) -> Words:
    """(n,) words scrambled, so that a difference in any bit reaches all."""
    words = words ^ (words >> _HALF)
    words *= _ODD
    words ^= words >> _HALF
    return words


@dataclass(frozen=True, eq=False)
class Ids:
    """A column of ids, possibly many lines over few bytes."""

    data: NDArray[np.uint8]
    """The bytes of all ids and at least eight more, so that a word can be read at every id."""
    start: Ints
    """(ids,) where each id begins in `data`."""
    length: Ints
    """(ids,) its number of bytes."""

    @classmethod
    def of(cls, ids: Iterable[bytes]) -> Ids:
        """The column of some ids."""
        held = list(ids)
        length = np.fromiter(map(len, held), dtype=np.int64, count=len(held))
        data = np.frombuffer(b"".join((*held, bytes(WORD))), dtype=np.uint8)
        return cls(data, np.cumsum(length) - length, length)

    def __len__(self) -> int:
        return len(self.start)

    def raw(self, index: int) -> bytes:
        """The bytes of one id."""
        start = int(self.start[index])
        return self.data[start : start + int(self.length[index])].tobytes()

    def texts(self) -> list[bytes]:
        """The bytes of each id."""
        data, ends = self.packed().tobytes(), np.cumsum(self.length).tolist()
        return [data[begin:end] for begin, end in zip((0, *ends), ends, strict=False)]

    def take(self, index: Ints | Bools) -> Ids:
        """The ids at some positions, over the same bytes."""
        return Ids(self.data, self.start[index], self.length[index])

    def packed(self) -> NDArray[np.uint8]:
        """The bytes of all ids, one behind the other with nothing between."""
        inside = self.start[0] if len(self) else 0
        total = int(self.length.sum())
        if bool((self.start[1:] == self.start[:-1] + self.length[:-1]).all()):
            return self.data[inside : inside + total]
        begins = np.cumsum(self.length) - self.length
        return self.data[np.arange(total) + np.repeat(self.start - begins, self.length)]

    def cells(self) -> Words:
        """(ids, words) the bytes of each id, in as many words as the longest needs, with zeros behind its end."""
        offsets = range(0, self._longest, WORD)
        cells = np.empty((len(self), len(offsets)), dtype=np.uint64)
        for number, offset in enumerate(offsets):
            cells[:, number] = self._words(offset)
        return cells

    @cached_property
    def _shortest(self) -> int:
        return int(self.length.min()) if len(self.length) else 0

    @cached_property
    def _longest(self) -> int:
        return int(self.length.max(initial=0))

    @cached_property
    def _stride(self) -> int:
        """How far ids begin behind each other, if that is the same all over (no words to gather then); else 0."""
        if len(self.start) < 3:
            return 0
        first, second, third = self.start[:3].tolist()
        step = second - first
        # Lines of a run nearly always fail at the first look.
        if step <= 0 or third - second != step:
            return 0
        return step if bool((self.start[1:] - self.start[:-1] == step).all()) else 0

    def repeats(self) -> Bools:
        """(ids - 1,) whether each id but the first is the one before it."""
        equal = self.length[1:] == self.length[:-1]
        for offset in range(0, min(LONG, self._longest), WORD):
            words = self._words(offset)
            equal &= words[1:] == words[:-1]
        if self._longest > LONG:
            for row in np.flatnonzero(equal & (self.length[1:] > LONG)).tolist():
                equal[row] = self.raw(row) == self.raw(row + 1)
        return equal

    def hashes(self, seed: int = 0) -> Words:
        """(ids,) a hash of each id; another seed gives an unrelated one."""
        result = self.length.astype(np.uint64)
        result *= _OTHER_ODD
        result += np.uint64(seed)
        for offset in range(0, min(LONG, self._longest), WORD):
            if self._shortest > offset:
                result ^= self._words(offset)
                result = mix(result)
            else:
                here = np.flatnonzero(self.length > offset)
                result[here] = mix(result[here] ^ self.take(here)._words(offset))
        if self._longest <= LONG:
            return result
        from hashlib import blake2b

        for row in np.flatnonzero(self.length > LONG).tolist():
            digest = blake2b(self.raw(row), digest_size=WORD, salt=seed.to_bytes(WORD, "little")).digest()
            result[row] = int.from_bytes(digest, "little")
        return result

    def descending_keys(self) -> list[Words]:
        """Keys, the first one the most significant, whose ascending order is the ids' descending byte order.

        Words are compared as big-endian numbers; where an id ends its word is filled with zeros,
        so ids whose words are all equal differ in trailing NULs only, and the longer is the greater.
        """
        longest = self._longest
        if longest > LONG:
            rows = [self.raw(row) for row in range(len(self))]
            place = {each: number for number, each in enumerate(sorted(set(rows), reverse=True))}
            return [np.array([place[each] for each in rows], dtype=np.uint64)]
        keys = [~self._words(offset).byteswap() for offset in range(0, longest, WORD)]
        return [*keys, ~self.length.astype(np.uint64)]

    def _words(self, offset: int) -> Words:
        """(ids,) the word at an offset of each id, zeros behind its end."""
        if self._stride and int(self.start[-1]) + offset + WORD <= len(self.data):
            begin = self.data[int(self.start[0]) + offset :]
            strided: Words = np.ndarray((len(self.start),), dtype="<u8", buffer=begin, strides=(self._stride,))
            if self._shortest == self._longest and offset < self._longest:
                return strided & _MASKS[min(self._longest - offset, WORD)]
            words = strided.copy()
        else:
            every: Words = np.ndarray((len(self.data) - WORD + 1,), dtype="<u8", buffer=self.data, strides=(1,))
            words = every[self.start if offset == 0 else np.minimum(self.start + offset, len(every) - 1)]
        if self._shortest < offset + WORD:
            left = self.length if offset == 0 else np.maximum(self.length - offset, 0)
            words &= _MASKS[left if self._longest <= offset + WORD else np.minimum(left, WORD)]
        return words.astype(np.uint64, copy=False)


def same(left: Ids, right: Ids) -> Bools:
    """(n,) whether the ids of two columns are equal, pair by pair."""
    equal = left.length == right.length
    longest = int(left.length.max(initial=0))
    for offset in range(0, min(LONG, longest), WORD):
        equal &= left._words(offset) == right._words(offset)  # pyright: ignore[reportPrivateUsage]
    if longest > LONG:
        for row in np.flatnonzero(equal & (left.length > LONG)).tolist():
            equal[row] = left.raw(row) == right.raw(row)
    return equal


def joined(columns: Sequence[Ids]) -> Ids:
    """Several columns, one behind the other."""
    if len(columns) == 1:
        return columns[0]
    if not columns:
        return Ids.of(())
    sizes = [len(each.data) for each in columns]
    shifts = np.cumsum([0, *sizes[:-1]])
    return Ids(
        np.concatenate([each.data for each in columns]),
        np.concatenate([each.start + shift for each, shift in zip(columns, shifts.tolist(), strict=True)]),
        np.concatenate([each.length for each in columns]),
    )


class IdTexts(Sequence[str]):
    """A column of ids that is decoded where somebody looks."""

    def __init__(self, ids: Ids) -> None:
        self.ids = ids

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return decode(self.ids.raw(index))
