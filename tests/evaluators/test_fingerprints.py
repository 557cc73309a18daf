"""The nine evaluators of the catalogue on the whole suite: as declared, complete, and as docs/evaluators.md says."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest

from ndcgauge.cli.evaluators_page import page
from ndcgauge.evaluators.names import catalogue
from ndcgauge.evaluators.references import Catalogued
from ndcgauge.evaluators.workers import Workers, unavailable
from ndcgauge.jobs.check import check, check_options
from ndcgauge.results.checks import CheckReport
from ndcgauge.results.files import load_document

pytestmark = pytest.mark.skipif(
    not os.environ.get("NDCGAUGE_REAL"), reason="a check of all nine takes minutes: NDCGAUGE_REAL=1, or nox -s real"
)

ROOT = Path(__file__).parents[2]
SHOWN_BY_NOBODY = (
    "every value gives the same",
    "it refused",
    "it crashed",
    "no case of the axis was asked",
    "it has no other cutoff",
)
"""Why an axis may stay undetermined: nothing that its evaluator could show."""


@pytest.fixture(scope="module")
def report(warm: Workers) -> CheckReport:
    missing = [name for name in catalogue() if unavailable(Catalogued(name)) is not None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    return check(check_options(), workers=warm)


def test_every_evaluator_is_as_the_catalogue_says_beyond_the_ledger(report: CheckReport) -> None:
    wrong = {
        each.id: [
            *(case.id for case in report.cases if _differs(case.results.get(each.id))),
            *(f"{measure} {axis} {found.measured}" for measure, axis, found in _different(each)),
            *(f"stale: {case}" for case in each.stale),
        ]
        for each in report.evaluators
        if not each.conforms
    }
    assert wrong == {}


def _differs(result: object) -> bool:
    return result is not None and not result.matches and not result.known  # type: ignore[attr-defined]


def _different(each: object) -> list[tuple[str, str, object]]:
    return [
        (measure, axis, found)
        for measure, axes in each.measures.items()  # type: ignore[attr-defined]
        for axis, found in axes.items()
        if found.standing == "different" and not found.known
    ]


def test_what_is_undetermined_cannot_be_shown(report: CheckReport) -> None:
    for each in report.evaluators:
        for axis, found in each.fingerprint.items():
            if found.standing == "undetermined":
                assert any((found.reason or "").startswith(why) for why in SHOWN_BY_NOBODY), (each.id, axis, found)


@pytest.mark.parametrize(
    ("evaluator", "axis", "value"),
    [
        ("sklearn", "ties", "average"),
        ("sklearn", "unretrieved", "append"),
        ("sklearn-padded", "unretrieved", "absent"),
        ("sklearn-retrieved", "ideal", "retrieved"),
        ("sklearn-ignore-ties", "ties", "observed"),
        ("pyserini", "ties", "docid-desc"),
        ("pyserini", "score_precision", "float32"),
        ("pyserini", "queries", "intersection"),
        ("pyserini-c", "queries", "judged"),
        ("pyserini-judged", "unjudged", "drop"),
        ("ranx", "ties", "observed"),
        ("ranx", "gain", "linear"),
        ("ranx-burges", "gain", "exponential"),
    ],
)
def test_what_people_choose_a_library_by_is_measured(
    report: CheckReport, evaluator: str, axis: str, value: str
) -> None:
    found = next(each for each in report.evaluators if each.id == evaluator).fingerprint[axis]
    assert (found.measured, found.standing) == (value, "same")
    assert found.cases


def test_the_page_and_the_saved_check_are_what_is_measured(report: CheckReport) -> None:
    saved = load_document(ROOT / "reports" / "check.json.gz")
    assert isinstance(saved, CheckReport)
    if {each.id: each.version for each in saved.evaluators} != {each.id: each.version for each in report.evaluators}:
        pytest.skip(f"docs/evaluators.md is about other versions than those of Python {platform.python_version()}")
    assert page(report) == (ROOT / "docs" / "evaluators.md").read_text(encoding="utf-8")
    assert standings(report) == standings(saved)


def standings(report: CheckReport) -> dict[str, dict[str, tuple[str, bool, bool]]]:
    """Case and evaluator to what was given; the numbers themselves may differ in their last digits."""
    return {
        case.id: {name: (each.outcome, each.matches, each.known) for name, each in case.results.items()}
        for case in report.cases
    }
