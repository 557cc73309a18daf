from __future__ import annotations

import pytest
from tests.report.documents import report

from ndcgauge.report import FORMS, SUFFIXES, render


@pytest.mark.parametrize("form", FORMS)
def test_same_document_same_text(form: str) -> None:
    assert render(report(), form) == render(report(), form)


def test_every_suffix_has_a_form() -> None:
    assert set(SUFFIXES.values()) <= set(FORMS)


def test_a_file_holds_no_escapes() -> None:
    assert "\x1b" not in render(report(), SUFFIXES[".txt"])
