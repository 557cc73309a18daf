"""The document of a check as one HTML page: verdict and fingerprints on the first screen, every case below."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from ndcgauge.report.check_tables import (
    LEGEND,
    case_matrix,
    case_table,
    equal_lines,
    evaluators_worst_first,
    finding_lines,
    matrix,
    measure_table,
    summary_table,
    undetermined_lines,
)
from ndcgauge.report.check_verdict import check_verdict
from ndcgauge.report.glossary import Term, glossary
from ndcgauge.report.offline import render_page
from ndcgauge.report.printable import counted
from ndcgauge.report.tables import Table
from ndcgauge.results.checks import CheckReport


@dataclass(frozen=True)
class EvaluatorPart:
    """One evaluator's own part of the page."""

    id: str
    title: str
    versions: str
    by_measure: Table
    findings: Sequence[str]
    undetermined: Sequence[str]
    equal: Sequence[str]


def render_check_html(report: CheckReport) -> str:
    """The whole page. A pure function of the document: the same document gives the same bytes."""
    checked = [each for each in evaluators_worst_first(report) if each.outcome == "checked"]
    return render_page(
        "check.html.j2",
        report,
        headline=f"{counted(len(report.evaluators), 'evaluator')} · {counted(len(report.cases), 'case')}",
        verdict=check_verdict(report),
        findings=[line for each in checked for line in finding_lines(each)],
        fingerprints=matrix(checked) if checked else None,
        legend=LEGEND,
        summary=summary_table(report),
        unknown=case_table(report, known=False),
        known=case_table(report, known=True),
        cases=case_matrix(report),
        parts_of=[
            EvaluatorPart(
                each.id,
                each.title,
                ", ".join(f"{name} {number}" for name, number in sorted(each.versions.items())),
                measure_table(each),
                finding_lines(each),
                undetermined_lines(each),
                equal_lines(each),
            )
            for each in checked
        ],
        command=shlex.join(report.command),
        terms=_terms(report),
    )


def _terms(report: CheckReport) -> list[Term]:
    """The axes that an evaluator of this check has."""
    named = {axis for each in report.evaluators for axis in each.fingerprint}
    return [term for name, term in glossary().items() if name in named]
