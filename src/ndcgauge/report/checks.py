"""The document of a check as terminal text and as Markdown."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ndcgauge.report.check_tables import (
    LEGEND,
    case_matrix,
    case_table,
    evaluators_worst_first,
    finding_lines,
    matrix,
    summary_table,
    undetermined_lines,
)
from ndcgauge.report.check_verdict import check_verdict
from ndcgauge.report.markdown import escaped, fenced, folded, table_lines
from ndcgauge.report.terminal import Page
from ndcgauge.results.checks import CheckedEvaluator, CheckReport


def render_check_terminal(report: CheckReport, *, width: int = 80, verbose: bool = False, color: bool = False) -> str:
    """Verdict, evaluators, matrix (worst first), cases that differ; `verbose` adds what the ledger knows."""
    page = Page(width, color=color)
    page.line(check_verdict(report), "bold")
    page.line()
    page.table(summary_table(report))
    checked = [each for each in evaluators_worst_first(report) if each.outcome == "checked"]
    for group in _groups(page, checked):
        page.table(matrix(group))
    page.line(LEGEND)
    page.line()
    for each in checked:
        for line in finding_lines(each):
            page.line(line)
    unknown, known = case_table(report, known=False), case_table(report, known=True)
    if unknown is not None:
        page.table(unknown)
    if verbose:
        if known is not None:
            page.table(known)
        for each in checked:
            for line in undetermined_lines(each):
                page.line(line)
    else:
        page.line("--verbose shows known differences and why an axis cannot be shown; -f json has every case")
    return page.text()


def _groups(page: Page, evaluators: Sequence[CheckedEvaluator]) -> list[list[CheckedEvaluator]]:
    """As many evaluators side by side as fit; the others in tables below."""
    groups: list[list[CheckedEvaluator]] = []
    for each in evaluators:
        if groups and page.fits(matrix([*groups[-1], each])):
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def render_check_markdown(report: CheckReport) -> str:
    """The same as Markdown; what the ledger knows and what cannot be shown is folded away."""
    lines = ["# ndcgauge check", "", f"**{escaped(check_verdict(report))}**", "", *table_lines(summary_table(report))]
    checked = [each for each in evaluators_worst_first(report) if each.outcome == "checked"]
    if checked:
        lines += ["", "## Fingerprints", "", *table_lines(matrix(checked)), "", escaped(LEGEND)]
    findings = [line for each in checked for line in finding_lines(each)]
    if findings:
        lines += ["", *(f"- {escaped(line)}" for line in findings)]
    unknown, known = case_table(report, known=False), case_table(report, known=True)
    if unknown is not None:
        lines += ["", f"## {unknown.title}", "", *table_lines(unknown)]
    if known is not None:
        lines += folded(known.title, table_lines(known))
    silent = [line for each in checked for line in undetermined_lines(each)]
    if silent:
        lines += folded("Axes that an evaluator cannot show", [f"- {escaped(line)}" for line in silent])
    cases = case_matrix(report)
    if cases is not None:
        lines += folded(f"{cases.title}: what every evaluator gave", table_lines(cases))
    if report.warnings:
        lines += ["", "## Warnings", "", *(f"- {escaped(each)}" for each in report.warnings)]
    lines += ["", "## How to reproduce", "", *fenced([shlex.join(report.command)]), ""]
    packages = ", ".join(f"{name} {version}" for name, version in sorted(report.environment.packages.items()))
    made = "" if report.created is None else f" Made at {report.created}."
    lines.append(escaped(f"ndcgauge {report.tool.version}, Python {report.environment.python}, {packages}.{made}"))
    return "\n".join(lines) + "\n"


def render_check_file(report: CheckReport) -> str:
    """The terminal's text as a file: everything, 100 columns wide."""
    return render_check_terminal(report, width=100, verbose=True)
