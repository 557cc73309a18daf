"""What a report says in sentences below its tables: ties, evaluators, files, specifications."""

from __future__ import annotations

from collections.abc import Mapping

from ndcgauge.report.causes import without_value
from ndcgauge.report.lookup import changed, discrepancy_of, envelope_of, evaluators_of, reference_of, spec_of
from ndcgauge.report.numbers import number
from ndcgauge.report.printable import counted, listed, one_line, queries
from ndcgauge.results.model import Accounting, EvaluatorEntry, InputFile, Report, SpecEntry


def envelope_line(report: Report, run: str, measure: str) -> str | None:
    """What tie-breaking alone can make of the baseline's mean."""
    found = envelope_of(report, run, measure)
    if found is None:
        return None
    baseline = reference_of(report, run, measure).baseline + changed(report, run, measure)
    if found.note is not None:
        return f"Tie envelope of {baseline}: {found.note}"
    if found.queries_open == 0:
        return f"Tie envelope of {baseline}: no order of tied documents changes a value"
    return (
        f"Tie envelope of {baseline}'s mean: worst {number(found.worst, 4)}, average {number(found.average, 4)}, "
        f"best {number(found.best, 4)}; the order of ties decides {queries(found.queries_open)}"
    )


def evaluator_lines(report: Report, run: str, measure: str) -> list[str]:
    """Every evaluator's notes, and the queries that it did not answer."""
    lines: list[str] = []
    for entry in evaluators_of(report, run, measure):
        lines += [f"{entry.id}: {one_line(note)}" for note in entry.notes]
        found = discrepancy_of(report, entry)
        lines += [f"{entry.id}: {one_line(note)}" for note in (() if found is None else found.notes)]
        unanswered = _unanswered(entry)
        if unanswered is not None:
            lines.append(f"{entry.id}: {unanswered}")
    return lines


def called_lines(report: Report, run: str, measure: str) -> list[str]:
    """How every evaluator was called, its versions, its time, and how near it came to its profile."""
    return [f"{entry.id}: {_how_called(entry)}" for entry in evaluators_of(report, run, measure)]


def _unanswered(entry: EvaluatorEntry) -> str | None:
    """How many queries got what instead of a value, with one message."""
    kinds = {kind: count for kind, count in entry.outcomes.items() if kind != "value"}
    if not kinds or not entry.answered:
        return None
    told = ", ".join(f"{queries(count)} {kind}" for kind, count in sorted(kinds.items()))
    for query, outcome in sorted(entry.queries.items()):
        if outcome.outcome != "value" and outcome.message:
            return f"{told} (such as {query}: {without_value(outcome.outcome, outcome.message)})"
    return told


def _how_called(entry: EvaluatorEntry) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in sorted(entry.versions.items()))
    parts = [one_line(entry.called), versions, f"{entry.seconds.load + entry.seconds.evaluate:.2f} s"]
    if entry.largest_difference is not None:
        exact = entry.decimals is None and entry.largest_ulp is not None
        ulp = f" ({entry.largest_ulp:.3g} ULP)" if exact else ""
        parts.append(f"at most {entry.largest_difference:.2g}{ulp} from its profile")
    return "; ".join(filter(None, parts))


def spec_lines(spec: SpecEntry) -> list[str]:
    """Hash and what differs from trec_eval, then the sentence."""
    return [f"{spec.hash}  {spec.short}", spec.sentence]


def spec_rows(report: Report, measure: str) -> list[tuple[str, str]]:
    """Every axis of the baseline's specification with its value."""
    return sorted((axis, value) for axis, value in spec_of(report, measure).axes.items() if axis != "measure")


def input_lines(file: InputFile) -> list[str]:
    """A file, its grades, how it meets the qrels, its ties."""
    size = f"{counted(file.lines, 'line')}, {queries(file.queries)}"
    unpacked = ", evaluators read it unpacked" if file.unpacked else ""
    if file.written:
        unpacked = ", evaluators read a TREC file written from it"
    lines = [f"{file.role} {file.name}: {size}, {file.format}, sha256 {file.sha256[:12]}{unpacked}"]
    if file.relevance_scale is not None:
        lines.append(f"grades (judgments): {listed(grades(file.relevance_scale), 8)}")
    if file.accounting is not None:
        lines += accounting_lines(file.accounting)
    return lines


def grades(scale: Mapping[str, int]) -> list[str]:
    """Each grade with its number of judgments, the lowest first."""
    return [f"{grade} ({scale[grade]:,})" for grade in sorted(scale, key=float)]


def accounting_lines(found: Accounting) -> list[str]:
    """How a run meets the qrels, and where its scores tie."""
    judged = "undefined" if found.judged_at_k is None else f"{found.judged_at_k:.4f}"
    parts = [f"{queries(found.both)} in both files", f"{len(found.judged_only):,} only judged"]
    parts += [f"{found.run_only:,} only in the run", f"{len(found.without_relevant):,} without a relevant document"]
    ties = [f"{queries(found.tied_in_top_k)} with a tie in the top {found.k}"]
    more = f"{found.tied_across_k_float32:,} more in single precision"
    ties.append(f"{found.tied_across_k:,} with one across rank {found.k} ({more})")
    lines = [f"{', '.join(parts)}; judged@{found.k} {judged}", ", ".join(ties)]
    if found.own_documents:
        lines.append(f"{queries(found.own_documents)} with a document of the query's own id")
    return lines
