"""Ids and messages that try to be markup, or to move the cursor, through every form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from tests.report.documents import Texts, report, scores

from ndcgauge.report import FORMS, render
from ndcgauge.report.scores import render_scores
from ndcgauge.report.terminal import render_terminal
from ndcgauge.report.trec import render_trec
from ndcgauge.report.verdicts import verdict_text
from ndcgauge.results.model import Report

HOSTILE = Texts(
    run="<script>alert(1)</script>[bold red].run",
    queries=("a|b", "%_&\\$#{}", "tab\there\r\n| x |"),
    missing="\x1b[31mred\x07\x08",
    docs=("[link=file:///x]\u202eltr\u200f", "`code`<!--"),
    message="line one\nline two\x1b]0;title\x07 | cell",
    program="**\"quoted'</details>",
)
PRINTED: dict[str, Callable[[Report], str]] = {
    "terminal": render_terminal,
    "wide": lambda document: render_terminal(document, width=200, verbose=True, per_query=True),
    "verdict": verdict_text,
    "md": lambda document: render(document, "md"),
    "json": lambda document: render(document, "json"),
    "html": lambda document: render(document, "html"),
    "scores": lambda _: render_scores(scores(HOSTILE), per_query=True),
}


@pytest.mark.parametrize("form", PRINTED)
def test_nothing_that_does_not_print_comes_through(form: str) -> None:
    text = PRINTED[form](report(HOSTILE))
    assert text
    assert {each for each in text if not each.isprintable()} <= {"\n"}


@pytest.mark.parametrize("form", PRINTED)
def test_bytes_can_be_written(form: str) -> None:
    lone = Texts(queries=("caf\udce9", "302", "303"))
    document = report() if form == "json" else report(lone)
    assert PRINTED[form](document).encode("utf-8")


def test_every_form_of_a_file_is_tried() -> None:
    assert set(FORMS) <= set(PRINTED)


def test_terminal_shows_markup_as_it_is_written() -> None:
    text = render_terminal(report(HOSTILE), width=400)
    assert "<script>alert(1)</script>[bold red].run" in text
    assert "%_&\\$#{}" in text
    assert "[link=file:///x]\\u202eltr\\u200f" in text
    assert "\\x1b[31mred\\x07\\x08" in text


def test_markdown_has_no_tag_but_its_own() -> None:
    text = render(report(HOSTILE), "md")
    outside = "\n".join(part for place, part in enumerate(re.split(r"(?m)^`{3,}$", text)) if place % 2 == 0)
    tags = re.findall(r"(?<!\\)<[^>]*>", outside)
    assert set(tags) == {"<details>", "</details>", "<summary>", "</summary>"}
    assert tags.count("<details>") == tags.count("</details>")


def test_json_gives_back_what_went_in() -> None:
    document = report(HOSTILE)
    assert Report.model_validate(json.loads(render(document, "json"))) == document


def test_three_columns_stay_three() -> None:
    lines = render_trec(scores(HOSTILE), per_query=True).split("\n")[:-1]
    assert [line.count("\t") for line in lines] == [2] * 5
