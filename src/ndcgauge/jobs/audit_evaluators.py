"""What the evaluator that is said to have printed a number really prints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ndcgauge.audit.claim import Claim
from ndcgauge.audit.finding import Finding, Verdict
from ndcgauge.data.collection import Collection
from ndcgauge.data.sources import Source
from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Value, explain, outcome_name
from ndcgauge.evaluators.references import resolve
from ndcgauge.evaluators.workers import Job, Workers
from ndcgauge.jobs.loading import judged_queries
from ndcgauge.spec import Measure


@dataclass(frozen=True)
class Said:
    """What a real evaluator gave for a measure."""

    evaluator: str
    outcome: str
    """`value`, or why there is none."""
    value: float | None
    message: str | None


def ask_evaluators(
    claims: Sequence[Claim], collection: Collection, qrels: Source, run: Source, workers: Workers
) -> dict[tuple[str, str], Said]:
    """Calls every evaluator that a claim names, once for all its measures: (evaluator, measure name) to what it said."""
    measures: dict[str, dict[str, Measure]] = {}
    for claim in claims:
        if claim.evaluator is not None and claim.trec_name is None:
            plain = Measure(claim.measure.stem, claim.measure.cutoff)
            measures.setdefault(claim.evaluator, {})[plain.name] = plain
    found: dict[tuple[str, str], Said] = {}
    for name, wanted in measures.items():
        job = Job(qrels.unpacked_path(), run.unpacked_path(), tuple(wanted.values()), judged_queries(collection))
        answers = workers.evaluate([resolve(name)], job)
        for (_, measure), answer in answers.items():
            found[name, measure] = _said(name, answer)
    return found


def _said(name: str, answer: Answer) -> Said:
    aggregate = answer.aggregate
    if isinstance(aggregate, Value) and math.isfinite(aggregate.number):
        return Said(name, "value", aggregate.number, None)
    return Said(name, outcome_name(aggregate), None, explain(aggregate))


def judged_by(finding: Finding, said: Said) -> Finding:
    """A finding with what the named evaluator really gave: contradicted where that is another number."""
    printed_by = {said.evaluator: said.value}
    if said.value is None:
        note = f"{said.evaluator} gave no value ({said.outcome}{': ' + said.message if said.message else ''})"
        return replace(finding, printed_by=printed_by, evaluator_outcome=said.outcome, notes=(*finding.notes, note))
    agrees = finding.claim.printed.rounding(said.value) is not None
    verdict = Verdict.REPRODUCED if agrees else Verdict.CONTRADICTED
    return replace(finding, printed_by=printed_by, evaluator_outcome=said.outcome, verdict=verdict)
