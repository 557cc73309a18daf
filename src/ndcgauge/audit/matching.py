"""The specifications of a lattice that give a number, and what they have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ndcgauge.audit.finding import Candidate
from ndcgauge.audit.printed import Printed
from ndcgauge.data.collection import Ints
from ndcgauge.search.anchors import Anchor
from ndcgauge.search.lattice import Lattice
from ndcgauge.spec import MetricSpec, axes_of

MOST_TOLD = 40
"""Candidates that are told of one by one."""
NO_PLAYERS = ("cutoff", "rounding")


@dataclass(frozen=True)
class Matching:
    """The classes of a lattice that round to a number."""

    lattice: Lattice
    printed: Printed
    kinds: Ints
    """Indices of the classes, by distance."""
    rules: Mapping[int, str]
    """Class to the rule by which it rounds to the number."""

    @property
    def least(self) -> int | None:
        """The least number of axes of a class that matches; None where none does."""
        return int(self.lattice.nearest[self.kinds[0]]) if len(self.kinds) else None

    @property
    def nearest(self) -> Ints:
        """The classes at the least distance."""
        return self.kinds[self.lattice.nearest[self.kinds] == self.least]

    @property
    def points(self) -> int:
        """Number of points, acting axes alone, that give the number."""
        return int(np.isin(self.lattice.kind, self.kinds).sum())


def match(lattice: Lattice, printed: Printed) -> Matching:
    """The classes that round to the number under half-even or half-up rounding."""
    with np.errstate(invalid="ignore"):
        near = np.abs(lattice.means - printed.number) <= 0.5 * printed.step + 2e-9
    rules = {
        kind: rule
        for kind in np.flatnonzero(near).tolist()
        if (rule := printed.rounding(float(lattice.means[kind]))) is not None
    }
    kinds = np.array(sorted(rules, key=lambda kind: (int(lattice.nearest[kind]), kind)), dtype=np.int64)
    return Matching(lattice, printed, kinds, rules)


def candidates(matching: Matching, kinds: Ints, stated: Anchor) -> list[Candidate]:
    """The members of classes at their least distance, those first that change least of the stated specification.

    Written as the stated specification with the acting axes changed in which they differ from it.
    """
    lattice = matching.lattice
    found: list[tuple[int, int, str, Candidate]] = []
    for group, kind in enumerate(kinds.tolist()):
        members = np.flatnonzero((lattice.kind == kind) & (lattice.distance == lattice.nearest[kind]))
        codes = lattice.codes[members]
        away = lattice.anchor_distance(codes, stated)
        order = np.argsort(away, kind="stable")[:MOST_TOLD]
        for place in order.tolist():
            code = int(codes[place])
            spec = lattice.spec(code, stated)
            axes = int(lattice.nearest[kind])
            found.append(
                (
                    axes,
                    int(away[place]),
                    spec.short(),
                    Candidate(
                        spec=spec,
                        value=float(lattice.means[kind]),
                        axes=axes,
                        nearest=_nearest(lattice, code, axes),
                        changes={axis: new for axis, (_, new) in stated.spec.diff(spec).items()},
                        rounding=matching.rules[kind],
                        group=group,
                    ),
                )
            )
    found.sort(key=lambda each: each[:3])
    return [each[3] for each in found[:MOST_TOLD]]


def _nearest(lattice: Lattice, code: int, axes: int) -> tuple[str, ...]:
    here = np.array([code], dtype=np.int64)
    return tuple(anchor.name for anchor in lattice.anchors if int(lattice.anchor_distance(here, anchor)[0]) == axes)


def determined_and_free(lattice: Lattice, kinds: Ints, stated: MetricSpec) -> tuple[dict[str, str], tuple[str, ...]]:
    """Axis to the value on which every specification of the classes agrees, and the axes on which they do not.

    An axis that cannot act on the data is free: the number says nothing about it.
    """
    codes = lattice.codes[np.isin(lattice.kind, kinds)]
    determined: dict[str, str] = {}
    free: list[str] = []
    space = lattice.acting.space
    for axis in axes_of(stated.measure):
        if axis.name in NO_PLAYERS:
            continue
        if axis.name not in space.axes or not len(codes):
            free.append(axis.name)
            continue
        values = np.unique(lattice.digits.of(codes, axis.name))
        if len(values) == 1:
            determined[axis.name] = space.values[space.axes.index(axis.name)][int(values[0])]
        else:
            free.append(axis.name)
    return determined, tuple(free)
