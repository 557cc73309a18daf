"""Codes of points taken apart, many at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ndcgauge.data.collection import Bools, Ints
from ndcgauge.search.points import Space


class Digits:
    """Codes taken apart, and put together with some axes at their first value."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._weights = dict(zip(space.axes, space.weights, strict=True))

    def of(self, codes: Ints, axis: str) -> Ints:
        """(points,) the index of the value of an axis."""
        return self.space.digits(codes, axis)

    def has(self, codes: Ints, axis: str, *values: str) -> Bools:
        """(points,) whether an acting axis has one of the values; False everywhere where the axis does not act."""
        if axis not in self._weights:
            return np.zeros(len(codes), dtype=np.bool_)
        listed = self.space.values[self.space.axes.index(axis)]
        wanted = [place for place, value in enumerate(listed) if value in values]
        return np.isin(self.of(codes, axis), wanted)

    def values(self, codes: Ints, axis: str, otherwise: str) -> list[str]:
        """The value of an axis at each point; `otherwise` where the axis does not act."""
        if axis not in self._weights:
            return [otherwise] * len(codes)
        listed = self.space.values[self.space.axes.index(axis)]
        return [listed[digit] for digit in self.of(codes, axis).tolist()]

    def without(self, codes: Ints, *axes: str, where: Bools | None = None) -> Ints:
        """(points,) the codes with the axes at their first value (where a condition holds)."""
        result = codes.copy()
        for axis in axes:
            if axis in self._weights:
                step = self.of(codes, axis) * self._weights[axis]
                result -= step if where is None else np.where(where, step, 0)
        return result

    def only(self, codes: Ints, *axes: str) -> Ints:
        """(points,) the codes with all other axes at their first value."""
        return self.without(codes, *(axis for axis in self.space.axes if axis not in axes))

    def at(self, codes: Ints, axis: str, value: str, where: Bools) -> Ints:
        """(points,) the codes with an acting axis at a value where a condition holds."""
        if axis not in self._weights:
            return codes
        digit = self.space.values[self.space.axes.index(axis)].index(value)
        step = (digit - self.of(codes, axis)) * self._weights[axis]
        return codes + np.where(where, step, 0)


def members(codes: Ints, by: Ints) -> Iterator[tuple[int, list[tuple[int, Ints]]]]:
    """(group, [(code, where it stands)]) for each group: distinct codes, those of one group together, ascending.

    `by`: (codes,) the group of each; equal codes have equal groups.
    """
    order = np.lexsort((codes, by))
    ends = np.flatnonzero(np.diff(codes[order], append=codes[order[-1:]] + 1)) + 1 if len(order) else order
    start, group, current = 0, None, list[tuple[int, Ints]]()
    for end in ends.tolist():
        first = int(order[start])
        if group is not None and int(by[first]) != group:
            yield group, current
            current = []
        group = int(by[first])
        current.append((int(codes[first]), order[start:end]))
        start = end
    if group is not None:
        yield group, current
