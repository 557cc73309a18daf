"""The sentences that a reader sees first."""

from __future__ import annotations

from ndcgauge.report.causes import shares, without_value
from ndcgauge.report.lookup import changed, discrepancy_of, evaluators_of, is_baseline, pairs, reference_of
from ndcgauge.report.numbers import number, signed
from ndcgauge.report.printable import counted, queries, visible
from ndcgauge.report.several import winner_lines
from ndcgauge.results.model import EvaluatorEntry, Report

_WAYS = {
    "intersection": "left out of the mean",
    "judged": "counted as 0",
    "run": "left out of the mean",
}
"""How a judged query that the run lacks enters the mean, by the value of the axis `queries`."""


def verdict_text(report: Report) -> str:
    """The verdict as plain lines, safe to print."""
    return "\n".join(verdicts(report))


def verdicts(report: Report) -> list[str]:
    """Whether the evaluator changes the winner; a line for each run and measure; the queries that a run lacks."""
    return first_lines(report) + pair_lines(report) + missing_lines(report)


def first_lines(report: Report) -> list[str]:
    """What concerns everything together: whether the evaluator changes the winner."""
    return list(map(visible, winner_lines(report)))


def pair_lines(report: Report) -> list[str]:
    """One line for each run and measure."""
    return [_verdict(report, run, measure) for run, measure in pairs(report)]


def _verdict(report: Report, run: str, measure: str) -> str:
    """Who differs and why, then who agrees; evaluators of which the same can be said share a sentence."""
    reference = reference_of(report, run, measure)
    mean = reference.mean
    said: dict[tuple[int, str], list[str]] = {}
    for entry in evaluators_of(report, run, measure):
        if is_baseline(report, entry):
            mean = entry.mean
        else:
            said.setdefault(_said(report, entry), []).append(entry.id)
    told = [_sentence(ids, what) for (_, what), ids in sorted(said.items(), key=lambda item: item[0][0])]
    return visible(
        " ".join([f"{measure} of {run}: {reference.baseline}{changed(report, run, measure)} {number(mean, 4)}.", *told])
    )


def _sentence(ids: list[str], what: str) -> str:
    verb = what.replace("agrees", "agree", 1) if len(ids) > 1 else what
    return f"{', '.join(ids)} {verb}."


def _said(report: Report, entry: EvaluatorEntry) -> tuple[int, str]:
    """How urgent it is, and what is to be said."""
    found = discrepancy_of(report, entry)
    if found is None:
        message = without_value(entry.outcome, entry.message).rstrip(".")
        return 3, f"gave no value ({entry.outcome}{': ' if message else ''}{message})"
    difference = signed(found.difference, 4)
    over = _over(entry)
    match found.verdict:
        case "agrees":
            return 2, f"agrees{' up to printed decimals' if found.rounding else ''}{over}"
        case "explained":
            return 1, f"{difference}{over} (explained: {shares(found)})"
        case "partly explained":
            return 0, f"{difference}{over} (partly explained: {shares(found)}; unexplained {signed(found.residual, 4)})"
        case _:
            return 0, f"{difference}{over} (unexplained)"


def _over(entry: EvaluatorEntry) -> str:
    """On how many queries, where not on all."""
    if entry.answered == entry.asked:
        return ""
    if entry.answered == 0:
        return " (it prints a mean alone, no row of a query)"
    return f" on the {entry.answered:,} of {queries(entry.asked)} that it answered"


def missing_lines(report: Report) -> list[str]:
    """Judged queries that a run lacks, and how baseline and evaluators treat them."""
    lines: list[str] = []
    for file in report.inputs:
        if file.accounting is None or not file.accounting.judged_only:
            continue
        ways: dict[str, list[str]] = {}
        for reference in report.attribution.references:
            for spec in report.spec:
                if reference.run == file.name and reference.measure == spec.measure:
                    _note(ways, _WAYS[spec.axes["queries"]], reference.baseline)
        for each in report.evaluators:
            if each.run == file.name and each.profile is not None and each.answered:
                _note(ways, _WAYS[{**each.profile, **(each.behaves_as or {})}["queries"]], each.id)
        lacking = file.accounting.judged_only
        example = f"{lacking[0]}{' …' if len(lacking) > 1 else ''}"
        told = "; ".join(f"{way} by {', '.join(ids)}" for way, ids in ways.items())
        number_of = counted(len(lacking), "judged query", "judged queries")
        lines.append(visible(f"{file.name} lacks {number_of} ({example}): {told}."))
    return lines


def _note(ways: dict[str, list[str]], way: str, name: str) -> None:
    if name not in ways.setdefault(way, []):
        ways[way].append(name)
