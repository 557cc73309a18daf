"""From the results of a comparison to the report document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np

from ndcgauge.diff.discrepancy import Discrepancy
from ndcgauge.diff.movement import Moved
from ndcgauge.diff.verification import Verification
from ndcgauge.evaluators.outcomes import Outcome, Value, explain, outcome_name
from ndcgauge.jobs.comparison import Judged, MeasureResult
from ndcgauge.jobs.json_values import finite, safe
from ndcgauge.results.model import (
    DiscrepancyEntry,
    EnvelopeEntry,
    EvaluatorEntry,
    MovedDocument,
    QueryOutcome,
    ReferenceEntry,
    SpecEntry,
    Timing,
    WorstQueryEntry,
)
from ndcgauge.spec import MetricSpec


def spec_entry(spec: MetricSpec, sentence: str) -> SpecEntry:
    """A specification, every axis written out."""
    return SpecEntry(measure=spec.name, hash=spec.hash, short=spec.short(), sentence=sentence, axes=spec.to_dict())


# A model has a set of the fields that it was given: half of its size. The commonest parts of a document share one.
_OUTCOME, _MOVED = set(QueryOutcome.model_fields), set(MovedDocument.model_fields)


def query_outcome(outcome: Outcome) -> QueryOutcome:
    """One query's outcome; a value that is no finite number has its text as the message."""
    match outcome:
        case Value(number) if math.isfinite(number):
            return _outcome("value", float(number), None, math.copysign(1.0, number))
        case Value(number):
            return _outcome("value", None, repr(number))
        case _:
            return _outcome(outcome_name(outcome), None, safe(explain(outcome)))


@lru_cache(maxsize=1 << 14)
def _outcome(outcome: str, value: float | None, message: str | None, _sign: float = 1.0) -> QueryOutcome:
    """One object for all queries with the same outcome; the sign tells -0.0 from 0.0, which are equal."""
    return QueryOutcome.model_construct(_OUTCOME, outcome=outcome, value=value, message=message)


def _moved(moved: Moved) -> MovedDocument:
    before, after = moved.baseline_rank, moved.evaluator_rank
    return MovedDocument.model_construct(
        _MOVED,
        doc=safe(moved.doc),
        grade=safe(moved.grade),
        baseline_rank=None if before is None else safe(before),
        evaluator_rank=None if after is None else safe(after),
    )


def _changes(profile: MetricSpec, spec: MetricSpec) -> dict[str, str]:
    return {axis: new for axis, (_, new) in profile.diff(spec).items()}


def evaluator_entry(judged: Judged, run: str, title: str) -> EvaluatorEntry:
    """One evaluator on one run and measure."""
    answer, verification = judged.answer, judged.verification
    aggregate = query_outcome(answer.aggregate)
    kinds = Counter(outcome_name(outcome) for outcome in answer.queries.values())
    unstable = verification is not None and verification.unstable
    return EvaluatorEntry(
        id=answer.evaluator,
        title=title,
        measure=answer.measure.name,
        run=run,
        outcome="unstable" if unstable else aggregate.outcome,
        message=aggregate.message if aggregate.message is None else safe(aggregate.message),
        mean=aggregate.value,
        verified=verification is not None and verification.verified,
        answered=answer.answered,
        asked=answer.asked,
        profile=None if judged.profile is None else judged.profile.to_dict(),
        behaves_as=_behaves_as(verification),
        alternatives=[]
        if verification is None
        else [_changes(verification.profile, each) for each in verification.alternatives],
        notes=[] if verification is None else [safe(note) for note in verification.notes],
        largest_difference=None if verification is None else finite(verification.largest),
        largest_ulp=None if verification is None else finite(verification.largest_ulp),
        decimals=answer.decimals,
        versions=dict(answer.versions),
        python=answer.python,
        called=safe(answer.called),
        seconds=Timing(load=answer.seconds.load, evaluate=answer.seconds.evaluate),
        outcomes=dict(sorted(kinds.items())),
        smallest_query=None
        if verification is None or verification.smallest_query is None
        else safe(verification.smallest_query),
        queries={safe(query): query_outcome(outcome) for query, outcome in answer.queries.items()},
    )


def _behaves_as(verification: Verification | None) -> dict[str, str] | None:
    if verification is None or verification.verified or verification.behaves_as is None:
        return None
    return _changes(verification.profile, verification.behaves_as) or None


def discrepancy_entry(found: Discrepancy, run: str, measure: str, baseline: str, evaluator: str) -> DiscrepancyEntry:
    """The split difference."""
    return DiscrepancyEntry(
        run=run,
        measure=measure,
        baseline=baseline,
        evaluator=evaluator,
        difference=found.difference,
        over=found.over,
        contributions=found.contributions,
        contributions_queries=found.contributions_queries,
        families=found.families,
        rounding=found.rounding,
        residual=found.residual,
        minimal=[list(each) for each in found.minimal],
        queries_differing=found.queries_differing,
        spec_used=found.spec_used.to_dict(),
        verdict=found.verdict.value,
        worst=[
            WorstQueryEntry(
                query=safe(each.query),
                baseline=each.baseline,
                evaluator=each.evaluator,
                difference=each.evaluator - each.baseline,
                moved=list(map(_moved, each.moved)),
            )
            for each in found.worst
        ],
        notes=list(found.notes),
    )


def envelope_entry(result: MeasureResult, run: str) -> EnvelopeEntry:
    """What tie-breaking alone can make of the baseline's mean."""
    measure = result.measure.name
    if result.envelope is None:
        return EnvelopeEntry(
            run=run, measure=measure, worst=None, average=None, best=None, queries_open=0, note=result.envelope_note
        )
    worst, average, best = map(finite, result.envelope.means)
    with np.errstate(invalid="ignore"):
        is_open = result.envelope.best - result.envelope.worst > 1e-12
    columns = zip(result.envelope.worst, result.envelope.average, result.envelope.best, strict=True)
    values = dict(zip(result.queries, columns, strict=True))
    return EnvelopeEntry(
        run=run,
        measure=measure,
        worst=worst,
        average=average,
        best=best,
        queries_open=int(is_open.sum()),
        queries={
            safe(query): [float(each) for each in values[query]]
            for query, here in zip(result.queries, is_open, strict=True)
            if here
        },
    )


def reference_entry(result: MeasureResult, run: str, baseline: str) -> ReferenceEntry:
    """The reference's own values under the baseline's specification."""
    return ReferenceEntry(
        run=run,
        measure=result.measure.name,
        baseline=baseline,
        mean=finite(result.reference_mean),
        queries={safe(query): finite(value) for query, value in result.reference_values.items()},
    )


def discrepancies(results: Iterable[MeasureResult], run: str, baseline: str) -> list[DiscrepancyEntry]:
    """Every discrepancy of a run."""
    return [
        discrepancy_entry(judged.discrepancy, run, result.measure.name, baseline, judged.answer.evaluator)
        for result in results
        for judged in result.judged
        if judged.discrepancy is not None
    ]


def versions_of(results: Iterable[MeasureResult]) -> Mapping[str, str]:
    """Every library that answered, with its version."""
    return {
        name: version
        for result in results
        for judged in result.judged
        for name, version in judged.answer.versions.items()
    }
