"""The example in reports/ is what the tool makes: it is rendered again from its own document."""

from __future__ import annotations

from pathlib import Path

from ndcgauge.report import render
from ndcgauge.results.files import load_report

REPORTS = Path(__file__).resolve().parents[2] / "reports"


def test_the_markdown_example_is_current() -> None:
    report = load_report(REPORTS / "worked-example.json")
    assert (REPORTS / "worked-example.md").read_text(encoding="utf-8") == render(report, "md")


def test_the_example_says_what_the_readme_says() -> None:
    report = load_report(REPORTS / "worked-example.json")
    causes = {each.evaluator: each.minimal for each in report.discrepancies}
    assert causes["ranx-burges"] == [["gain"]]
    assert causes["sklearn"] == [["unretrieved"]]
    assert causes["pyserini-judged"] == [["unjudged"]]
