"""Which judged documents stand elsewhere under another specification."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ndcgauge.data.collection import Collection
from ndcgauge.reference import Evaluation
from ndcgauge.spec import MetricSpec


@dataclass(frozen=True)
class Moved:
    """A judged document whose rank differs between two specifications."""

    doc: str
    grade: str
    baseline_rank: str | None
    """`3`, `3-7` inside a tie that no order decides, None where it is not ranked."""
    evaluator_rank: str | None


def _ranks(evaluation: Evaluation, spec: MetricSpec, query: int) -> dict[int, str]:
    standing = evaluation.standing(spec)
    low, high = np.searchsorted(standing.instance, [query, query + 1])
    ranks: dict[int, str] = {}
    for entry in range(int(low), int(high)):
        start, slots = int(standing.start[entry]), int(standing.slots[entry])
        ranks[int(standing.pair[entry])] = str(start) if slots == 1 else f"{start}-{start + slots - 1}"
    return ranks


def moved_documents(
    collection: Collection, evaluation: Evaluation, baseline: MetricSpec, other: MetricSpec, query: int, most: int = 10
) -> list[Moved]:
    """The judged documents of a query that stand at other ranks, the topmost first, at most `most`."""
    one, two = _ranks(evaluation, baseline, query), _ranks(evaluation, other, query)
    grades = next(iter(collection.judged.grades.values()))
    moved: list[tuple[int, Moved]] = []
    for pair in one.keys() | two.keys():
        before, after = one.get(pair), two.get(pair)
        if before == after:
            continue
        line = int(np.searchsorted(grades.judged, pair))
        first = min(int(each.split("-")[0]) for each in (before, after) if each is not None)
        grade = f"{float(grades.grade[line]):g}"
        moved.append((first, Moved(str(collection.judged.doc[pair]), grade, before, after)))
    moved.sort(key=lambda each: (each[0], each[1].doc))
    return [each for _, each in moved[:most]]
