"""Quotients of the binary measures: few axes act on their numerators and denominators."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ndcgauge.data.collection import Collection, Ints
from ndcgauge.errors import UsageError
from ndcgauge.reference import NoClosedForm
from ndcgauge.search.digits import Digits, members
from ndcgauge.search.judging import Judging
from ndcgauge.search.quotients import SEVERAL, Quotients
from ndcgauge.spec import MetricSpec

DENOMINATORS = ("ap_denominator", "recall_denominator", "precision_denominator", "judged_denominator")


def binary_quotients(
    collection: Collection,
    judging: Judging,
    spec_of: Callable[[int], MetricSpec],
    digits: Digits,
    base: MetricSpec,
    codes: Ints,
) -> Quotients:
    """The quotients of distinct codes of `ap`, `rr`, `precision`, `recall` or `judged`."""
    both = collection.in_qrels & collection.in_run
    unjudged = collection.in_run & ~collection.in_qrels
    evaluation = judging.evaluation
    made = Quotients.of(len(codes))
    for _, group in members(codes, digits.without(codes, "threshold", *DENOMINATORS)):
        evaluation.forget_rankings()
        for code, places in group:
            spec = spec_of(code)
            try:
                standing, parts = evaluation.parts(spec)
            except NoClosedForm:
                made.unknown[places] = True
                continue
            except UsageError:
                continue
            lack = np.zeros(int(both.sum()))
            if "zero_ideal" in base.axes:
                lack = (evaluation.relevant_totals(spec)[both] <= 0).astype(np.float64)
            made.lack[places] = made.lacking.add(lack)
            if standing.extra:
                made.above[places] = SEVERAL
                continue
            made.above[places] = made.numerators.add(parts.numerator[both])
            made.below[places] = made.denominators.add(parts.denominator[both])
            if unjudged.any() and base.measure in ("precision", "judged"):
                made.beyond.update(dict.fromkeys(places.tolist(), float(parts.denominator[unjudged].sum())))
    return made
