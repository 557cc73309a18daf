"""docs/evaluators.md against the catalogue, the ledger, the suite and the saved check; nothing is measured here.

Whether the saved check is what evaluators give is measured in tests/evaluators/test_fingerprints.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ndcgauge.cli.evaluators_page import page
from ndcgauge.evaluators.names import catalogue
from ndcgauge.results.checks import CheckReport
from ndcgauge.results.files import load_document
from ndcgauge.suite.ledger import ledger_of
from ndcgauge.suite.loading import load_cases

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def saved() -> CheckReport:
    document = load_document(ROOT / "reports" / "check.json.gz")
    assert isinstance(document, CheckReport)
    return document


def test_the_page_is_that_of_the_saved_check_and_of_the_catalogue(saved: CheckReport) -> None:
    written = (ROOT / "docs" / "evaluators.md").read_text(encoding="utf-8")
    assert page(saved) == written, "python -m ndcgauge.cli.evaluators_page docs/evaluators.md reports/check.json.gz"


def test_the_saved_check_is_of_every_evaluator_and_case_there_is(saved: CheckReport) -> None:
    assert [each.id for each in saved.evaluators] == list(catalogue())
    assert all(each.conforms for each in saved.evaluators)
    now = {case.id: (case.measure.name, case.written.axes, case.written.title) for case in load_cases()}
    assert {case.id: (case.measure, case.axes, case.title) for case in saved.cases} == now


def test_what_was_declared_then_is_declared_now(saved: CheckReport) -> None:
    for each in saved.evaluators:
        declared = {
            stem: {axis: entry.value for axis, entry in measure.axes.items()}
            for stem, measure in catalogue()[each.id].measures.items()
        }
        measured = {
            stem: {axis: entry.declared for axis, entry in axes.items() if axis != "cutoff"}
            for stem, axes in each.measures.items()
        }
        assert measured == {stem: axes for stem, axes in declared.items() if stem in measured}


def test_what_the_ledger_knew_then_it_knows_now(saved: CheckReport) -> None:
    for each in saved.evaluators:
        ledger = ledger_of(each.id, each.version)
        known = {entry.case: (entry.why, entry.link) for entry in each.known}
        assert known == {case: (entry.why, entry.link) for case, entry in ledger.entries.items()}
