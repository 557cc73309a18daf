"""What `evaluate` returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ndcgauge.data.collection import Bools, Floats
from ndcgauge.spec import MetricSpec


@dataclass(frozen=True)
class Scores:
    """Values of several specifications on one collection."""

    specs: Sequence[MetricSpec]
    queries: Sequence[str]
    """Query ids, the columns of `values`, in byte order."""
    values: Floats
    """(specs, queries) the measure; NaN where `counted` is False or the value is undefined."""
    counted: Bools
    """(specs, queries) whether the query belongs to the mean."""
    means: Floats
    """(specs,) the aggregate; NaN where it is undefined (no query, or an undefined value)."""

    def of(self, spec: MetricSpec) -> dict[str, float]:
        """Query id to value for the counted queries of one specification."""
        row = list(self.specs).index(spec)
        return {
            query: float(value)
            for query, value, counted in zip(self.queries, self.values[row], self.counted[row], strict=True)
            if counted
        }

    def mean(self, spec: MetricSpec) -> float:
        """The aggregate of one specification; NaN where it is undefined."""
        return float(self.means[list(self.specs).index(spec)])


def sequential_mean(values: Floats) -> float:
    """The mean as trec_eval takes it: added one by one in the order given, then divided; NaN of nothing."""
    return float(np.cumsum(values)[-1] / len(values)) if len(values) else float("nan")
