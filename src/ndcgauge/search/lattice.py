"""Every specification of the lattice on one collection: its mean, and which others equal it there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ndcgauge.data.collection import Bools, Collection, Floats, Ints
from ndcgauge.search.aggregation import Aggregator
from ndcgauge.search.anchors import Anchor
from ndcgauge.search.binary import binary_quotients
from ndcgauge.search.digits import Digits
from ndcgauge.search.graded import GradedQuotients
from ndcgauge.search.judging import Judging
from ndcgauge.search.points import union
from ndcgauge.search.quotients import SEVERAL
from ndcgauge.search.space import ActingSpace, acting_space, full_count
from ndcgauge.spec import MetricSpec
from ndcgauge.spec.axes import GRADED_MEASURES

AGGREGATION = ("queries", "averaging", "row_rounding", "zero_ideal")
"""Axes that act after the queries' values are there."""
SAME = 11
"""Decimals to which two means, and two fingerprints of queries' values, are compared."""
_UNDEFINED = -7.0
"""Stands for an undefined mean where means are compared: no measure has it."""


@dataclass(frozen=True)
class Lattice:
    """The lattice of one measure on one collection."""

    anchors: tuple[Anchor, ...]
    acting: ActingSpace
    codes: Ints
    """(points,) the specifications that have a value, axes that cannot act left out."""
    distance: Ints
    """(points,) the least number of axes in which each differs from an anchor."""
    kind: Ints
    """(points,) the class of each: specifications of a class equal each other on every query and in the mean."""
    means: Floats
    """(classes,)"""
    nearest: Ints
    """(classes,) the least distance of a member."""
    searched: int
    """Specifications in the lattice, those included that differ from others in axes that cannot act."""
    unknown: int
    """Points with a value that cannot be computed from the judged rows."""

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(self.means)

    @cached_property
    def digits(self) -> Digits:
        """Takes codes apart."""
        return Digits(self.acting.space)

    def anchor_distance(self, codes: Ints, anchor: Anchor) -> Ints:
        """(points,) in how many acting axes points differ from an anchor."""
        centre = self.acting.centre(anchor)
        total = np.zeros(len(codes), dtype=np.int64)
        for axis in self.acting.space.axes:
            total += self.digits.of(codes, axis) != centre[axis]
        return total

    def code_of(self, spec: MetricSpec) -> int:
        """The number of the point that a specification is, or is equal to on the data.

        Raises KeyError for one with values that the lattice does not have.
        """
        return self.acting.space.code({axis: digits[spec[axis]] for axis, digits in self.acting.digit.items()})

    def spec(self, code: int, anchor: Anchor) -> MetricSpec:
        """The specification of a point, written as an anchor's with the axes changed in which it differs."""
        return point_spec(self.acting, code, anchor)


def point_spec(acting: ActingSpace, code: int, anchor: Anchor) -> MetricSpec:
    """A point as a specification: an anchor's, with the acting axes changed in which the point differs from it."""
    changes: dict[str, str] = {}
    space = acting.space
    for axis, weight, values in zip(space.axes, space.weights, space.values, strict=True):
        digit = code // weight % len(values)
        if acting.digit[axis][anchor.spec[axis]] != digit:
            changes[axis] = values[digit]
    return anchor.spec.with_axes(changes)


def _distances(acting: ActingSpace, digits: Digits, codes: Ints, anchors: Sequence[Anchor]) -> Ints:
    """(points,) in how many acting axes points differ from the nearest anchor, whether or not it is one of whose
    neighbourhood they are."""
    centres = [acting.centre(each) for each in anchors]
    away = np.zeros((len(anchors), len(codes)), dtype=np.int64)
    for axis in acting.space.axes:
        here = digits.of(codes, axis)
        for number, centre in enumerate(centres):
            away[number] += here != centre[axis]
    return away.min(axis=0)


def _alive(acting: ActingSpace, digits: Digits, codes: Ints) -> Bools:
    alive = np.ones(len(codes), dtype=np.bool_)
    for axis, dead in acting.without_value.items():
        alive &= ~np.isin(digits.of(codes, axis), list(dead))
    return alive


def _canonical(digits: Digits, codes: Ints, measure: str) -> Ints:
    """Codes in which axes that have no effect beside the others have their first value."""
    if measure in ("ndcg", "dcg"):
        binary = digits.has(codes, "gain", "binary")
        codes = digits.without(codes, "threshold", where=~binary)
        codes = digits.without(codes, "min_grade", where=binary)
    codes = digits.without(codes, "score_precision", where=digits.has(codes, "order", "rank", "line"))
    untied = digits.has(codes, "order", "line") & ~digits.has(codes, "unretrieved", "append")
    return digits.without(codes, "ties", where=untied)


@dataclass(frozen=True)
class PointValues:
    """What points of a lattice are worth on a collection."""

    means: Floats
    """(points,) NaN where undefined, and where there is no value."""
    prints: Floats
    """(points,) fingerprints of the queries' values; NaN where there is no value."""
    several: Bools
    """(points,) whether a query stands in several ways, so that no one order of ties gives its extremes of a ratio."""
    unknown: Bools
    """(points,) whether there is a value that cannot be computed from the judged rows."""


def evaluate_points(
    collection: Collection, base: MetricSpec, acting: ActingSpace, anchor: Anchor, codes: Ints
) -> PointValues:
    """Means and fingerprints of points whose values answer on the collection (none of `acting.without_value`).

    What cannot act is not computed again: equal parts are shared, and only quotients are left per
    pair of numerator and denominator.
    """
    digits = Digits(acting.space)
    distinct, where = np.unique(_canonical(digits, codes, base.measure), return_inverse=True)

    def spec_of(code: int) -> MetricSpec:
        return point_spec(acting, code, anchor)

    parts, part = np.unique(digits.without(distinct, *AGGREGATION), return_inverse=True)
    judging = Judging(collection, spec_of)
    if base.measure in GRADED_MEASURES:
        quotients = GradedQuotients(collection, judging, spec_of, digits, base).make(parts)
    else:
        quotients = binary_quotients(collection, judging, spec_of, digits, base, parts)
    aggregator = Aggregator(collection, quotients, judging, digits, base, spec_of)
    means, prints = aggregator.aggregate(distinct, parts, part)
    several = quotients.above[part] == SEVERAL
    unknown = quotients.unknown[part] | (several & np.isnan(prints))
    return PointValues(means[where], prints[where], several[where], unknown[where])


def evaluate_lattice(collection: Collection, base: MetricSpec, anchors: Sequence[Anchor]) -> Lattice:
    """The mean of every specification of the lattice around the anchors, which are all of `base`'s measure and cutoff."""
    acting = acting_space(collection, base.measure, base.cutoff, anchors)
    points = union(acting.space, [(acting.centre(each), each.axes) for each in anchors])
    alive = _alive(acting, Digits(acting.space), points.codes)
    codes = points.codes[alive]
    distance = _distances(acting, Digits(acting.space), codes, anchors)
    values = evaluate_points(collection, base, acting, anchors[0], codes)
    kept = ~np.isnan(values.prints)
    codes, distance = codes[kept], distance[kept]
    keys = np.stack((np.nan_to_num(values.means[kept], nan=_UNDEFINED), values.prints[kept]), axis=1)
    _, first, kind = np.unique(np.round(keys, SAME), axis=0, return_index=True, return_inverse=True)
    kind = kind.reshape(-1)
    nearest = np.full(len(first), np.iinfo(np.int64).max, dtype=np.int64)
    np.minimum.at(nearest, kind, distance)
    return Lattice(
        anchors=tuple(anchors),
        acting=acting,
        codes=codes,
        distance=distance,
        kind=kind,
        means=values.means[kept][first],
        nearest=nearest,
        searched=full_count(base.measure, anchors),
        unknown=int(values.unknown.sum()),
    )
