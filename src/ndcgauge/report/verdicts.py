"""The sentences that a reader sees first."""

from __future__ import annotations

from ndcgauge.report.tables import causes, discrepancy_of, evaluators_of, number, pairs, signed
from ndcgauge.results.model import EvaluatorEntry, Report


def _about(report: Report, entry: EvaluatorEntry) -> str:
    found = discrepancy_of(report, entry)
    if found is None:
        if any(each.baseline == entry.id for each in report.attribution.references):
            return ""
        return f"{entry.id}: {entry.message or entry.outcome}."
    if found.verdict == "agrees":
        return f"{entry.id} agrees{' up to the decimals it prints' if found.rounding else ''}."
    if found.verdict == "explained":
        return f"{entry.id} {signed(found.difference, 4)}: {causes(found)}."
    return f"{entry.id} {signed(found.difference, 4)}: {found.verdict} ({causes(found)})."


def verdicts(report: Report) -> list[str]:
    """One line for each run and measure, then what concerns its queries."""
    lines: list[str] = []
    for run, measure in pairs(report):
        reference = next(each for each in report.attribution.references if (each.run, each.measure) == (run, measure))
        entries = evaluators_of(report, run, measure)
        mean = reference.mean
        own = next((each for each in entries if each.id == reference.baseline), None)
        if own is not None:
            mean = own.mean
        about = " ".join(filter(None, (_about(report, each) for each in entries)))
        lines.append(f"{measure} of {run}: {reference.baseline} {number(mean, 4)}. {about}".rstrip())
    lines += missing_lines(report)
    return lines


def missing_lines(report: Report) -> list[str]:
    """Judged queries that a run lacks, and how each evaluator treats them."""
    lines: list[str] = []
    for file in report.inputs:
        if file.accounting is None or not file.accounting.judged_only:
            continue
        count = len(file.accounting.judged_only)
        ways: dict[str, list[str]] = {}
        for each in report.evaluators:
            if each.run == file.name and each.profile is not None:
                way = {**each.profile, **(each.behaves_as or {})}.get("queries", "")
                ways.setdefault(way, [])
                if each.id not in ways[way]:
                    ways[way].append(each.id)
        words = {"intersection": "leave them out of the mean", "judged": "count them as 0", "run": "leave them out of the mean"}
        told = "; ".join(f"{', '.join(ids)} {words[way]}" for way, ids in ways.items() if way in words)
        example = file.accounting.judged_only[0]
        lines.append(f"{file.name} lacks {count} judged quer{'y' if count == 1 else 'ies'} ({example}{' …' if count > 1 else ''}): {told}.")
    return lines
