"""nDCG as people compute it with a pocket calculator: something in between is rounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ndcgauge.audit.material import Material
from ndcgauge.data.collection import Floats, Ints
from ndcgauge.reference import Evaluation, NoClosedForm
from ndcgauge.reference.discounts import divisors
from ndcgauge.reference.scores import sequential_mean
from ndcgauge.reference.standing import SYMMETRIC
from ndcgauge.reference.sums import sums
from ndcgauge.spec import MetricSpec

PLACES = (2, 3, 4)
"""Decimals that people keep."""


@dataclass(frozen=True)
class Rounded:
    """A mean in which intermediate values were rounded."""

    what: str
    value: float


@dataclass(frozen=True)
class _Terms:
    """The summands of DCG or ideal: one entry a document of the top k."""

    query: Ints
    rank: Ints
    gain: Floats


Step = Callable[[Floats], Floats]


def rounded_intermediates(material: Material, spec: MetricSpec) -> Iterator[Rounded]:
    """The mean of `ndcg` with logarithms, discounts, summands or sums rounded to 2, 3 or 4 decimals.

    Nothing for other measures, pooled means, ideals of another kind than the judged documents, and
    ties that no single order stands for.
    """
    if spec.measure != "ndcg" or spec["averaging"] == "pooled" or spec["ideal"] != "judged":
        return
    if spec["ideal_cutoff"] == "retrieved":
        return
    evaluation = material.evaluation
    try:
        standing = evaluation.standing(spec)
        values, counted = evaluation.per_query(spec)
    except NoClosedForm:
        return
    if standing.extra or (spec["ties"] in SYMMETRIC and (standing.length > 1).any()):
        return
    last = np.iinfo(np.int64).max if spec.cutoff is None else spec.cutoff
    here = standing.start <= last
    gains = evaluation.pair_gains(spec, ideal=False)[standing.pair]
    dcg = _Terms(standing.instance[here], standing.start[here], gains[here])
    ideal = _ideal_terms(evaluation, spec, last if spec["ideal_cutoff"] == "same" else np.iinfo(np.int64).max)
    size = max(int(dcg.rank.max(initial=1)), int(ideal.rank.max(initial=1)))
    table = divisors(spec["discount"], size)[: size + 1]
    both = material.collection.in_qrels & material.collection.in_run
    for what, places, top, bottom in _variants(dcg, ideal, table, len(values)):
        positive = both & counted & (bottom > 0)
        changed = values.copy()
        changed[positive] = top[positive] / bottom[positive]
        told = what
        if positive.sum() == 1:
            where = int(np.flatnonzero(positive)[0])
            told += f": {top[where]:.{places}f} / {bottom[where]:.{places}f}"
        yield Rounded(told, sequential_mean(changed[counted]))


def _ideal_terms(evaluation: Evaluation, spec: MetricSpec, last: int) -> _Terms:
    query, gain = evaluation.judgments(spec).query, evaluation.line_gains(spec)[1]
    order = np.lexsort((-gain, query))
    query, gain = query[order], gain[order]
    rank = np.arange(len(query)) - np.searchsorted(query, query, side="left") + 1
    inside = rank <= last
    return _Terms(query[inside], rank[inside], gain[inside])


def _variants(dcg: _Terms, ideal: _Terms, table: Floats, size: int) -> Iterator[tuple[str, int, Floats, Floats]]:
    def summed(terms: _Terms, weigh: Callable[[Floats, Floats], Floats]) -> Floats:
        return sums(terms.query, weigh(terms.gain, table[terms.rank]), size)

    for places in PLACES:

        def cut(values: Floats, places: int = places) -> Floats:
            return np.round(values, places)

        ways: tuple[tuple[str, Callable[[Floats, Floats], Floats]], ...] = (
            ("the logarithms", lambda gain, divisor: gain / cut(divisor)),
            ("the discounts", lambda gain, divisor: gain * cut(1.0 / divisor)),
            ("every summand", lambda gain, divisor: cut(gain / divisor)),
        )
        for what, weigh in ways:
            yield f"{what} rounded to {places} decimals", places, summed(dcg, weigh), summed(ideal, weigh)
        plain = summed(dcg, lambda gain, divisor: gain / divisor), summed(ideal, lambda gain, divisor: gain / divisor)
        yield f"DCG and ideal rounded to {places} decimals", places, cut(plain[0]), cut(plain[1])
