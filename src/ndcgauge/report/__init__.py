"""Renderers of the report document: pure functions of it, without clock, environment or evaluation."""

from __future__ import annotations

from collections.abc import Callable

from ndcgauge.report.html import render_html
from ndcgauge.report.markdown import render_markdown
from ndcgauge.report.terminal import render_terminal
from ndcgauge.results.files import to_json
from ndcgauge.results.model import Report

FORMS: dict[str, Callable[[Report], str]] = {
    "json": to_json,
    "md": render_markdown,
    "html": render_html,
    "terminal": lambda report: render_terminal(report, width=100, verbose=True),
}
SUFFIXES = {".json": "json", ".md": "md", ".html": "html", ".txt": "terminal"}
"""Suffix of an output file to the form that it gets."""


def render(report: Report, form: str) -> str:
    """The report in a form of FORMS."""
    return FORMS[form](report)
