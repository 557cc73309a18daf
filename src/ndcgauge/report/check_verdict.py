"""The verdict of a check in one line."""

from __future__ import annotations

from ndcgauge.report.check_tables import evaluators_worst_first
from ndcgauge.report.printable import counted
from ndcgauge.results.checks import CheckReport


def check_verdict(report: CheckReport) -> str:
    """How many evaluators are as declared, and which are not."""
    run = [each for each in report.evaluators if each.outcome == "checked"]
    wrong = [each.id for each in evaluators_worst_first(report) if not each.conforms and each.outcome == "checked"]
    missing = [each.id for each in report.evaluators if each.outcome != "checked"]
    verb = "is" if len(run) == 1 else "are"
    text = f"{len(run) - len(wrong)} of {counted(len(run), 'evaluator')} {verb} as declared"
    text += f" on {counted(len(report.cases), 'case')}"
    if wrong:
        text += f"; not as declared: {', '.join(wrong)}"
    if missing:
        text += f"; could not be checked: {', '.join(missing)}"
    return text
