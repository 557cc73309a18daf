from __future__ import annotations

from tests.report.documents import report
from tests.report.test_junit import claim

from ndcgauge.report import render
from ndcgauge.report.conformance import case_tables, claim_table, conformance_lines
from ndcgauge.results.model import CaseEntry, CaseResult, Report


def case(name: str, axis: str, *matches: bool) -> CaseEntry:
    results = {f"e{place}": CaseResult(outcome="value", value=0.5, matches=each) for place, each in enumerate(matches)}
    return CaseEntry(id=name, axes=[axis], results=results)


def checked(*cases: CaseEntry) -> Report:
    return report().model_copy(update={"cases": list(cases)})


def test_failing_cases_come_apart_and_in_the_order_of_axes() -> None:
    found = case_tables(
        checked(
            case("z", "gain", True, True),
            case("b", "discount", True, False),
            case("a", "discount", False, True),
            case("c", "ties", True, False),
        )
    )
    assert found.failing is not None
    assert found.passing is not None
    # Ties are an earlier stage of the pipeline than discounts.
    assert [row[1].text for row in found.failing.rows] == ["c", "a", "b"]
    assert [cell.text for cell in found.failing.rows[1][2:]] == ["✗ 0.500000", "✓ 0.500000"]
    assert [row[1].text for row in found.passing.rows] == ["z"]


def test_nothing_checked_and_nothing_claimed_has_no_table() -> None:
    assert (case_tables(report()).failing, case_tables(report()).passing, claim_table(report())) == (None, None, None)
    assert conformance_lines(report()) == []


def test_the_verdict_counts_cases_and_names_claims() -> None:
    document = checked(case("a", "gain", True, False), case("b", "gain", True)).model_copy(
        update={"claims": [claim("impossible")]}
    )
    assert conformance_lines(document) == [
        "ndcg@10 = 0.71: impossible.",
        "2 cases run: in 1 an evaluator is not what it is declared to be.",
    ]
    assert conformance_lines(checked(case("b", "gain", True))) == [
        "1 case run: every evaluator is what it is declared to be."
    ]


def test_the_page_folds_what_passes() -> None:
    document = checked(case("a-case", "gain", True, False), case("b-case", "gain", True)).model_copy(
        update={"claims": [claim("ambiguous")]}
    )
    page = render(document, "html")
    assert page.index("a-case") < page.index("<details><summary>Cases in which every") < page.index("b-case")
    assert "ndcg@10 = 0.71: ambiguous." in page
