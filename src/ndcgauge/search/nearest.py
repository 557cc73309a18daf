"""The nearest specification that reproduces what an evaluator gave.

Specifications are tried by the number of axes that they change. A match is believed only if it
could hardly be an accident: the more specifications were tried, and the fewer telling values
there are, the likelier a chance match is, and then "unexplained" is the right answer.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ndcgauge.data.collection import Collection
from ndcgauge.errors import UsageError
from ndcgauge.reference import Evaluation, NoClosedForm, ObservedOrder
from ndcgauge.search.observation import Observation
from ndcgauge.search.reduction import reduced_domains
from ndcgauge.search.subset import subset
from ndcgauge.spec import MetricSpec

MOST_AXES = 4
ACCIDENT = 0.05
"""Expected number of accidental matches from which on a match is not believed."""
_ORDERING = frozenset({"order", "ties", "score_precision"})
"""Axes whose change alone may honestly turn every value into 0."""


@dataclass(frozen=True)
class Match:
    """The nearest specifications that reproduce an observation."""

    specs: tuple[MetricSpec, ...]
    """All at the smallest distance; the first is the one that is reported."""
    distance: int
    tried: int
    """How many specifications were evaluated."""
    accidents: float
    """Expected number of accidental matches among those tried at up to this distance."""


def changes_at(domains: Mapping[str, Sequence[str]], base: MetricSpec, distance: int) -> Iterator[dict[str, str]]:
    """Every choice of `distance` axes with another lattice value for each."""
    others = {
        axis: [value for value in values if value != base[axis]]
        for axis, values in domains.items()
        if axis in base.axes
    }
    axes = [axis for axis, values in others.items() if values]
    for chosen in itertools.combinations(axes, distance):
        for values in itertools.product(*(others[axis] for axis in chosen)):
            yield dict(zip(chosen, values, strict=True))


def _idle(changes: Mapping[str, str], base: MetricSpec) -> bool:
    """Whether one of the changes has no effect beside the others, so that a nearer specification is the same."""
    full = {**base.axes, **changes}
    if "threshold" in changes and base.measure in ("ndcg", "dcg") and full["gain"] != "binary":
        return True
    if "min_grade" in changes and full["gain"] == "binary":
        return True
    return "score_precision" in changes and full["order"] != "score"


def _telling(observation: Observation, base: np.ndarray[tuple[int], np.dtype[np.float64]]) -> int:
    """Answered queries whose value is neither 0 nor 1 and not what the base specification gives."""
    values = observation.values
    with np.errstate(invalid="ignore"):
        plain = (np.abs(values) > observation.allowance) & (np.abs(values - 1.0) > observation.allowance)
        moved = ~(np.abs(values - base) <= observation.allowance)
    return int((observation.answered & plain & moved).sum())


LOOKED_AT_FIRST = 8
"""Queries that a specification must reproduce before it is evaluated on all."""


def _first_queries(observation: Observation, base: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[int]:
    """The answered queries to look at first: those that the base misses, then others, spread out."""
    answered = np.flatnonzero(observation.answered)
    missed = ~(np.abs(base[answered] - observation.values[answered]) <= observation.allowance)
    chosen: list[int] = []
    for group in (answered[missed], answered[~missed]):
        room = LOOKED_AT_FIRST - len(chosen)
        step = max(1, len(group) // max(room, 1))
        chosen += group[::step][:room].tolist()
    return sorted(chosen)


def nearest(
    collection: Collection,
    base: MetricSpec,
    observation: Observation,
    *,
    orders: Mapping[str, ObservedOrder] | None = None,
    most_axes: int = MOST_AXES,
    most_specs: int = 8_000,
) -> Match | None:
    """The specifications nearest to `base` in the lattice that give every answered query and the mean.

    None if there is none at up to `most_axes` changes (or among the `most_specs` nearest), or if
    the match could be an accident. A base with an observed order of ties is searched with the
    lattice's tie rules; the order itself belongs to no other evaluator.
    """
    if not observation.answered.any():
        return None
    domains = reduced_domains(collection, base.measure)
    whole = Evaluation(collection, orders or {})
    base_values, _ = whole.per_query(base)
    first = _first_queries(observation, base_values)
    few = subset(collection, first)
    glance = replace(observation, values=observation.values[first], undefined=frozenset())
    quick = Evaluation(few, {})
    telling = _telling(observation, base_values)
    all_zero = bool((observation.values[observation.answered] == 0).all())
    distinct: set[bytes] = set()
    tried = 0
    for distance in range(1, most_axes + 1):
        found: list[MetricSpec] = []
        for changes in changes_at(domains, base, distance):
            if _idle(changes, base) or (all_zero and not _ORDERING.issuperset(changes)):
                continue
            spec = base.with_axes(changes)
            observed = spec["ties"].startswith("observed")
            evaluation, seen = (whole, observation) if observed else (quick, glance)
            tried += 1
            if tried > most_specs:
                return None
            try:
                values, counted = evaluation.per_query(spec)
                distinct.add(np.round(values[seen.answered], 9).tobytes())
                if seen.matches_values(values, counted) and observation.matches(*whole.score(spec)):
                    found.append(spec)
            except (NoClosedForm, UsageError):
                continue
        if found:
            accidents = _accidents(len(distinct), telling, observation) if distance > 1 else 0.0
            return Match(tuple(found), distance, tried, accidents) if accidents <= ACCIDENT else None
        quick.forget()
        whole.forget()
    return None


def _accidents(distinct: int, telling: int, observation: Observation) -> float:
    """Expected accidental matches: distinct value vectors tried, times the chance that one hits every telling value.

    A value in [0, 1] is hit by chance with twice the allowance; values that are 0, 1 or the base's
    own tell nothing, as very many specifications give them.
    """
    width = min(1.0, 2.0 * observation.allowance)
    return distinct * math.exp(telling * math.log(width)) if width > 0 else 0.0
