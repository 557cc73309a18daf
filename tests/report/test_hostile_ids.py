"""Ids and messages that try to be markup, or to move the cursor, through every form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from tests.report.check_documents import check_report
from tests.report.documents import PLAIN, Texts, report, scores
from tests.report.hostile import HOSTILE, WORSE

from ndcgauge.report import CHECK_FORMS, FORMS, render, render_check
from ndcgauge.report.scores import render_scores
from ndcgauge.report.specification import machine_block
from ndcgauge.report.terminal import render_terminal
from ndcgauge.report.trec import render_trec
from ndcgauge.report.verdicts import verdict_text
from ndcgauge.results.model import Report
from ndcgauge.results.run_header import read_header, specification_of

PRINTED: dict[str, Callable[[Report], str]] = {
    **{form: lambda document, form=form: render(document, form) for form in FORMS},
    "terminal": render_terminal,
    "wide": lambda document: render_terminal(document, width=200, verbose=True, per_query=True),
    "verdict": verdict_text,
    "scores": lambda _: render_scores(scores(HOSTILE), per_query=True),
}


def of_check(form: str) -> Callable[[Texts], str]:
    return lambda texts: render_check(check_report(texts), form)


OF_TEXTS: dict[str, Callable[[Texts], str]] = {f"check {form}": of_check(form) for form in CHECK_FORMS}
"""Forms of other documents that hold ids and messages."""


@pytest.mark.parametrize("texts", [HOSTILE, WORSE], ids=["hostile", "worse"])
@pytest.mark.parametrize("form", OF_TEXTS)
def test_nothing_that_does_not_print_comes_through_a_check(form: str, texts: Texts) -> None:
    assert {each for each in OF_TEXTS[form](texts) if not each.isprintable()} <= {"\n"}


@pytest.mark.parametrize("texts", [HOSTILE, WORSE], ids=["hostile", "worse"])
@pytest.mark.parametrize("form", PRINTED)
def test_nothing_that_does_not_print_comes_through(form: str, texts: Texts) -> None:
    text = PRINTED[form](report(texts))
    assert text
    # Three columns are separated by tabs, and their ids are data: a terminal is not where they go.
    if form != "trec":
        assert {each for each in text if not each.isprintable()} <= {"\n"}


@pytest.mark.parametrize("form", PRINTED)
def test_bytes_can_be_written(form: str) -> None:
    lone = Texts(queries=("caf\udce9", "302", "303"))
    document = report() if form == "json" else report(lone)
    # Three columns hold ids as data: bytes that are no UTF-8 come out as they were.
    errors = "surrogateescape" if form == "trec" else "strict"
    assert PRINTED[form](document).encode("utf-8", errors)


def test_every_form_of_a_file_is_tried() -> None:
    assert set(FORMS) <= set(PRINTED)


def test_terminal_shows_markup_as_it_is_written() -> None:
    text = render_terminal(report(HOSTILE), width=400)
    assert "<script>alert(1)</script>[bold red].run" in text
    assert "%_&\\$#{}" in text
    assert "[link=file:///x]\\u202eltr\\u200f" in text
    assert "\\x1b[31mred\\x07\\x08" in text


class Tags(HTMLParser):
    """Every tag with its attributes, and the text outside scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.scripts: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = tag

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "script":
            self.scripts.append(data)
        elif self.inside != "style":
            self.words += data


def tags_of(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    return tags


def parsed(document: Report) -> Tags:
    return tags_of(render(document, "html"))


@pytest.mark.parametrize(
    "page", [lambda texts: render(report(texts), "html"), of_check("html")], ids=["report", "check"]
)
@pytest.mark.parametrize("texts", [HOSTILE, WORSE], ids=["hostile", "worse"])
def test_html_has_no_element_or_attribute_of_an_id(texts: Texts, page: Callable[[Texts], str]) -> None:
    plain, hostile = tags_of(page(PLAIN)), tags_of(page(texts))
    assert {tag for tag, _ in hostile.tags} == {tag for tag, _ in plain.tags}
    names = [{(tag, name) for tag, attributes in each.tags for name in attributes} for each in (plain, hostile)]
    assert names[0] == names[1]
    assert not any(name.startswith("on") for _, name in names[1])


def test_html_shows_markup_as_it_is_written() -> None:
    words = parsed(report(HOSTILE)).words
    for shown in ("<script>alert(1)</script>[bold red].run", "a|b", "%_&\\$#{}", "[link=file:///x]\\u202eltr\\u200f"):
        assert shown in words
    assert "{{ 7*7 }}{% raw %}" in parsed(report(WORSE)).words


@pytest.mark.parametrize("texts", [HOSTILE, WORSE], ids=["hostile", "worse"])
def test_html_holds_the_document(texts: Texts) -> None:
    document = report(texts)
    inside = next(each for each in parsed(document).scripts if each.startswith("{"))
    assert Report.model_validate(json.loads(inside)) == document


def test_a_label_in_a_figure_is_no_colour() -> None:
    texts = Texts(program="fill: #0000a1", queries=('id="mark-off"', "#0000b2", "303"))
    assert "fill: #0000a1" in parsed(report(texts)).words
    assert "#0000b2" in parsed(report(texts)).words


@pytest.mark.parametrize("texts", [HOSTILE, WORSE], ids=["hostile", "worse"])
def test_xml_gives_back_what_is_printable(texts: Texts) -> None:
    root = ElementTree.fromstring(render(report(texts), "junit"))
    names = {case.get("name") for case in root.iter("testcase")}
    assert texts.program in names


@pytest.mark.parametrize("texts", [HOSTILE, WORSE], ids=["hostile", "worse"])
def test_a_header_stays_comments_and_is_read_back(texts: Texts) -> None:
    document = report(texts)
    lines = render(document, "ir_metadata").split("\n")[:-1]
    assert all(line.startswith("#") for line in lines)
    header = read_header(lines)
    assert header is not None
    assert specification_of(header) == machine_block(document)


@pytest.mark.parametrize("texts", [HOSTILE, WORSE], ids=["hostile", "worse"])
def test_latex_has_no_command_of_an_id(texts: Texts) -> None:
    def commands(document: Report) -> set[str]:
        return set(re.findall(r"\\([a-z]+)", render(document, "tex")))

    known = {
        "begin",
        "end",
        "centering",
        "caption",
        "toprule",
        "midrule",
        "bottomrule",
        "textsuperscript",
        "rightarrow",
    }
    text = {"textbackslash", "textless", "textgreater", "textbar", "char", "textasciigrave", "textasciitilde"}
    text |= {"textasciicircum", "textendash", "dots", "input", "usepackage"}
    assert commands(report(texts)) <= known | text
    # \\input stands in the comment at the head alone.
    assert render(report(texts), "tex").count("\\input") == 1


@pytest.mark.parametrize("page", [lambda texts: render(report(texts), "md"), of_check("md")], ids=["report", "check"])
def test_markdown_has_no_tag_but_its_own(page: Callable[[Texts], str]) -> None:
    text = page(HOSTILE)
    outside = "\n".join(part for place, part in enumerate(re.split(r"(?m)^`{3,}\w*$", text)) if place % 2 == 0)
    tags = re.findall(r"(?<!\\)<[^>]*>", outside)
    assert set(tags) == {"<details>", "</details>", "<summary>", "</summary>"}
    assert tags.count("<details>") == tags.count("</details>")


def test_json_gives_back_what_went_in() -> None:
    document = report(HOSTILE)
    assert Report.model_validate(json.loads(render(document, "json"))) == document


def test_three_columns_stay_three() -> None:
    lines = render_trec(scores(HOSTILE), per_query=True).split("\n")[:-1]
    assert [line.count("\t") for line in lines] == [2] * 5
