from __future__ import annotations

from collections.abc import Callable
from typing import Any

from junitparser import Error, Failure, JUnitXml, Skipped
from tests.report.documents import PLAIN, evaluator, report

from ndcgauge.report.junit import render_junit
from ndcgauge.results.model import ClaimEntry, ClosestEntry, Report


def parsed(document: Report) -> Any:
    return JUnitXml.fromstring(render_junit(document).encode())


def results(document: Report) -> dict[str, list[type]]:
    return {case.name: [type(each) for each in case.result] for suite in parsed(document) for case in suite}


def test_recorded(recorded: Callable[[str, str], None]) -> None:
    recorded("report.xml", render_junit(report()))


def test_a_case_for_each_evaluator_and_only_what_is_unexplained_fails() -> None:
    assert results(report()) == {"exact": [], "prints": [], "tied": [], "house": [Failure], "refuses": [Error]}


def test_with_fail_on_differs_an_explained_difference_fails_too() -> None:
    document = report().model_copy(update={"fail_on": "differs"})
    assert results(document) == {"exact": [], "prints": [], "tied": [Failure], "house": [Failure], "refuses": [Error]}


def test_counts_are_those_of_the_cases() -> None:
    found = parsed(report())
    assert (found.tests, found.failures, found.errors, found.skipped) == (5, 1, 1, 0)
    (suite,) = found
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (5, 1, 1, 0)


def test_an_evaluator_that_is_not_installed_is_skipped() -> None:
    absent = evaluator(PLAIN, "ranx", None, (None, None, None), outcome="unavailable", message="pip install ranx")
    document = report().model_copy(update={"evaluators": [absent], "discrepancies": []})
    assert results(document) == {"ranx": [Skipped]}


def test_a_cause_is_told() -> None:
    house = next(case for suite in parsed(report()) for case in suite if case.name == "house")
    assert "partly explained" in house.result[0].message
    assert "gain +0.0500; +0.020000 unexplained" in house.result[0].message


def claim(verdict: str) -> ClaimEntry:
    return ClaimEntry(
        measure="ndcg@10",
        value="0.71",
        verdict=verdict,
        specifications=[],
        classes=1,
        searched=1,
        determined={},
        free=[],
        evaluators=[],
        hypothesis=None,
        envelope=[0.0, 1.0],
        closest=ClosestEntry(value=0.7, spec={}),
        chance=0.0,
    )


def test_claims_are_test_cases() -> None:
    document = report().model_copy(
        update={"evaluators": [], "discrepancies": [], "claims": [claim("ambiguous"), claim("impossible")]}
    )
    found = [(each.classname, each.name, len(each.result)) for suite in parsed(document) for each in suite]
    assert found == [("claims", "ndcg@10 = 0.71", 0), ("claims", "ndcg@10 = 0.71", 1)]
