"""Renderers of the report document: pure functions of it, without clock, environment or evaluation.

Each form is imported when it is first rendered: what prints trec_eval's lines must not wait for what draws tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ndcgauge.results.model import Report


def _json(report: Report) -> str:
    from ndcgauge.results.files import to_json

    return to_json(report)


def _markdown(report: Report) -> str:
    from ndcgauge.report.markdown import render_markdown

    return render_markdown(report)


def _terminal(report: Report) -> str:
    from ndcgauge.report.terminal import render_terminal

    return render_terminal(report, width=100, verbose=True)


FORMS: dict[str, Callable[[Report], str]] = {"json": _json, "md": _markdown, "terminal": _terminal}
SUFFIXES = {".json": "json", ".md": "md", ".txt": "terminal"}
"""Suffix of an output file to the form that it gets."""


def render(report: Report, form: str) -> str:
    """The report in a form of FORMS."""
    return FORMS[form](report)
