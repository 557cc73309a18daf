"""The document of a check in its forms; the hostile ids are tried in test_hostile_ids."""

from __future__ import annotations

import re
from typing import Any

from junitparser import Failure, JUnitXml, Skipped
from tests.report.check_documents import check_report

from ndcgauge.report import CHECK_FORMS, CHECK_SUFFIXES, render_check
from ndcgauge.report.check_tables import case_matrix, matrix
from ndcgauge.report.check_verdict import check_verdict
from ndcgauge.results.checks import CheckReport


def test_every_suffix_has_a_form() -> None:
    assert set(CHECK_SUFFIXES.values()) == set(CHECK_FORMS)


def test_the_verdict_names_who_is_not_as_declared_and_who_could_not_be_asked() -> None:
    assert check_verdict(check_report()) == (
        "1 of 2 evaluators are as declared on 4 cases; not as declared: house; could not be checked: absent"
    )


def test_the_worst_axis_comes_first_and_says_what_was_declared() -> None:
    checked = [each for each in check_report().evaluators if each.outcome == "checked"]
    rows = [[cell.text for cell in row] for row in matrix(checked).rows]
    assert rows[0] == ["gain", "✗ exponential, declared linear", "✓ linear"]
    assert ["negative", "+ zero", "? zero"] in rows


def test_the_cases_by_evaluator_have_a_symbol_for_each_standing() -> None:
    found = case_matrix(check_report())
    assert found is not None
    assert [[cell.text for cell in row] for row in found.rows] == [
        ["301", "gain", "ndcg@10", "✗ 0.75", "✓ 0.625"],
        ["ties-stale", "ties", "ndcg@10", "✓ 0.5", "✓ 0.5"],
        ["negative-one", "negative", "ndcg@10", "✓ 1", "≠ refused"],
        ["lacking", "reading", "ap", "✓ 1", "–"],
    ]


def parsed(document: CheckReport) -> Any:
    return JUnitXml.fromstring(render_check(document, "junit").encode())


def test_junit_has_a_test_case_for_each_case_and_evaluator() -> None:
    found = {
        (case.classname, case.name): [type(each) for each in case.result]
        for suite in parsed(check_report())
        for case in suite
    }
    assert found == {
        ("check.house", "301"): [Failure],
        ("check.house", "ties-stale"): [Failure],
        ("check.house", "negative-one"): [],
        ("check.house", "lacking"): [],
        ("check.old", "301"): [],
        ("check.old", "ties-stale"): [],
        ("check.old", "negative-one"): [],
        ("check.old", "lacking"): [Skipped],
        ("check.absent", "absent"): [Skipped],
    }


def test_junit_says_why() -> None:
    xml = render_check(check_report(), "junit")
    assert 'message="refused: a negative grade (ndcg@10, gain: bm25.run)"' in xml
    assert "the ledger says that it differs here, and it does not" in xml
    assert "not as declared, as the ledger says: refused: a negative grade" in xml
    assert "gain is exponential, declared linear" in xml


def test_the_page_has_the_verdict_first_and_every_case_below() -> None:
    page = render_check(check_report(), "html")
    places = [page.index(each) for each in ("1 of 2 evaluators", 'id="matrix"', 'id="cases-unknown"', 'id="cases-all"')]
    assert places == sorted(places)
    assert "script-src 'sha256-" in page
    assert not re.search(r"(?:src|href)=\"https?:", page)


def test_markdown_has_findings_cases_and_how_to_repeat_it() -> None:
    text = render_check(check_report(), "md")
    assert "house, ndcg: gain is exponential, declared linear: cases 301" in text
    assert "house: the ledger says that ties-stale differs, and it does not" in text
    assert "All 4 cases" in text
    assert "ndcgauge check -e house" in text


def test_the_same_document_gives_the_same_bytes() -> None:
    for form in CHECK_FORMS:
        assert render_check(check_report(), form) == render_check(check_report(), form)
