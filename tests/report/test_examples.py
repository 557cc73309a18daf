"""The examples in reports/ are what the tool makes: they are rendered again from their own documents."""

from __future__ import annotations

import gzip
import hashlib
import json
import runpy
import struct
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ndcgauge.report import CHECK_SUFFIXES, SUFFIXES, render, render_check
from ndcgauge.results.checks import CheckReport
from ndcgauge.results.files import load_document, load_report
from ndcgauge.results.schema import kept_schema

REPORTS = Path(__file__).resolve().parents[2] / "reports"
DOCUMENTS = sorted(path.stem for path in REPORTS.glob("*.json"))
CHECK = REPORTS / "check.json.gz"
"""A check of all evaluators on all cases; packed, because it is large."""
RENDERED = sorted(
    path.name for path in REPORTS.iterdir() if path.suffix in SUFFIXES and path.suffix != ".json" and path.is_file()
)


def test_the_examples_are_there() -> None:
    assert {"worked-example", "ties"} <= set(DOCUMENTS)
    assert {f"{name}{suffix}" for name in (*DOCUMENTS, "check") for suffix in (".html", ".md")} <= set(RENDERED)


@pytest.mark.parametrize("name", RENDERED)
def test_an_example_is_current(name: str) -> None:
    path = REPORTS / name
    saved = CHECK if path.stem == "check" else path.with_suffix(".json")
    document = load_document(saved)
    if isinstance(document, CheckReport):
        again = render_check(document, CHECK_SUFFIXES[path.suffix])
    else:
        again = render(document, SUFFIXES[path.suffix])
    # Whether a figure's numbers have the same digits is up to matplotlib: of a page, only the rest is compared.
    kept, made = (without_figures(text) for text in (path.read_text("utf-8"), again))
    assert kept == made


def test_the_picture_in_the_readme_is_of_the_page_as_it_is() -> None:
    # `nox -s examples` takes it again.
    assert "(reports/ties.png)" in (REPORTS.parent / "README.md").read_text("utf-8")
    page = hashlib.sha256((REPORTS / "ties.html").read_bytes()).hexdigest()
    assert texts_of((REPORTS / "ties.png").read_bytes()) == {"page-sha256": page}


def texts_of(png: bytes) -> dict[str, str]:
    """The tEXt chunks of a PNG: a length, `tEXt`, a name, NUL, a text, a checksum."""
    found: dict[str, str] = {}
    place = 8
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"tEXt":
            name, _, text = png[place + 8 : place + 8 + length].decode("latin-1").partition("\0")
            found[name] = text
        place += 12 + length
    return found


def without_figures(page: str) -> str:
    """A page without its figures and without the packed document, whose bytes depend on the version of zlib."""
    import re

    page = re.sub(r"<svg.*?</svg>", "<svg>", page, flags=re.DOTALL)
    return re.sub(r"base64,[A-Za-z0-9+/=]*\">", 'base64,">', page)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_an_example_is_valid(name: str) -> None:
    schema: Any = json.loads(kept_schema("report"))
    jsonschema.Draft202012Validator(schema).validate(json.loads((REPORTS / f"{name}.json").read_text("utf-8")))


def test_the_check_is_valid() -> None:
    schema: Any = json.loads(kept_schema("check"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(gzip.decompress(CHECK.read_bytes())))


def test_the_example_says_what_the_readme_says() -> None:
    report = load_report(REPORTS / "worked-example.json")
    causes = {each.evaluator: each.minimal for each in report.discrepancies}
    assert causes["ranx-burges"] == [["gain"]]
    assert causes["sklearn"] == [["unretrieved"]]
    assert causes["pyserini-judged"] == [["unjudged"]]


def test_the_files_of_the_ties_are_those_that_its_program_makes(tmp_path: Path) -> None:
    program = tmp_path / "make_ties.py"
    program.write_text((REPORTS / "data" / "make_ties.py").read_text("utf-8"), "utf-8")
    runpy.run_path(str(program), run_name="__main__")
    for file in load_report(REPORTS / "ties.json").inputs:
        made = (tmp_path / file.name).read_bytes()
        assert made == (REPORTS / "data" / file.name).read_bytes()
        assert hashlib.sha256(made).hexdigest() == file.sha256


def test_in_the_ties_the_evaluator_changes_the_winner() -> None:
    report = load_report(REPORTS / "ties.json")
    base, *others = report.orders
    assert base.order[0] == ["rounded.run"]
    assert {each.evaluator: each.order[0] for each in others if each.changes_winner}["sklearn"] == ["precise.run"]
    assert all(each.verdict in ("agrees", "explained") for each in report.discrepancies)
