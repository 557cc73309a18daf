"""The document of a check as JUnit XML: a suite for each evaluator, in it a test case for each case of the suite.

A test case fails where the evaluator does not give what it is declared to compute and the ledger does not know it,
and where the ledger says that it differs and it does not. It is skipped where the evaluator lacks the measure.
"""

from __future__ import annotations

from xml.etree import ElementTree

from ndcgauge.report.check_tables import finding_lines
from ndcgauge.report.junit_elements import new_case, new_root, new_suite, output, tell, written
from ndcgauge.results.checks import CheckedCase, CheckedEvaluator, CheckedResult, CheckReport

STALE = "the ledger says that it differs here, and it does not: take the entry out"


def render_check_junit(report: CheckReport) -> str:
    """One `testsuites` element with a suite for each evaluator."""
    root = new_root()
    for each in report.evaluators:
        suite = new_suite(root, f"check of {each.id} {each.version or ''}".rstrip())
        if each.outcome != "checked":
            message = each.message or each.outcome
            kind = "skipped" if each.outcome == "unavailable" else "error"
            tell(new_case(suite, f"check.{each.id}", each.id), kind, message)
            continue
        known = {entry.case: entry.why for entry in each.known}
        for case in report.cases:
            if each.id in case.results:
                _case(suite, each, case, case.results[each.id], known.get(case.id))
        lines = finding_lines(each)
        if lines:
            output(suite, "; ".join(lines))
    return written(root)


def _case(
    suite: ElementTree.Element, evaluator: CheckedEvaluator, case: CheckedCase, result: CheckedResult, known: str | None
) -> None:
    element = new_case(suite, f"check.{evaluator.id}", case.id)
    given = result.message or (result.outcome if result.value is None else repr(result.value))
    about = f"{case.measure}, {', '.join(case.axes) or 'reading'}: {case.title}"
    if result.outcome == "unsupported":
        tell(element, "skipped", given)
    elif case.id in evaluator.stale:
        tell(element, "failure", f"{STALE}. {about}", "stale")
    elif result.matches:
        output(element, given)
    elif result.known:
        output(element, f"not as declared, as the ledger says: {known or given}")
    else:
        tell(element, "failure", f"{given} ({about})", "differs")
