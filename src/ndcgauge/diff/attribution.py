"""The split of a discrepancy over axes: Shapley values, the minimal explanation, the residual.

The contribution of an axis is its Shapley value in the game whose players are the axes on which
two specifications differ and whose value is the reference under the first specification with a
coalition's axes replaced by the second's (Shapley, A value for n-person games, 1953). It sums
to the whole difference and depends on no order of the axes (DESIGN §6).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ndcgauge.data.collection import Bools, Floats
from ndcgauge.reference import Evaluation
from ndcgauge.spec import MetricSpec

NOTHING = 1e-12
"""Differences of this size or less are the last bits of float64 sums in another order, not a difference."""
NOT_PLAYERS = frozenset({"rounding", "cutoff"})
"""Printing is no player (it has a line of its own), and a cutoff is part of the question."""

Coalition = frozenset[str]


@dataclass(frozen=True)
class Game:
    """The reference under every coalition of the axes on which two specifications differ."""

    players: tuple[str, ...]
    values: dict[Coalition, Floats]
    """(queries,) each; NaN where the query does not count under that coalition."""
    counted: dict[Coalition, Bools]
    means: dict[Coalition, float]


@dataclass(frozen=True)
class Attribution:
    """Contributions of axes to the difference between two specifications."""

    contributions: dict[str, float]
    """Axis to its contribution to the difference of the means; axes without any effect are left out."""
    per_query: dict[str, Floats]
    """Axis to (queries,) contributions; NaN where a query does not count under every coalition."""
    touched: dict[str, int]
    """Axis to the number of queries that it changes."""


def play(
    evaluation: Evaluation,
    baseline: MetricSpec,
    other: MetricSpec,
    mean_of: Callable[[Floats, Bools, float], float],
) -> Game:
    """The game between two specifications of one measure.

    `mean_of` turns (values, counted, mean) of a specification into the aggregate that is
    compared, such as the mean over the queries that an evaluator answered. Raises what
    `evaluate` raises for a coalition that has no value.
    """
    changes = {axis: new for axis, (_, new) in baseline.diff(other).items() if axis not in NOT_PLAYERS}
    players = tuple(changes)
    values: dict[Coalition, Floats] = {}
    counted: dict[Coalition, Bools] = {}
    means: dict[Coalition, float] = {}
    for size in range(len(players) + 1):
        for chosen in itertools.combinations(players, size):
            spec = baseline.with_axes({axis: changes[axis] for axis in chosen})
            coalition = frozenset(chosen)
            values[coalition], counted[coalition], mean = evaluation.score(spec)
            means[coalition] = mean_of(values[coalition], counted[coalition], mean)
    return Game(players, values, counted, means)


def _same(one: float, other: float) -> bool:
    return one == other or abs(one - other) <= NOTHING or (math.isnan(one) and math.isnan(other))


def _without_effect(game: Game, axis: str) -> bool:
    """Whether the axis changes nothing in any coalition: two axes may act only together."""
    for coalition in game.values:
        if axis in coalition:
            continue
        joined = coalition | {axis}
        if not _same(game.means[coalition], game.means[joined]):
            return False
        if not np.array_equal(game.counted[coalition], game.counted[joined]):
            return False
        moved = np.abs(game.values[coalition] - game.values[joined])
        if bool((moved > NOTHING).any()) or not np.array_equal(
            np.isnan(game.values[coalition]), np.isnan(game.values[joined])
        ):
            return False
    return True


def shapley(game: Game) -> Attribution:
    """The Shapley value of every axis that has an effect, for the mean and for each query.

    The mean has its own decomposition: `queries`, `zero_ideal=skip` and `averaging` act there.
    """
    n = len(game.players)
    contributions: dict[str, float] = {}
    per_query: dict[str, Floats] = {}
    touched: dict[str, int] = {}
    for axis in game.players:
        if _without_effect(game, axis):
            continue
        rest = [each for each in game.players if each != axis]
        mean_terms: list[float] = []
        total = np.zeros_like(next(iter(game.values.values())))
        for size in range(n):
            weight = math.factorial(size) * math.factorial(n - size - 1) / math.factorial(n)
            for chosen in itertools.combinations(rest, size):
                without = frozenset(chosen)
                joined = without | {axis}
                mean_terms.append(weight * (game.means[joined] - game.means[without]))
                total = total + weight * (game.values[joined] - game.values[without])
        contributions[axis] = math.fsum(mean_terms)
        per_query[axis] = total
        touched[axis] = int((np.abs(total) > NOTHING).sum())
    return Attribution(contributions, per_query, touched)


def minimal_explanations(game: Game, matches: Callable[[Floats, Bools, float], bool]) -> tuple[tuple[str, ...], ...]:
    """All smallest sets of axes whose coalition `matches` what was observed, per query and for the mean.

    The empty set where the baseline already matches; no set at all where nothing does.
    """
    for size in range(len(game.players) + 1):
        found = tuple(
            chosen
            for chosen in itertools.combinations(game.players, size)
            if matches(game.values[frozenset(chosen)], game.counted[frozenset(chosen)], game.means[frozenset(chosen)])
        )
        if found:
            return found
    return ()
