"""What README and the documentation claim, as far as a file can be asked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ndcgauge.cli.app import VERBS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
README = (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8"))
    inside = [each.partition("#")[0] for each in links if not each.startswith(("http:", "https:", "#"))]
    assert [each for each in inside if not (page.parent / each).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_are_named_are_there(page: Path) -> None:
    named = re.findall(r"`((?:tests|src|benchmarks|reports|cases|docs)/[\w./-]*)`", page.read_text("utf-8"))
    assert [each for each in named if not (ROOT / each).exists()] == []


def test_the_verbs_of_readme_are_those_of_the_tool() -> None:
    used = set(re.findall(r"`ndcgauge ([a-z]+)", README))
    listed = set(re.findall(r"`([a-z]+)[^`]*`", "".join(re.findall(r"(?m)^\| (`.*?) \|", README))))
    assert used <= set(VERBS)
    assert listed - {"ndcgauge"} == set(VERBS)


def test_the_number_of_cases_is_that_of_the_suite() -> None:
    told = re.search(r"(\d+) cases with values derived by hand", README)
    assert told is not None
    cases = [each for each in (ROOT / "cases").glob("*/*.toml") if each.parent.name != "known"]
    assert int(told[1]) == len(cases)


def test_the_figures_of_readme_are_the_measured_ones() -> None:
    """Every figure of README's table of speed stands in the table that `benchmarks/run.py` wrote."""
    measured = (ROOT / "benchmarks" / "results.md").read_text("utf-8")
    speed = README.partition("## Speed")[2].partition("\n## ")[0]
    figures = re.findall(r"\| (\d\.\d+)(?= \|)", speed)
    assert len(figures) >= 8
    assert [each for each in figures if f"| {each} |" not in measured] == []


def test_the_two_commands_stand_in_readme_and_in_ci() -> None:
    for command in ("uv run ndcgauge demo", "uv run pytest"):
        assert f"pip install uv && {command}" in README
        assert command in (ROOT / ".ci" / "run").read_text("utf-8")
