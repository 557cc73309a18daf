"""Renderers of the report document: pure functions of it, without clock, environment or evaluation.

Each form is imported when it is first rendered: what prints trec_eval's lines must not wait for what draws tables.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from ndcgauge.results.model import Report

FORMS: dict[str, str] = {
    "terminal": "ndcgauge.report.terminal:render_file",
    "json": "ndcgauge.results.files:to_json",
    "md": "ndcgauge.report.markdown:render_markdown",
    "html": "ndcgauge.report.html:render_html",
    "tex": "ndcgauge.report.latex:render_latex",
    "junit": "ndcgauge.report.junit:render_junit",
    "trec": "ndcgauge.report.trec:render_report_trec",
    "ir_metadata": "ndcgauge.report.specification:render_header",
}
"""Each form with its renderer, which is loaded when it is asked for."""

SUFFIXES = {
    ".json": "json",
    ".md": "md",
    ".html": "html",
    ".tex": "tex",
    ".xml": "junit",
    ".trec": "trec",
    ".yaml": "ir_metadata",
    ".txt": "terminal",
}
"""Suffix of an output file to the form that it gets."""


def render(report: Report, form: str) -> str:
    """The report in a form of FORMS."""
    module, _, name = FORMS[form].partition(":")
    return cast("Callable[[Report], str]", getattr(import_module(module), name))(report)
