"""The measures of the slow reference, for one complete order of one query's documents."""

# mpmath has no type stubs; every value that it returns here is an mpf.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import mpmath
from mpmath import mpf

from ndcgauge.reference.exact_judgments import Judgment, QueryJudgments, number
from ndcgauge.spec import MetricSpec

Documents = Sequence[tuple[Judgment, ...]]
"""A ranking, best first: each document's judgments, none where it is unjudged."""

_NOTHING = mpf(10) ** -40
"""A sum of 50 digits below this is 0: gains that cancel each other leave only the last digits."""


@dataclass(frozen=True)
class Outcome:
    """What a query contributes."""

    value: mpf
    """The measure; nan where it is undefined."""
    numerator: mpf
    """For `averaging=pooled`, with `denominator`; a denominator of 0 contributes nothing."""
    denominator: mpf
    counted: bool = True
    """False where `zero_ideal` skips the query."""


def outcome_of(ranking: Documents, left: Documents, judgments: QueryJudgments, spec: MetricSpec) -> Outcome:
    """The measure of one final ranking of a judged query; `left` is what was left before anything was appended."""
    relevant = sum(1 for judgment in judgments.all if judgment.relevant)
    top = ranking[: spec.cutoff]
    match spec.measure:
        case "dcg":
            return Outcome(_dcg(_gains(ranking), spec.cutoff, spec), mpf(0), mpf(0))
        case "ndcg":
            dcg = _dcg(_gains(ranking), spec.cutoff, spec)
            ideal = _ideal(left, judgments, spec)
            return _ratio(dcg, ideal, spec, positive=ideal > _NOTHING)
        case "ap":
            precisions = mpf(0)
            found = 0
            for rank, document in enumerate(top, 1):
                hits = _relevant(document)
                found += hits
                precisions += hits * mpf(found) / rank
            denominator = {
                "relevant": relevant,
                "retrieved": found,
                "min-k": relevant if spec.cutoff is None else min(spec.cutoff, relevant),
            }[spec["ap_denominator"]]
            return _ratio(precisions, mpf(denominator), spec, positive=relevant > 0)
        case "rr":
            for rank, document in enumerate(top, 1):
                if _relevant(document):
                    return _ratio(mpf(1) / rank, mpf(1), spec, positive=relevant > 0)
            return _ratio(mpf(0), mpf(1), spec, positive=relevant > 0)
        case "precision":
            hits = sum(_relevant(document) for document in top)
            denominator = _share_of(ranking, spec["precision_denominator"], spec)
            outcome = _ratio(mpf(hits), denominator, spec, positive=relevant > 0)
            return replace(outcome, numerator=mpf(hits), denominator=denominator)
        case "recall":
            hits = sum(_relevant(document) for document in top)
            if spec["recall_denominator"] == "any":
                return _ratio(mpf(min(hits, 1)), mpf(1), spec, positive=relevant > 0)
            capped = spec["recall_denominator"] == "min-k" and spec.cutoff is not None
            denominator = min(spec.cutoff or 0, relevant) if capped else relevant
            return _ratio(mpf(hits), mpf(denominator), spec, positive=relevant > 0)
        case _:
            judged = mpf(sum(len(document) for document in top))
            denominator = _share_of(ranking, spec["judged_denominator"], spec)
            return Outcome(judged / denominator if denominator > 0 else mpf(0), judged, denominator)


def missing_outcome(judgments: QueryJudgments, spec: MetricSpec) -> Outcome:
    """A judged query that the run lacks: 0, but where its judgments alone give no positive ideal."""
    relevant = sum(1 for judgment in judgments.all if judgment.relevant)
    match spec.measure:
        case "ndcg":
            # ideal=perfect needs the judgments alone; ideal=retrieved does not, so all that is judged stands in.
            alone = spec.replace(
                ideal="perfect" if spec["ideal"] == "perfect" else "judged",
                ideal_cutoff="none" if spec["ideal_cutoff"] == "none" else "same",
            )
            ideal = _ideal([], judgments, alone)
            return _ratio(mpf(0), ideal, spec, positive=ideal > _NOTHING)
        case "judged":
            return Outcome(mpf(0), mpf(0), _share_of([], spec["judged_denominator"], spec))
        case "precision":
            outcome = _ratio(mpf(0), mpf(0), spec, positive=relevant > 0)
            return replace(outcome, denominator=_share_of([], spec["precision_denominator"], spec))
        case _:
            return outcome_of([], [], judgments, spec)


def unjudged_outcome(ranking: Documents, spec: MetricSpec) -> Outcome:
    """A query of the run that the qrels lack: 0, whatever `zero_ideal` says."""
    if spec.measure not in ("precision", "judged"):
        return Outcome(mpf(0), mpf(0), mpf(0))
    return Outcome(mpf(0), mpf(0), _share_of(ranking, spec[f"{spec.measure}_denominator"], spec))


def _share_of(ranking: Documents, denominator: str, spec: MetricSpec) -> mpf:
    """k, or the number of documents in the final ranking, at most k."""
    if spec.cutoff is None:
        return mpf(len(ranking))
    return mpf(spec.cutoff if denominator == "k" else min(spec.cutoff, len(ranking)))


def _ratio(numerator: mpf, denominator: mpf, spec: MetricSpec, *, positive: bool) -> Outcome:
    """The ratio; what `zero_ideal` says where the query has no positive ideal; 0 where nothing is divided by."""
    if positive:
        return Outcome(numerator / denominator if denominator > 0 else mpf(0), numerator, denominator)
    value = {"zero": mpf(0), "one": mpf(1), "skip": mpf(0), "nan": mpf("nan")}[spec["zero_ideal"]]
    return Outcome(value, mpf(0), mpf(0), counted=spec["zero_ideal"] != "skip")


def _relevant(document: tuple[Judgment, ...]) -> int:
    return sum(1 for judgment in document if judgment.relevant)


def _gains(ranking: Documents) -> list[mpf]:
    return [sum((judgment.gain for judgment in document), mpf(0)) for document in ranking]


def _ideal(left: Documents, judgments: QueryJudgments, spec: MetricSpec) -> mpf:
    match spec["ideal"]:
        case "judged":
            gains = sorted((judgment.ideal_gain for judgment in judgments.all), reverse=True)
        case "retrieved":
            sums = [sum((judgment.ideal_gain for judgment in document), mpf(0)) for document in left]
            gains = sorted(sums, reverse=True)
        case _:
            top = max(judgments.all, key=lambda judgment: judgment.grade, default=None)
            length = len(judgments.all) if spec.cutoff is None else spec.cutoff
            gains = [] if top is None else [top.ideal_gain] * length
    match spec["ideal_cutoff"]:
        case "same":
            limit = spec.cutoff
        case "none":
            limit = None
        case _:
            limit = len(left) if spec.cutoff is None else min(spec.cutoff, len(left))
    return _dcg(gains, limit, spec)


def _dcg(gains: Sequence[mpf], cutoff: int | None, spec: MetricSpec) -> mpf:
    total = mpf(0)
    for rank, gain in enumerate(gains[:cutoff], 1):
        total += gain * _discount(rank, spec["discount"])
    return total


def _discount(rank: int, discount: str) -> mpf:
    match discount:
        case "none":
            return mpf(1)
        case "reciprocal":
            return mpf(1) / rank
        case "log2":
            return 1 / mpmath.log(rank + 1, 2)
        case "log2*reciprocal":
            return 1 / (rank * mpmath.log(rank + 1, 2))
        case _ if discount.startswith("log2+"):
            return 1 / mpmath.log(rank + number(Fraction(discount.removeprefix("log2+"))), 2)
        case _:
            base = number(Fraction(discount.removeprefix("jk:")))
            return mpf(1) if rank < base else mpmath.log(base) / mpmath.log(rank)
