"""The report as JUnit XML: what a CI system shows as tests.

A test case is an evaluator on a measure and a run, a case of the suite for an evaluator, or a
claim. It fails from the verdict on that `--fail-on` names; where that is `never`, where something
is unexplained: a difference with a known cause is a fact to be read, not a fault.
"""

from __future__ import annotations

from xml.etree import ElementTree

from ndcgauge.report.causes import cause, without_value
from ndcgauge.report.lookup import discrepancy_of, evaluators_of, is_baseline, pairs
from ndcgauge.report.numbers import number, signed
from ndcgauge.report.printable import one_line
from ndcgauge.results.model import CaseEntry, ClaimEntry, EvaluatorEntry, Report

_OPEN = ("partly explained", "unexplained")
_OPEN_CLAIMS = ("not reproduced", "impossible")
_ABSENT = ("unavailable", "unsupported")
"""Outcomes that are no fault of the files: the test case is skipped."""


def render_junit(report: Report) -> str:
    """One `testsuites` element with a suite for each run and measure, for the cases, and for the claims."""
    root = ElementTree.Element("testsuites", name="ndcgauge")
    for run, measure in pairs(report):
        suite = ElementTree.SubElement(root, "testsuite", name=one_line(f"{measure} of {run}"))
        for entry in evaluators_of(report, run, measure):
            if not is_baseline(report, entry):
                _evaluator(suite, report, entry)
    if report.cases is not None:
        suite = ElementTree.SubElement(root, "testsuite", name="cases")
        for case in report.cases:
            _case(suite, case)
    if report.claims is not None:
        suite = ElementTree.SubElement(root, "testsuite", name="claims")
        for claim in report.claims:
            _claim(suite, claim, differs=report.fail_on == "differs")
    for element in (*root, root):
        _count(element)
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _count(element: ElementTree.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for attribute, name in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(case.find(name) is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")


def _evaluator(suite: ElementTree.Element, report: Report, entry: EvaluatorEntry) -> None:
    seconds = f"{entry.seconds.load + entry.seconds.evaluate:.3f}"
    case = _testcase(suite, f"{entry.measure} of {entry.run}", entry.id, seconds)
    found = discrepancy_of(report, entry)
    if found is None:
        message = without_value(entry.outcome, entry.message) or entry.outcome
        if entry.outcome in _ABSENT:
            _told(case, "skipped", message)
        else:
            _told(case, "error", message, entry.outcome)
        return
    because = cause(found, entry)
    told = f"{found.baseline} {signed(found.difference)}: {found.verdict}" + (f", {because}" if because else "")
    failing = found.verdict != "agrees" if report.fail_on == "differs" else found.verdict in _OPEN
    if failing:
        _told(case, "failure", told, found.verdict)
    output = ElementTree.SubElement(case, "system-out")
    output.text = one_line(f"{entry.id} {number(entry.mean)}; difference from {told}")


def _case(suite: ElementTree.Element, entry: CaseEntry) -> None:
    for evaluator, result in entry.results.items():
        case = _testcase(suite, f"cases.{evaluator}", entry.id)
        if not result.matches:
            given = result.outcome if result.value is None else repr(result.value)
            told = f"{evaluator} gives {given}, which is not what it is declared to compute ({', '.join(entry.axes)})"
            _told(case, "failure", told, "differs")


def _claim(suite: ElementTree.Element, entry: ClaimEntry, *, differs: bool) -> None:
    case = _testcase(suite, "claims", f"{entry.measure} = {entry.value}")
    failing = entry.verdict != "reproduced" if differs else entry.verdict in _OPEN_CLAIMS
    if failing:
        _told(case, "failure", entry.verdict, entry.verdict)
    ElementTree.SubElement(case, "system-out").text = one_line(entry.verdict)


def _testcase(suite: ElementTree.Element, classname: str, name: str, time: str = "0.000") -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=one_line(classname), name=one_line(name), time=time)


def _told(case: ElementTree.Element, kind: str, message: str, type_: str | None = None) -> None:
    # Line ends in an attribute are lost; what does not print is no XML.
    element = ElementTree.SubElement(case, kind, message=one_line(message))
    if type_ is not None:
        element.set("type", one_line(type_))
