from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len
from tests.report.documents import PLAIN, report

from ndcgauge.report import terminal
from ndcgauge.report.tables import Cell, Column, Table
from ndcgauge.report.terminal import Page, render_svg, render_terminal
from ndcgauge.report.verdicts import verdict_text


@pytest.mark.parametrize("width", [80, 200])
def test_recorded(width: int, recorded: Callable[[str, str], None]) -> None:
    recorded(f"terminal-{width}.txt", render_terminal(report(), width=width))


def test_recorded_verbose_with_every_query(recorded: Callable[[str, str], None]) -> None:
    recorded("terminal-verbose.txt", render_terminal(report(), width=80, verbose=True, per_query=True))


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    text = render_terminal(report(), width=width, verbose=True, per_query=True)
    assert max(map(cell_len, text.split("\n"))) <= width


def test_escapes_only_with_color() -> None:
    plain, colored = (render_terminal(report(), color=color) for color in (False, True))
    assert "\x1b" not in plain
    assert "\x1b[" in colored


def test_color_changes_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    import re

    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    colored = re.sub(r"\x1b\[[0-9;]*m", "", render_terminal(report(), color=True))
    assert [line.rstrip() for line in colored.splitlines()] == render_terminal(report()).splitlines()
    assert "\x1b[" in render_terminal(report(), color=True), "the caller decides on colour, not the environment"


def test_the_verdict_comes_first() -> None:
    text = render_terminal(report(), width=2000)
    assert text.startswith(verdict_text(report()) + "\n")


def test_the_four_families_have_a_column_at_every_width() -> None:
    joined = {width: " ".join(render_terminal(report(), width=width).split()) for width in (80, 200)}
    assert "gain discount tie-breaking unjudged aggregation numeric unexplained" in joined[200]
    assert "dis- tie- un- other unex-" in joined[80]
    assert "gain count breaking judged families plained" in joined[80]


def test_worst_queries_beyond_three_are_counted_and_shown_with_verbose() -> None:
    document = report()
    found = document.discrepancies[2]
    many = [found.worst[0].model_copy(update={"query": f"{470 + number}"}) for number in range(12)]
    found = found.model_copy(update={"worst": many, "queries_differing": 30})
    document = document.model_copy(update={"discrepancies": [found]})
    short, long = render_terminal(document), render_terminal(document, verbose=True)
    assert "472" in short
    assert "473" not in short
    assert "9 more of the worst queries" in " ".join(short.split())
    assert "479" in long
    assert "480" not in long.replace("0.480", "")
    assert "tied: 30 queries differ from trec_eval, the largest differences" in long


def test_an_evaluator_that_is_the_baseline_stands_first_and_once() -> None:
    document = report()
    reference = document.attribution.references[0].model_copy(update={"baseline": "tied"})
    attribution = document.attribution.model_copy(update={"references": [reference]})
    others = [each for each in document.discrepancies if each.evaluator != "tied"]
    text = render_terminal(document.model_copy(update={"attribution": attribution, "discrepancies": others}))
    table = text[text.index("Evaluators") :].splitlines()
    assert table[3].split() == ["tied", "0.480000", "baseline"]
    assert sum(line.startswith("tied ") for line in table[:10]) == 1
    assert text.startswith("ndcg@10 of bm25.run: tied 0.4800.")


def test_no_discrepancy_at_all() -> None:
    document = report().model_copy(update={"discrepancies": []})
    assert "Differences by family" not in render_terminal(document)


def test_an_id_longer_than_the_page_is_shown_whole() -> None:
    long = "q" * 150
    texts = type(PLAIN)(queries=(long, "302", "303"))
    shown = render_terminal(report(texts), width=80)
    assert "".join(each for each in shown if each == "q").count("q") >= len(long)


def test_the_picture_is_svg_that_loads_nothing_and_says_what_the_terminal_says() -> None:
    text = render_svg(report())
    root = ElementTree.fromstring(text)
    words = "".join(root.itertext()).replace("\xa0", " ")
    assert "house +0.0700 on the 2 of 3 queries that it answered" in words
    assert re.findall(r"url\((?!#)", text) == []
    assert re.findall(r"(?:href|src)=", text) == []
    assert text == render_svg(report())


def test_a_long_table_is_the_one_that_rich_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [Column("run", folds=True), Column("query\nid"), Column("value", numeric=True), Column("日本")]
    cells = [["a.run", f"q{n}", repr(n / 7), "é" * (n % 5) + "漢" * (n % 3) + "\x1b[31m" * (n % 2)] for n in range(250)]
    table = Table("Rows", columns, [[Cell(text) for text in row] for row in cells])
    for width, color in ((80, False), (200, True)):
        shown: list[str] = []
        for long in (250, 251):
            monkeypatch.setattr(terminal, "LONG", long)
            page = Page(width, color=color)
            page.table(table)
            shown.append(page.text())
        assert shown[0] == shown[1]
        assert len(shown[0].splitlines()) == 250 + 4
