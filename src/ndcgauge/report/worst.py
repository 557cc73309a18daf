"""The queries that differ most, with the judged documents that stand elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ndcgauge.report.lookup import discrepancies_of
from ndcgauge.report.numbers import number, signed
from ndcgauge.report.printable import queries
from ndcgauge.report.tables import Cell, Column, Table
from ndcgauge.results.model import DiscrepancyEntry, MovedDocument, Report, WorstQueryEntry


@dataclass(frozen=True)
class WorstTables:
    """The worst queries of a run and measure, and how many of them stay untold."""

    tables: Sequence[Table]
    untold: int


def worst_tables(report: Report, run: str, measure: str, most: int) -> WorstTables:
    """One table for all evaluators that differ in the same way on the same queries; at most `most` rows each."""
    groups: dict[tuple[str, ...], list[DiscrepancyEntry]] = {}
    for found in discrepancies_of(report, run, measure):
        if found.worst:
            groups.setdefault(tuple(map(_looks, found.worst)), []).append(found)
    tables = [_table(group, most) for group in groups.values()]
    untold = sum(max(0, len(group[0].worst) - most) for group in groups.values())
    return WorstTables(tables, untold)


def _looks(worst: WorstQueryEntry) -> str:
    """What a reader sees of a query: two evaluators that differ in the last bits alone look the same."""
    moved = "".join(each.model_dump_json() for each in worst.moved)
    return f"{number(worst.baseline, 9)} {number(worst.evaluator, 9)} {worst.query} {moved}"


def _table(group: Sequence[DiscrepancyEntry], most: int) -> Table:
    found = group[0]
    differ = "differs" if found.queries_differing == 1 else "differ"
    largest = "" if found.queries_differing <= min(most, len(found.worst)) else ", the largest differences"
    ids = ", ".join(each.evaluator for each in group)
    title = f"{ids}: {queries(found.queries_differing)} {differ} from {found.baseline}{largest}"
    rows = [
        [
            Cell(each.query),
            Cell(number(each.baseline)),
            Cell(number(each.evaluator)),
            Cell(signed(each.difference)),
            Cell(_moves(each.moved)),
        ]
        for each in found.worst[:most]
    ]
    columns = [
        Column("query", folds=True),
        Column("baseline", numeric=True),
        Column("evaluator", numeric=True),
        Column("difference", numeric=True),
        Column("judged documents that moved: rank → rank", folds=True),
    ]
    return Table(title, columns, rows)


def _moves(moved: Sequence[MovedDocument], most: int = 4) -> str:
    if not moved:
        return "none"
    told = [
        f"{each.doc} (grade {each.grade}) {each.baseline_rank or 'absent'} → {each.evaluator_rank or 'absent'}"
        for each in moved[:most]
    ]
    more = f"; {len(moved) - most} more" if len(moved) > most else ""
    return "; ".join(told) + more
