"""What every HTML page of ours is made with: templates that escape, style and script inside, the document packed."""

from __future__ import annotations

import base64
import gzip
import hashlib
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ndcgauge.report.printable import visible
from ndcgauge.results.files import compact_json
from ndcgauge.results.model import Document

LARGEST_INLINE = 400_000
"""Bytes of the document up to which it also stands in the page as plain JSON."""


def render_page(template: str, document: Document, **values: object) -> str:
    """A page from a template of the package that extends `base.html.j2`, with the document inside.

    A pure function of its arguments. The page loads nothing, and its policy lets nothing run but our own script.
    """
    text = compact_json(document)
    script = _resource("page.js")
    return (
        _environment()
        .get_template(template)
        .render(
            report=document,
            style=Markup(_resource("page.css")),  # noqa: S704 - ours, from the package
            script=Markup(script),  # noqa: S704 - ours, from the package
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
            document=_inline_json(text),
            packed=base64.b64encode(gzip.compress(text.encode("utf-8"), 6, mtime=0)).decode("ascii"),
            **values,
        )
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("ndcgauge.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_shown,
    )


def _shown(value: object) -> object:
    """What a template writes: nothing in an id may act on the text around it, as marks of direction do."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _resource(name: str) -> str:
    return (files("ndcgauge.report") / "templates" / name).read_text(encoding="utf-8")


def _inline_json(document: str) -> Markup | None:
    """The document as a script element's text, in which nothing can end the element; None where it is large."""
    if len(document) > LARGEST_INLINE:
        return None
    return Markup(document.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))  # noqa: S704 - escaped
