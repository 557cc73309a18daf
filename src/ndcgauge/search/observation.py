"""What an evaluator gave for one measure, ready to be compared with specifications."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ndcgauge.data.collection import Bools, Floats


@dataclass(frozen=True)
class Observation:
    """An evaluator's values on a collection's queries."""

    values: Floats
    """(queries,) NaN where the evaluator gave no value."""
    mean: float | None
    """Its aggregate; None where it gave none."""
    decimals: int | None
    """The decimals that were printed; None where the values are full numbers."""
    tolerance: float = 1e-9
    """Absolute: what two computations of one definition may differ by."""
    undefined: frozenset[int] = frozenset()
    """Indices of the queries for which it gave NaN: an answer, which only an undefined value equals."""

    @property
    def answered(self) -> Bools:
        """(queries,) whether there is a value that can be compared."""
        return ~np.isnan(self.values)

    @property
    def silent(self) -> bool:
        """Whether it gave neither a value that can be compared nor a mean (`judged@k` may be a mean alone)."""
        return not self.answered.any() and (self.mean is None or math.isnan(self.mean))

    @property
    def allowance(self) -> float:
        """How far a value may stand from the reference: half a unit of the last printed place, and the tolerance."""
        return self.tolerance + (0.0 if self.decimals is None else 0.5 * 10.0**-self.decimals)

    def matches_values(self, values: Floats, counted: Bools) -> bool:
        """Whether every answered query counts and has the observed value (up to the allowance)."""
        answered = self.answered
        if (answered & ~counted).any():
            return False
        if any(not counted[query] or not math.isnan(values[query]) for query in self.undefined):
            return False
        return bool((np.abs(values[answered] - self.values[answered]) <= self.allowance).all())

    def matches_mean(self, mean: float) -> bool:
        """Whether the aggregate, if there is one, is `mean` (up to the allowance)."""
        if self.mean is None:
            return True
        if math.isnan(mean) or math.isnan(self.mean):
            return math.isnan(mean) and math.isnan(self.mean)
        return abs(mean - self.mean) <= self.allowance

    def matches(self, values: Floats, counted: Bools, mean: float) -> bool:
        """Both."""
        return self.matches_values(values, counted) and self.matches_mean(mean)
