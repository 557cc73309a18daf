"""From an evaluator's answer to what is compared: values and printed decimals."""

from __future__ import annotations

import math

import numpy as np

from ndcgauge.data.collection import Collection
from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Value
from ndcgauge.search.observation import Observation

FLOAT32_TOLERANCE = 1e-6


def observation_of(answer: Answer, collection: Collection, tolerance: float) -> Observation:
    """An answer's values on the collection's queries, and its aggregate where it has one."""
    values = np.full(len(collection.queries), np.nan)
    undefined: set[int] = set()
    for query, outcome in answer.queries.items():
        if isinstance(outcome, Value) and query in collection.index:
            values[collection.index[query]] = outcome.number
            if math.isnan(outcome.number):
                undefined.add(collection.index[query])
    mean = answer.aggregate.number if isinstance(answer.aggregate, Value) else None
    return Observation(values, mean, answer.decimals, tolerance, frozenset(undefined))
