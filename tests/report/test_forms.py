from __future__ import annotations

from pathlib import Path

import pytest
from tests.report.documents import Texts, report

from ndcgauge.report import FORMS, SUFFIXES, render
from ndcgauge.report.terminal import render_terminal
from ndcgauge.results.files import load_report, to_json, write_whole
from ndcgauge.results.model import Report

UNSORTED = Texts(queries=("9", "10", "303"))
"""Queries and, below, grades that stand in another order in a document than in its file."""


@pytest.mark.parametrize("form", FORMS)
def test_a_saved_report_gives_the_same_text(form: str, tmp_path: Path) -> None:
    made = report(UNSORTED).model_dump(by_alias=True)
    made["inputs"][0]["relevance_scale"] = {"2": 4, "10": 7, "-1": 1}
    document = Report.model_validate(made)
    write_whole(tmp_path / "report.json", to_json(document))
    assert render(document, form) == render(load_report(tmp_path / "report.json"), form)


def test_a_saved_report_gives_the_same_values_of_queries(tmp_path: Path) -> None:
    document = report(UNSORTED)
    write_whole(tmp_path / "report.json", to_json(document))
    loaded = load_report(tmp_path / "report.json")
    shown = [render_terminal(each, width=200, per_query=True) for each in (document, loaded)]
    assert shown[0] == shown[1]


@pytest.mark.parametrize("form", ["md", "terminal"])
def test_grades_are_in_the_order_of_numbers(form: str) -> None:
    made = report().model_dump(by_alias=True)
    made["inputs"][0]["relevance_scale"] = {"2": 4, "10": 7, "-1": 1}
    text = render(Report.model_validate(made), form).replace("\\", "")
    assert "-1 (1), 2 (4), 10 (7)" in text


def test_every_suffix_has_a_form() -> None:
    assert set(SUFFIXES.values()) <= set(FORMS)


def test_a_file_holds_no_escapes() -> None:
    assert "\x1b" not in render(report(), SUFFIXES[".txt"])
