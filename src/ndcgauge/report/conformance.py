"""Cases of the suite and published claims, as tables: what a document of `check` or `audit` holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ndcgauge.report.glossary import glossary
from ndcgauge.report.numbers import number
from ndcgauge.report.printable import counted
from ndcgauge.report.tables import Cell, Column, Status, Table
from ndcgauge.results.model import CaseEntry, CaseResult, Report

_GOOD_CLAIMS = ("reproduced",)
_BAD_CLAIMS = ("impossible", "not reproduced")


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


def claim_table(report: Report) -> Table | None:
    """A row for each claim: verdict, who computes it, the closest value, the envelope, how likely chance is."""
    if not report.claims:
        return None
    rows: list[list[Cell]] = []
    for each in report.claims:
        status: Status = "good" if each.verdict in _GOOD_CLAIMS else "bad" if each.verdict in _BAD_CLAIMS else "known"
        low, high = each.envelope
        rows.append(
            [
                Cell(f"{each.measure} = {each.value}"),
                Cell(each.verdict, status),
                Cell(", ".join(each.evaluators) or "–"),
                Cell(", ".join(f"{axis}={value}" for axis, value in each.determined.items()) or "–"),
                Cell(", ".join(each.free) or "–"),
                Cell(f"{each.classes:,} of {each.searched:,}"),
                Cell(number(each.closest.value)),
                Cell(f"{number(low, 4)} to {number(high, 4)}"),
                Cell(f"{each.chance:.3g}"),
                Cell(each.hypothesis or ""),
            ]
        )
    columns = [
        Column("claim"),
        Column("verdict"),
        Column("evaluators that give it", folds=True),
        Column("determined", folds=True),
        Column("free", folds=True),
        Column("specifications", numeric=True),
        Column("closest", numeric=True),
        Column("ties alone"),
        Column("chance", numeric=True),
        Column("mistake", folds=True),
    ]
    return Table("Claims", columns, rows)


def conformance_lines(report: Report) -> list[str]:
    """The verdict on each claim, and how many cases are as declared."""
    lines = [f"{each.measure} = {each.value}: {each.verdict}." for each in report.claims or ()]
    if report.cases is not None:
        tables = case_tables(report)
        bad = 0 if tables.failing is None else len(tables.failing.rows)
        told = counted(len(report.cases), "case")
        verb = "every evaluator is what it is declared to be" if not bad else f"in {bad:,} an evaluator is not"
        lines.append(f"{told} run: {verb}." if not bad else f"{told} run: {verb} what it is declared to be.")
    return lines
