"""Points of the lattice as whole numbers: enumerated and counted without making a specification of each.

A point is a choice of one value for every axis, written as one number in a mixed radix. What is
within some changes of an anchor is built axis by axis, all points at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ndcgauge.data.collection import Ints


@dataclass(frozen=True)
class Space:
    """Axes with their values; a point of it is a number below the product of their sizes."""

    axes: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """What a step of each axis adds to a point's number."""
        weights: list[int] = []
        weight = 1
        for each in self.values:
            weights.append(weight)
            weight *= len(each)
        return tuple(weights)

    def digits(self, codes: Ints, axis: str) -> Ints:
        """(points,) the index of the axis's value at each point; zeros for an axis that the space lacks."""
        if axis not in self.axes:
            return np.zeros(len(codes), dtype=np.int64)
        place = self.axes.index(axis)
        return codes // self.weights[place] % len(self.values[place])

    def code(self, digits: Mapping[str, int]) -> int:
        """The number of a point; axes that are not given have their first value."""
        return sum(digits.get(axis, 0) * weight for axis, weight in zip(self.axes, self.weights, strict=True))


@dataclass(frozen=True)
class Points:
    """Distinct points with the least number of axes in which they differ from an anchor."""

    codes: Ints
    """(points,) ascending."""
    distance: Ints
    """(points,)"""


def ball(space: Space, own: Mapping[str, int], radius: int) -> list[Ints]:
    """The points that differ from `own` in 0, 1, … `radius` axes: one array of numbers for each distance."""
    layers = [np.array([space.code(own)], dtype=np.int64), *(np.empty(0, dtype=np.int64) for _ in range(radius))]
    for axis, weight, values in zip(space.axes, space.weights, space.values, strict=True):
        here = own.get(axis, 0)
        steps = [(digit - here) * weight for digit in range(len(values)) if digit != here]
        if not steps:
            continue
        layers = [
            np.concatenate((layers[d], *(layers[d - 1] + step for step in steps))) if d else layers[0]
            for d in range(radius + 1)
        ]
    return layers


def union(space: Space, centres: Sequence[tuple[Mapping[str, int], int]]) -> Points:
    """Every point within the radius of one of the centres, once, with its distance from the nearest of them."""
    codes: list[Ints] = []
    distances: list[Ints] = []
    for own, radius in centres:
        for distance, layer in enumerate(ball(space, own, radius)):
            codes.append(layer)
            distances.append(np.full(len(layer), distance, dtype=np.int64))
    # Sorted by number, then distance: the first of equal numbers has the least distance.
    joined = np.sort(np.concatenate(codes) * _ROOM + np.concatenate(distances))
    number = joined // _ROOM
    first = np.ones(len(number), dtype=np.bool_)
    first[1:] = number[1:] != number[:-1]
    return Points(number[first], joined[first] % _ROOM)


_ROOM = 16
"""Distances are below this."""


def count(space: Space, centres: Sequence[tuple[Mapping[str, int], int]]) -> int:
    """How many distinct points lie within the radius of one of the centres."""
    codes = np.sort(np.concatenate([layer for own, radius in centres for layer in ball(space, own, radius)]))
    return 1 + int((codes[1:] != codes[:-1]).sum())
