"""Lines on which every axis that the planting tests change makes a difference, and fakes that compute it."""

from __future__ import annotations

import random

import numpy as np

from ndcgauge.reference import Evaluation
from ndcgauge.search.observation import Observation
from ndcgauge.spec import MetricSpec


def rich_lines(
    seed: int = 7, queries: int = 8
) -> tuple[list[tuple[str, str, float]], list[tuple[str, str, float, float]]]:
    """Graded, tied, partly unjudged lists: lists shorter and longer than 10, ranks that are not the scores'."""
    rng = random.Random(seed)
    qrels: list[tuple[str, str, float]] = []
    run: list[tuple[str, str, float, float]] = []
    for number in range(1, queries + 1):
        query = f"q{number}"
        docs = [f"d{number}{i:02d}" for i in range(24)]
        judged = rng.sample(docs, 14)
        qrels += [(query, doc, float(rng.choice([0, 0, 1, 1, 2, 3]))) for doc in judged]
        retrieved = rng.sample(docs, 8 if number % 4 == 0 else 16)
        scores = sorted((rng.choice([5.0, 4.0, 3.5, 3.0, 2.0, 1.0, 0.5]) for _ in retrieved), reverse=True)
        ranks = list(range(1, len(retrieved) + 1))
        rng.shuffle(ranks)
        run += [(query, doc, float(rank), score) for doc, rank, score in zip(retrieved, ranks, scores, strict=True)]
    qrels += [("only-judged", "x1", 2.0)]
    run += [("only-run", "x2", 1.0, 1.0)]
    return qrels, run


def fake(evaluation: Evaluation, spec: MetricSpec, decimals: int | None = None) -> Observation:
    """What an evaluator that computes `spec` gives, printed with some decimals."""
    values, counted, mean = evaluation.score(spec)
    if decimals is not None:
        values = np.array([float(format(each, f".{decimals}f")) for each in values])
        mean = float(format(mean, f".{decimals}f"))
    return Observation(np.where(counted, values, np.nan), mean, decimals)
