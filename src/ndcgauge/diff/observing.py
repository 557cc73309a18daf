"""From an evaluator's answer to what is compared: values, printed decimals, the order it showed."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ndcgauge.data.collection import Collection, RunLine
from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Value
from ndcgauge.reference import ObservedOrder
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


@dataclass(frozen=True)
class ShownOrder:
    """An order that an evaluator showed, and whether it may stand for its ties."""

    order: ObservedOrder | None
    refusal: str | None
    """Why the order is not accepted."""


def shown_order(path: Path, collection: Collection, duplicates: str) -> ShownOrder:
    """Reads an adapter's order file and accepts it only if it could be the order of the run's ties.

    Each list must be a permutation of the run's documents with non-increasing scores, followed by
    nothing but judged documents that the run lacks: otherwise an evaluator could verify itself.
    """
    with path.open(encoding="utf-8", errors="surrogateescape") as lines:
        docs = {entry["query"]: entry["docs"] for entry in map(json.loads, lines)}
    return order_of(docs, collection, duplicates)


def order_of(shown: Mapping[str, Sequence[str]], collection: Collection, duplicates: str) -> ShownOrder:
    """The same for lists that were read already: query id to documents, best first."""
    docs = {query: each for query, each in shown.items() if query in collection.index}
    lists = collection.lists(sorted(docs))
    for query, each in docs.items():
        refusal = _refusal(each, lists.get(query, ()), _missing(collection, query))
        if refusal is not None:
            return ShownOrder(None, f"query {query}: {refusal}")
    return ShownOrder(ObservedOrder(collection, duplicates, docs, lists), None)


def _missing(collection: Collection, query: str) -> set[str]:
    code = collection.index[query]
    low, high = np.searchsorted(collection.judged.query, [code, code + 1])
    return {str(collection.judged.doc[pair]) for pair in range(int(low), int(high))}


def _refusal(shown: Sequence[str], lines: Sequence[RunLine], judged: set[str]) -> str | None:
    score: Mapping[str, float] = {line.doc: line.score for line in lines}
    own, added = shown[: len(score)], shown[len(score) :]
    if set(own) != set(score) or len(own) != len(score):
        return "the order it showed is not a permutation of the run's documents"
    if any(doc in score or doc not in judged for doc in added) or len(set(added)) != len(added):
        return "the order it showed has documents that are neither in the run nor judged"
    falling = all(score[one] >= score[next_one] for one, next_one in itertools.pairwise(own))
    return None if falling else "the order it showed is not by falling score"
