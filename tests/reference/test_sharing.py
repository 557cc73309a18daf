"""What many specifications have in common is made once: counted, not timed."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ndcgauge.data.collection import Collection
from ndcgauge.data.memory import collection_from_lines
from ndcgauge.reference import evaluate, numerators
from ndcgauge.spec import MetricSpec

RANKINGS = (
    {},
    {"ties": "average"},
    {"ties": "best"},
    {"ties": "worst"},
    {"ties": "line"},
    {"unjudged": "drop"},
    {"order": "rank"},
)
GAINS = ({}, {"gain": "exponential"}, {"gain": "binary"})
DISCOUNTS = ({}, {"discount": "jk:2"}, {"discount": "reciprocal"})
CUTOFFS = ("1", "3", "none")


@pytest.fixture
def collection() -> Collection:
    qrels = [(f"q{q}", f"d{d}", float((d * 7 + q) % 4)) for q in range(6) for d in range(0, 40, 3)]
    run = [(f"q{q}", f"d{d}", float(n), float(50 - n // 3)) for q in range(6) for n, d in enumerate(range(40))]
    return collection_from_lines(qrels, run)


@pytest.fixture
def specs() -> list[MetricSpec]:
    return [
        MetricSpec.of("ndcg", {"cutoff": cutoff, **ranking, **gain, **discount, "ideal": ideal})
        for ideal, cutoff, discount, gain, ranking in itertools.product(
            ("judged", "retrieved"), CUTOFFS, DISCOUNTS, GAINS, RANKINGS
        )
    ]


def counting(monkeypatch: pytest.MonkeyPatch, module: Any, *names: str) -> Counter[str]:
    counts: Counter[str] = Counter()

    def counted(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            counts[name] += 1
            return original(*arguments, **named)

        return call

    for name in names:
        monkeypatch.setattr(module, name, counted(name, getattr(module, name)))
    return counts


def test_rankings_gains_and_ideals_are_made_once(
    collection: Collection, specs: list[MetricSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    module = sys.modules["ndcgauge.reference.ratio_parts"]
    made = counting(
        monkeypatch, module, "stand", "judgments_of", "gains_of_lines", "sorted_gains", "retrieved_gains", "Numerators"
    )
    evaluate(collection, specs)
    # Best, worst and average stand alike; what is dropped changes which documents are retrieved.
    assert made["Numerators"] == 5 * len(CUTOFFS)
    assert made["stand"] == 5
    assert made["judgments_of"] == 1
    assert made["gains_of_lines"] == len(GAINS)
    assert made["sorted_gains"] == len(GAINS)
    assert made["retrieved_gains"] == 2 * len(GAINS)


def test_ties_are_put_in_order_once_for_all_discounts(
    collection: Collection, specs: list[MetricSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = counting(monkeypatch, numerators, "in_order")
    evaluate(collection, specs)
    assert made["in_order"] == 2 * len(GAINS) * len(CUTOFFS)


def test_together_they_are_what_each_is_alone(collection: Collection, specs: list[MetricSpec]) -> None:
    together = evaluate(collection, specs)
    for row, spec in enumerate(specs):
        alone = evaluate(collection, [spec])
        np.testing.assert_array_equal(together.values[row], alone.values[0])
        assert together.means[row] == alone.means[0]
