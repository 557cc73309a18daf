"""The report as JUnit XML: what a CI system shows as tests.

A test case is an evaluator on a measure and a run, or a claim. It fails from the verdict on that `--fail-on` names;
where that is `never`, where something is unexplained: a difference with a known cause is a fact to be read, not a
fault.
"""

from __future__ import annotations

from xml.etree import ElementTree

from ndcgauge.report.causes import cause, without_value
from ndcgauge.report.junit_elements import new_case, new_root, new_suite, output, tell, written
from ndcgauge.report.lookup import discrepancy_of, evaluators_of, is_baseline, pairs
from ndcgauge.report.numbers import number, signed
from ndcgauge.results.model import ClaimEntry, EvaluatorEntry, Report

_OPEN = ("partly explained", "unexplained")
_OPEN_CLAIMS = ("not reproduced", "impossible")
_ABSENT = ("unavailable", "unsupported")
"""Outcomes that are no fault of the files: the test case is skipped."""


def render_junit(report: Report) -> str:
    """One `testsuites` element with a suite for each run and measure, and one for the claims."""
    root = new_root()
    for run, measure in pairs(report):
        suite = new_suite(root, f"{measure} of {run}")
        for entry in evaluators_of(report, run, measure):
            if not is_baseline(report, entry):
                _evaluator(suite, report, entry)
    if report.claims is not None:
        suite = new_suite(root, "claims")
        for claim in report.claims:
            _claim(suite, claim, differs=report.fail_on == "differs")
    return written(root)


def _evaluator(suite: ElementTree.Element, report: Report, entry: EvaluatorEntry) -> None:
    seconds = f"{entry.seconds.load + entry.seconds.evaluate:.3f}"
    case = new_case(suite, f"{entry.measure} of {entry.run}", entry.id, seconds)
    found = discrepancy_of(report, entry)
    if found is None:
        message = without_value(entry.outcome, entry.message) or entry.outcome
        if entry.outcome in _ABSENT:
            tell(case, "skipped", message)
        else:
            tell(case, "error", message, entry.outcome)
        return
    because = cause(found, entry)
    told = f"{found.baseline} {signed(found.difference)}: {found.verdict}" + (f", {because}" if because else "")
    failing = found.verdict != "agrees" if report.fail_on == "differs" else found.verdict in _OPEN
    if failing:
        tell(case, "failure", told, found.verdict)
    output(case, f"{entry.id} {number(entry.mean)}; difference from {told}")


def _claim(suite: ElementTree.Element, entry: ClaimEntry, *, differs: bool) -> None:
    case = new_case(suite, "claims", f"{entry.measure} = {entry.value}")
    failing = entry.verdict != "reproduced" if differs else entry.verdict in _OPEN_CLAIMS
    if failing:
        tell(case, "failure", entry.verdict, entry.verdict)
    output(case, entry.verdict)
