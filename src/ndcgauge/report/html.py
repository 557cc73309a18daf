"""The report as one HTML page: offline, without scripts as well, the document itself inside."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from ndcgauge.report.claims import candidate_table, claim_lines, claims_table, separator_table
from ndcgauge.report.figures.canvas import Drawing
from ndcgauge.report.glossary import FAMILIES, Term, glossary
from ndcgauge.report.lookup import changes_of, pairs
from ndcgauge.report.matrix import axis_names, shown_value
from ndcgauge.report.offline import render_page
from ndcgauge.report.page import PairPage, leading, pair_pages
from ndcgauge.report.printable import counted, queries
from ndcgauge.report.remarks import accounting_lines, grades
from ndcgauge.report.several import perturbation_lines, several_tables
from ndcgauge.report.specification import machine_json, publication_sentences, render_header
from ndcgauge.report.tables import Table
from ndcgauge.report.verdicts import first_lines, missing_lines, pair_lines
from ndcgauge.results.model import InputFile, Report, SpecEntry

MOST_VERDICTS = 4
"""Verdicts on runs and measures that stand open: more would push the matrix off the first screen."""


@dataclass(frozen=True)
class Fact:
    """One item of the strip of facts."""

    name: str
    text: str
    more: str
    """What a pointer that rests on it shows: the full hash."""


@dataclass(frozen=True)
class ClaimPage:
    """A published number: its verdict, what is to be known of it, what gives it."""

    summary: str
    lines: Sequence[str]
    tables: Sequence[Table]


def render_html(report: Report) -> str:
    """The whole page. A pure function of the document: the same document gives the same bytes."""
    pages = pair_pages(report)
    told = pair_lines(report)
    return render_page(
        "report.html.j2",
        report,
        title=_title(report),
        headline=_headline(report),
        first=first_lines(report),
        told=told[:MOST_VERDICTS],
        untold=told[MOST_VERDICTS:],
        missing=missing_lines(report),
        facts=[_fact(each) for each in report.inputs],
        pages=pages,
        lead=leading(report, pages),
        claims=_claims(report),
        claim_table=claims_table(report) if report.claims and len(report.claims) > 1 else None,
        several=several_tables(report),
        changed_labels=perturbation_lines(report),
        readings=_readings(pages),
        accounting={each.name: accounting_lines(each.accounting) for each in report.inputs if each.accounting},
        spec_lines={each.measure: _spec_lines(each) for each in report.spec},
        scales={each.name: ", ".join(grades(each.relevance_scale or {})) for each in report.inputs},
        sentences=publication_sentences(report),
        machine=machine_json(report),
        header=render_header(report),
        command=shlex.join(report.command),
        terms=_terms(report),
        families=[family for family in FAMILIES if family != "unexplained"],
    )


def _title(report: Report) -> str:
    measures = list(dict.fromkeys(each.measure for each in report.spec))
    return "ndcgauge: " + (", ".join(measures) if measures else "report")


def _headline(report: Report) -> str:
    runs = dict.fromkeys(run for run, _ in pairs(report))
    evaluators = dict.fromkeys(each.id for each in report.evaluators)
    asked = max((each.asked for each in report.evaluators), default=0)
    parts = [counted(len(evaluators), "evaluator")] if evaluators else []
    parts += [queries(asked)] if asked else []
    parts += [counted(len(runs), "run")] if runs else []
    return " · ".join(parts)


def _fact(file: InputFile) -> Fact:
    text = f"{counted(file.lines, 'line')}, {queries(file.queries)}"
    if file.relevance_scale is not None:
        text += ", grades " + " ".join(sorted(file.relevance_scale, key=float))
    found = file.accounting
    if found is not None:
        text += f"; {queries(found.tied_in_top_k)} tied in the top {found.k}, {found.tied_across_k:,} across it"
        if found.judged_at_k is not None:
            text += f"; judged@{found.k} {found.judged_at_k:.4f}"
        if found.judged_only:
            text += f"; lacks {counted(len(found.judged_only), 'judged query', 'judged queries')}"
    return Fact(f"{file.role} {file.name.rsplit('/', 1)[-1]}", text, f"{file.name}, sha256 {file.sha256}")


def _spec_lines(spec: SpecEntry) -> list[tuple[str, str, bool]]:
    """(axis, value, whether it differs from the `trec_eval` preset), in the order of the pipeline."""
    changed = changes_of(spec)
    return [(axis, shown_value(spec.axes[axis]), axis in changed) for axis in axis_names(spec.axes)]


def _claims(report: Report) -> list[ClaimPage]:
    return [
        ClaimPage(
            claim.summary or f"{claim.measure} = {claim.value}: {claim.verdict}.",
            claim_lines(claim),
            [table for table in (candidate_table(claim), separator_table(claim)) if table is not None],
        )
        for claim in report.claims or ()
    ]


def _readings(pages: Sequence[PairPage]) -> dict[str, str]:
    """Each kind of figure that the page has, with how to read it."""
    found: dict[str, str] = {}

    def note(kind: str, drawings: Sequence[Drawing | None]) -> None:
        for each in drawings:
            if each is not None:
                found.setdefault(kind, each.reading)

    for page in pages:
        note("Differences stacked by axis", [page.bars])
        note("Waterfall", page.waterfalls)
        note("Query by query", page.scatters)
        note("Tie envelopes", [page.intervals])
    return found


def _terms(report: Report) -> list[Term]:
    """The axes that the specifications of this report have."""
    named = {axis for each in report.spec for axis in each.axes}
    named |= {axis for each in report.evaluators for axis in each.profile or {}}
    terms = [each for name, each in glossary().items() if name in named]
    return terms or list(glossary().values())
