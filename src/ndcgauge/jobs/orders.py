"""Several runs: how each evaluator orders them, and whether it changes the winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ndcgauge.results.model import EvaluatorEntry, ReferenceEntry
from ndcgauge.results.several import OrderEntry

EQUAL = 1e-12
"""Means this near to each other are equal: what is left is the noise of adding floats."""


@dataclass(frozen=True)
class Agreement:
    """How one order of runs agrees with another, over the runs that have a mean in both."""

    tau: float | None
    swapped: list[list[str]]
    undecided: list[list[str]]
    changes_winner: bool


def ordered(means: Mapping[str, float | None]) -> list[list[str]]:
    """The runs that have a mean, the best first; runs whose means are equal stand together, by name."""
    known = sorted(
        ((run, mean) for run, mean in means.items() if mean is not None), key=lambda each: (-each[1], each[0])
    )
    groups: list[tuple[float, list[str]]] = []
    for run, mean in known:
        if groups and groups[-1][0] - mean <= EQUAL:
            groups[-1][1].append(run)
        else:
            groups.append((mean, [run]))
    return [runs for _, runs in groups]


def agreement(base: Mapping[str, float | None], other: Mapping[str, float | None]) -> Agreement:
    """Kendall's tau-b of two lists of means, the pairs that swap, and whether the winner does.

    tau-b (Kendall 1945, as `scipy.stats.kendalltau` computes it) counts ties on either side; it is
    undefined for fewer than two runs and where one side ties them all.
    """
    places = {run: place for place, runs in enumerate(ordered(_known(base, other))) for run in runs}
    others = {run: place for place, runs in enumerate(ordered(_known(other, base))) for run in runs}
    swapped: list[list[str]] = []
    undecided: list[list[str]] = []
    for one, two in combinations(sorted(places, key=lambda run: (places[run], run)), 2):
        if places[one] == places[two]:
            continue
        if others[one] > others[two]:
            swapped.append([one, two])
        elif others[one] == others[two]:
            undecided.append([one, two])
    best = {run for run, place in places.items() if place == 0}
    best_there = {run for run, place in others.items() if place == 0}
    return Agreement(_tau(places, others), swapped, undecided, bool(best_there) and not best & best_there)


def _known(means: Mapping[str, float | None], others: Mapping[str, float | None]) -> dict[str, float | None]:
    return {run: mean for run, mean in means.items() if mean is not None and others.get(run) is not None}


def _tau(places: Mapping[str, int], others: Mapping[str, int]) -> float | None:
    if len(set(places.values())) < 2 or len(set(others.values())) < 2:
        return None
    # scipy's statistics take longer to load than a whole comparison of small files.
    from scipy.stats import kendalltau

    runs = list(places)
    found: Any = kendalltau([places[run] for run in runs], [others[run] for run in runs])
    return float(found.statistic)


def order_entries(references: Sequence[ReferenceEntry], evaluators: Sequence[EvaluatorEntry]) -> list[OrderEntry]:
    """For each measure the baseline's order of the runs, then every evaluator's; empty for a single run."""
    if len({each.run for each in references}) < 2:
        return []
    entries: list[OrderEntry] = []
    for measure in dict.fromkeys(each.measure for each in references):
        of_measure = [each for each in references if each.measure == measure]
        baseline = of_measure[0].baseline
        answers: dict[str, dict[str, float | None]] = {}
        for each in evaluators:
            if each.measure == measure:
                answers.setdefault(each.id, {})[each.run] = each.mean
        # An evaluator that is the baseline is compared with by its own means.
        base = answers.pop(baseline, None) or {each.run: each.mean for each in of_measure}
        for name, means in {baseline: base, **answers}.items():
            found = agreement(base, means)
            entries.append(
                OrderEntry(
                    measure=measure,
                    evaluator=name,
                    means=means,
                    order=ordered(means),
                    tau=found.tau,
                    swapped=found.swapped,
                    undecided=found.undecided,
                    changes_winner=found.changes_winner,
                )
            )
    return entries
