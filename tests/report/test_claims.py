"""Published numbers in every form: what is told of them, and texts of theirs that try to be markup."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.report.documents import PLAIN, Texts, report
from tests.report.hostile import HOSTILE, WORSE

from ndcgauge.report import render
from ndcgauge.report.claims import because, claim_lines, claims_table, share
from ndcgauge.report.terminal import render_terminal
from ndcgauge.results.model import CandidateEntry, ClaimEntry, ClosestEntry, Report, SeparatorEntry

GAIN = CandidateEntry(
    short="nDCG@10 exponential",
    hash="0123456789ab",
    value=0.7137,
    changes={"gain": "exponential"},
    axes=1,
    nearest=["burges2005"],
    group=0,
    rounding="half-even and half-up",
)
TIES = GAIN.model_copy(update={"changes": {"ties": "line"}, "group": 1})


def claim(texts: Texts = PLAIN, **more: object) -> ClaimEntry:
    base = ClaimEntry(
        measure="ndcg@10",
        value="0.7137",
        verdict="ambiguous",
        specifications=[{"gain": "exponential"}, {"ties": "line"}],
        classes=1189,
        searched=497332,
        determined={"discount": "log2"},
        free=["nul"],
        evaluators=["ranx-burges"],
        hypothesis=None,
        envelope=[0.5, 0.8],
        closest=ClosestEntry(value=0.7137, spec={}),
        chance=0.093,
        run=texts.run,
        source=texts.program,
        place=texts.message,
        stated_value=0.7683,
        candidates=[GAIN, TIES],
        matching_classes=4,
        ask=["gain, the gain of a grade"],
        separators=[SeparatorEntry(query=query, values=[0.25, 0.75]) for query in texts.queries],
        summary=f"ndcg@10 = 0.7137 in {texts.program} is ambiguous.",
        sentence=f"The number of {texts.program} is ambiguous.",
        citations=["ranx"],
    )
    return base.model_copy(update=more)


def audited(*claims: ClaimEntry) -> Report:
    return report().model_copy(update={"claims": list(claims), "evaluators": [], "discrepancies": []})


def test_the_table_has_a_row_a_claim() -> None:
    mistake = claim(verdict="reproduced by a mistake", hypothesis="another cutoff: ndcg@15", candidates=[])
    stated = claim(verdict="reproduced", candidates=[])
    other = claim(verdict="contradicted", candidates=[], evaluator_outcome="value", printed_by={"sklearn": 0.97250449})
    table = claims_table(audited(claim(), mistake, stated, other))
    names = [column.name for column in table.columns]
    assert names == ["where", "run", "measure", "claimed", "as stated", "verdict", "because of"]
    assert [cell.text for cell in table.rows[0]] == [
        "house, refused: a negative grade",
        "bm25.run",
        "ndcg@10",
        "0.7137",
        "0.768300",
        "ambiguous",
        "gain=exponential | ties=line",
    ]
    assert [row[-1].text for row in table.rows[1:]] == ["another cutoff: ndcg@15", "as stated", "sklearn: 0.9725"]
    assert [row[-2].status for row in table.rows] == ["bad", "known", "good", "bad"]


def test_a_table_without_sources_has_no_column_for_them() -> None:
    names = [column.name for column in claims_table(audited(claim(source=None, place=None))).columns]
    assert "where" not in names


def test_more_than_three_ways_are_counted() -> None:
    ways = [GAIN.model_copy(update={"group": place, "changes": {"depth": str(place)}}) for place in range(5)]
    assert because(claim(candidates=ways)) == "depth=0 | depth=1 | depth=2 | and 2 more"


def test_what_is_free_is_told_only_of_candidates() -> None:
    assert "free: nul" in claim_lines(claim())
    for verdict in ("contradicted", "impossible", "not reproduced", "reproduced by a mistake"):
        assert not any(line.startswith("free:") for line in claim_lines(claim(verdict=verdict, candidates=[])))


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0.0 %"), (0.0004, "under 0.1 %"), (0.093, "9.3 %"), (0.5, "50 %"), (1.0, "100 %")]
)
def test_shares_in_percent(value: float, text: str) -> None:
    assert share(value) == text


@pytest.mark.parametrize("form", ["terminal", "md", "html", "tex"])
def test_every_form_tells_the_number_the_verdict_and_the_cause(form: str) -> None:
    document = audited(claim(), claim(value="0.5"))
    text = render_terminal(document, width=200) if form == "terminal" else render(document, form)
    for told in ("0.7137", "0.5", "ambiguous", "exponential", "The number of house is ambiguous."):
        assert told in text


@pytest.mark.parametrize("texts", [HOSTILE, WORSE], ids=["hostile", "worse"])
@pytest.mark.parametrize("form", ["terminal", "md", "html", "tex", "junit", "json"])
def test_nothing_that_does_not_print_comes_through(form: str, texts: Texts) -> None:
    document = audited(claim(texts), claim(texts))
    text = render_terminal(document) if form == "terminal" else render(document, form)
    assert {each for each in text if not each.isprintable()} <= {"\n"}


@pytest.mark.parametrize("texts", [HOSTILE, WORSE], ids=["hostile", "worse"])
def test_html_has_no_element_of_a_claim(texts: Texts) -> None:
    def tags(document: Report) -> set[str]:
        return set(re.findall(r"<([a-z0-9]+)", render(document, "html")))

    assert tags(audited(claim(texts), claim(texts))) == tags(audited(claim(), claim()))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX is installed: pdflatex is not on the path")
@pytest.mark.parametrize("texts", [PLAIN, HOSTILE, WORSE], ids=["plain", "hostile", "worse"])
def test_pdflatex_compiles_the_claims(texts: Texts, tmp_path: Path) -> None:
    preamble = "\\documentclass{article}\\usepackage{booktabs}\\usepackage{amssymb}\n\\begin{document}\n"
    text = preamble + render(audited(claim(texts), claim(texts)), "tex") + "\\end{document}\n"
    (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
    program = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
