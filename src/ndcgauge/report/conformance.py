"""Cases of the suite as tables: what a document of `check` holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ndcgauge.report.glossary import glossary
from ndcgauge.report.numbers import number
from ndcgauge.report.printable import counted
from ndcgauge.report.tables import Cell, Column, Status, Table
from ndcgauge.results.model import CaseEntry, CaseResult, Report


@dataclass(frozen=True)
class CaseTables:
    """Evaluator by case: the cases in which somebody is not as declared, and those in which all are."""

    failing: Table | None
    passing: Table | None


def case_tables(report: Report) -> CaseTables:
    """The matrix of cases, grouped by axis in the order of the pipeline; both None where nothing was checked."""
    cases = sorted(report.cases or (), key=_place)
    failing = [each for each in cases if not all(result.matches for result in each.results.values())]
    passing = [each for each in cases if each not in failing]
    return CaseTables(
        _cases("Cases in which an evaluator is not what it is declared to be", failing),
        _cases("Cases in which every evaluator is what it is declared to be", passing),
    )


def _place(case: CaseEntry) -> tuple[list[int], str]:
    order = {axis: place for place, axis in enumerate(glossary())}
    return [order.get(axis, len(order)) for axis in case.axes], case.id


def _cases(title: str, cases: Sequence[CaseEntry]) -> Table | None:
    if not cases:
        return None
    names = list(dict.fromkeys(name for each in cases for name in each.results))
    rows = [
        [
            Cell(", ".join(each.axes)),
            Cell(each.id),
            *(Cell("–") if (found := each.results.get(name)) is None else _result(found) for name in names),
        ]
        for each in cases
    ]
    columns = [Column("axes", folds=True), Column("case", folds=True), *(Column(name) for name in names)]
    return Table(f"{title} ({len(cases):,})", columns, rows)


def _result(found: CaseResult) -> Cell:
    text = found.outcome if found.value is None else number(found.value)
    status: Status = "good" if found.matches else "bad"
    return Cell(f"{'✓' if found.matches else '✗'} {text}", status)


def conformance_lines(report: Report) -> list[str]:
    """In how many cases every evaluator is as declared."""
    lines: list[str] = []
    if report.cases is not None:
        tables = case_tables(report)
        bad = 0 if tables.failing is None else len(tables.failing.rows)
        told = counted(len(report.cases), "case")
        verb = "every evaluator is what it is declared to be" if not bad else f"in {bad:,} an evaluator is not"
        lines.append(f"{told} run: {verb}." if not bad else f"{told} run: {verb} what it is declared to be.")
    return lines
