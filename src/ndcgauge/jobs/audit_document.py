"""From findings to the report document."""

from __future__ import annotations

import math

from ndcgauge.audit.finding import Candidate, Finding
from ndcgauge.audit.telling import citations, in_words, paper_row, paper_sentence, summary
from ndcgauge.jobs.document import safe
from ndcgauge.jobs.json_values import finite
from ndcgauge.results.model import CandidateEntry, ClaimEntry, ClosestEntry, SeparatorEntry, SpecEntry
from ndcgauge.spec import MetricSpec


def _optional(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value


def _axes(finding: Finding, spec: MetricSpec) -> dict[str, str]:
    """Every axis with its value; the measure is the claim's also where only trec_eval has it."""
    return {**spec.to_dict(), "measure": finding.claim.trec_name or spec.measure}


def _short(finding: Finding, spec: MetricSpec) -> str:
    text = spec.short()
    return text if finding.claim.trec_name is None else text.replace(spec.name, finding.claim.trec_name, 1)


def stated_entry(finding: Finding) -> SpecEntry:
    """The stated specification, every axis written out."""
    spec = finding.spec
    return SpecEntry(
        measure=finding.claim.name,
        hash=spec.hash,
        short=_short(finding, spec),
        sentence=in_words(finding, spec),
        axes=_axes(finding, spec),
    )


def _candidate(finding: Finding, candidate: Candidate) -> CandidateEntry:
    return CandidateEntry(
        short=_short(finding, candidate.spec),
        hash=candidate.spec.hash,
        value=candidate.value,
        axes=candidate.axes,
        nearest=list(candidate.nearest),
        changes=dict(candidate.changes),
        rounding=candidate.rounding,
        group=candidate.group,
    )


def claim_entry(finding: Finding, qrels: str) -> ClaimEntry:
    """A finding as the document has it."""
    claim = finding.claim
    value, closest = finding.closest
    return ClaimEntry(
        measure=claim.name,
        value=claim.printed.text,
        verdict=finding.verdict.value,
        specifications=[_axes(finding, each.spec) for each in finding.candidates],
        classes=finding.classes,
        searched=finding.searched,
        determined=dict(finding.determined),
        free=list(finding.free),
        evaluators=list(finding.evaluators),
        hypothesis=None
        if finding.hypothesis is None
        else safe(f"{finding.hypothesis.mistake.value}: {finding.hypothesis.text}"),
        envelope=[_optional(each) for each in finding.envelope],
        closest=ClosestEntry(value=_optional(value), spec=_axes(finding, closest)),
        chance=finding.chance,
        run=safe(finding.run),
        qrels=safe(qrels),
        source=claim.source,
        place=claim.place,
        stated=claim.said,
        stated_value=None if finding.value is None else finite(finding.value),
        refusal=finding.refusal,
        candidates=[_candidate(finding, each) for each in finding.candidates],
        matching_classes=finding.matching_classes,
        chance_near=finding.chance_near,
        mistakes=[safe(f"{each.mistake.value}: {each.text}") for each in finding.other_hypotheses],
        ask=list(finding.ask),
        separators=[
            SeparatorEntry(query=safe(each.query), values=[_optional(value) for value in each.values])
            for each in finding.separators
        ],
        printed_by={name: _optional(value) for name, value in finding.printed_by.items()},
        evaluator_outcome=finding.evaluator_outcome,
        summary=safe(summary(finding)),
        sentence=safe(paper_sentence(finding)),
        row=[safe(each) for each in paper_row(finding)],
        citations=citations(finding),
        notes=[safe(each) for each in finding.notes],
    )
