"""Renderers of the report document: pure functions of it, without clock, environment or evaluation.

Each form is imported when it is first rendered: what prints trec_eval's lines must not wait for what draws tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from ndcgauge.results.checks import CheckReport
    from ndcgauge.results.model import Document, Report

FORMS: dict[str, str] = {
    "terminal": "ndcgauge.report.terminal:render_file",
    "json": "ndcgauge.results.files:to_json",
    "md": "ndcgauge.report.markdown:render_markdown",
    "html": "ndcgauge.report.html:render_html",
    "tex": "ndcgauge.report.latex:render_latex",
    "junit": "ndcgauge.report.junit:render_junit",
    "svg": "ndcgauge.report.terminal:render_svg",
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
    ".svg": "svg",
    ".trec": "trec",
    ".yaml": "ir_metadata",
    ".txt": "terminal",
}
"""Suffix of an output file to the form that it gets."""


CHECK_FORMS: dict[str, str] = {
    "terminal": "ndcgauge.report.checks:render_check_file",
    "json": "ndcgauge.results.files:to_json",
    "md": "ndcgauge.report.checks:render_check_markdown",
    "html": "ndcgauge.report.check_html:render_check_html",
    "junit": "ndcgauge.report.check_junit:render_check_junit",
}
"""The forms of the document of a check, as FORMS."""

CHECK_SUFFIXES = {".json": "json", ".md": "md", ".html": "html", ".xml": "junit", ".txt": "terminal"}
"""As SUFFIXES."""


def render(report: Report, form: str) -> str:
    """The report in a form of FORMS."""
    return _renderer(FORMS[form])(report)


def pieces(report: Report, form: str) -> Iterable[str]:
    """The same piece by piece, for a file: JSON, which can be very long, is never whole in memory."""
    if form != "json":
        return (render(report, form),)
    from ndcgauge.results.files import json_pieces

    return json_pieces(report)


def render_check(report: CheckReport, form: str) -> str:
    """The document of a check in a form of CHECK_FORMS."""
    return _renderer(CHECK_FORMS[form])(report)


def _renderer(named: str) -> Callable[[Document], str]:
    module, _, name = named.partition(":")
    return cast("Callable[[Document], str]", getattr(import_module(module), name))
