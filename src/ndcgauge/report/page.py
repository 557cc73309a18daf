"""The HTML page as data: what it shows, in its order; the template only lays it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ndcgauge.report.causes import cause
from ndcgauge.report.figures.canvas import Drawing
from ndcgauge.report.figures.intervals import intervals
from ndcgauge.report.figures.scatter import both_values, scatter
from ndcgauge.report.figures.stacked import stacked
from ndcgauge.report.figures.waterfall import waterfall
from ndcgauge.report.labels import run_labels
from ndcgauge.report.lookup import (
    discrepancies_of,
    discrepancy_of,
    envelope_of,
    evaluators_of,
    is_baseline,
    pairs,
    reference_of,
)
from ndcgauge.report.matrix import axis_matrix, idle_axes, whole_matrix
from ndcgauge.report.numbers import number, signed
from ndcgauge.report.remarks import called_lines, envelope_line, evaluator_lines
from ndcgauge.report.tables import Cell, Column, Table, axis_table, evaluator_table, family_table
from ndcgauge.report.worst import worst_tables
from ndcgauge.results.model import EvaluatorEntry, Report

MOST_QUERIES = 2000
"""Queries in the table of queries; of more, those that differ most."""
KEPT_QUERIES = 200


@dataclass(frozen=True)
class PairPage:
    """One measure on one run."""

    anchor: str
    run: str
    label: str
    """The run's name, as short as it can be."""
    measure: str
    bars: Drawing | None
    matrix: Table | None
    idle: str
    """The axes on which evaluators differ without an effect on these files."""
    all_axes: Table | None
    evaluators: Table
    families: Table | None
    axes: Table | None
    waterfalls: Sequence[Drawing]
    scatters: Sequence[Drawing]
    intervals: Drawing | None
    envelope: str | None
    notes: Sequence[str]
    worst: Sequence[Table]
    queries: Table | None
    called: Sequence[str]


def leading(report: Report, pages: Sequence[PairPage]) -> PairPage | None:
    """The page whose figure and matrix stand on the first screen: that of the largest difference; else the first."""

    def largest(page: PairPage) -> float:
        found = discrepancies_of(report, page.run, page.measure)
        return max((abs(each.difference) for each in found if each.verdict != "agrees"), default=0.0)

    return max(pages, key=largest) if pages else None


def pair_pages(report: Report) -> list[PairPage]:
    """Every run and measure of the document, in its order."""
    labels = run_labels(report)
    return [
        _pair(report, run, measure, f"p{place}", labels[run]) for place, (run, measure) in enumerate(pairs(report), 1)
    ]


def _pair(report: Report, run: str, measure: str, anchor: str, label: str) -> PairPage:
    reference = reference_of(report, run, measure)
    entries = [each for each in evaluators_of(report, run, measure) if not is_baseline(report, each)]
    envelope = envelope_of(report, run, measure)
    scatters = [scatter(f"{anchor}-s{place}", reference, entry) for place, entry in enumerate(_unlike(report, entries))]
    return PairPage(
        anchor=anchor,
        run=run,
        label=label,
        measure=measure,
        bars=stacked(f"{anchor}-d", discrepancies_of(report, run, measure)),
        matrix=axis_matrix(report, run, measure),
        idle=", ".join(idle_axes(report, run, measure)),
        all_axes=whole_matrix(report, run, measure),
        evaluators=evaluator_table(report, run, measure),
        families=family_table(report, run, measure),
        axes=axis_table(report, run, measure),
        waterfalls=_waterfalls(report, entries, anchor),
        scatters=[each for each in scatters if each is not None],
        intervals=None if envelope is None else intervals(f"{anchor}-i", envelope, reference, entries),
        envelope=envelope_line(report, run, measure),
        notes=evaluator_lines(report, run, measure),
        worst=worst_tables(report, run, measure, 10).tables,
        queries=queries_table(report, run, measure),
        called=called_lines(report, run, measure),
    )


def _waterfalls(report: Report, entries: Sequence[EvaluatorEntry], anchor: str) -> list[Drawing]:
    """One for each evaluator that differs; the differences of some evaluators are equal, and one figure tells them."""
    drawn: list[Drawing] = []
    seen: set[str] = set()
    for place, entry in enumerate(entries):
        found = discrepancy_of(report, entry)
        if found is None or found.verdict == "agrees" or entry.mean is None:
            continue
        looks = f"{number(entry.mean, 9)} {signed(found.difference, 9)} {cause(found, entry)}"
        if looks not in seen:
            seen.add(looks)
            drawn.append(waterfall(f"{anchor}-w{place}", found, entry.mean))
    return drawn


def _unlike(report: Report, entries: Sequence[EvaluatorEntry]) -> list[EvaluatorEntry]:
    """The evaluators with values of their own: of those that say the same for every query the first."""
    kept: dict[tuple[tuple[str, float | None], ...], EvaluatorEntry] = {}
    for entry in entries:
        found = discrepancy_of(report, entry)
        if found is not None and found.queries_differing:
            values = ((query, each.value) for query, each in entry.queries.items())
            kept.setdefault(
                tuple((query, None if value is None else round(value, 9)) for query, value in values), entry
            )
    return list(kept.values())


def queries_table(report: Report, run: str, measure: str) -> Table | None:
    """Every query's value under the baseline and all evaluators; of very many queries, those that differ most."""
    reference = reference_of(report, run, measure)
    entries = [each for each in evaluators_of(report, run, measure) if not is_baseline(report, each)]
    spread = dict.fromkeys(reference.queries, 0.0)
    for entry in entries:
        for query, base, value in both_values(reference.queries, entry):
            spread[query] = max(spread[query], abs(value - base))
        spread.update({query: 0.0 for query in entry.queries if query not in spread})
    if not spread:
        return None
    many = len(spread) > MOST_QUERIES
    names = sorted(spread, key=lambda query: (-spread[query], query))[:KEPT_QUERIES] if many else list(spread)
    rows: list[list[Cell]] = []
    for query in names:
        cells = [Cell(query), Cell(number(reference.queries.get(query)))]
        for entry in entries:
            outcome = entry.queries.get(query)
            value = "–" if outcome is None else outcome.outcome if outcome.value is None else number(outcome.value)
            cells.append(Cell(value))
        rows.append([*cells, Cell(signed(spread[query]).removeprefix("+"))])
    columns = [Column("query"), Column(reference.baseline, numeric=True)]
    columns += [Column(entry.id, numeric=True) for entry in entries]
    columns.append(Column("largest difference", numeric=True))
    told = f"The {KEPT_QUERIES} of {len(spread):,} queries that differ most" if many else "Every query"
    return Table(f"{told}: {measure} of {run}", columns, rows)
