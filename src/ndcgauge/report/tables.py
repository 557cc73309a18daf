"""Tables as data: built once from the document, rendered by every form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ndcgauge.report.causes import cause, cell_remarks, without_value
from ndcgauge.report.lookup import changed, discrepancies_of, discrepancy_of, evaluators_of, is_baseline, reference_of
from ndcgauge.report.numbers import NOTHING, number, signed
from ndcgauge.results.model import DiscrepancyEntry, EvaluatorEntry, Report

Status = Literal["good", "known", "bad", "plain"]
FOUR_FAMILIES = ("gain", "discount", "tie-breaking", "unjudged")
"""The families that are shown first and always (DESIGN §2)."""
LAST_FAMILY = "unexplained"
SYMBOLS = {"agrees": "✓", "explained": "≠", "partly explained": "?", "unexplained": "✗"}
_STATUS: dict[str, Status] = {
    "agrees": "good",
    "explained": "known",
    "partly explained": "bad",
    "unexplained": "bad",
}


@dataclass(frozen=True)
class Cell:
    """A cell: its text, and how it is to be marked (never by colour alone: the text says it too)."""

    text: str
    status: Status = "plain"


@dataclass(frozen=True)
class Column:
    """A column: its heading, whether its cells are numbers, and whether a long cell may go on below."""

    name: str
    numeric: bool = False
    folds: bool = False


@dataclass(frozen=True)
class Table:
    """A table with a title."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]


def evaluator_table(report: Report, run: str, measure: str) -> Table:
    """Value, difference, verdict and cause of every evaluator, the baseline first."""
    reference = reference_of(report, run, measure)
    entries = evaluators_of(report, run, measure)
    rows: list[list[Cell]] = []
    if not any(is_baseline(report, each) for each in entries):
        cells = (reference.baseline, number(reference.mean), "", "baseline", changed(report, run, measure).strip(), "")
        rows.append([Cell(each) for each in cells])
    rows += [_evaluator_row(report, each) for each in sorted(entries, key=lambda each: not is_baseline(report, each))]
    columns = [
        Column("evaluator", folds=True),
        Column("value", numeric=True),
        Column("difference", numeric=True),
        Column("verdict"),
        Column("because of", folds=True),
        Column("answered", numeric=True),
    ]
    if not any(row[-1].text for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Table("Evaluators", columns, rows)


def _evaluator_row(report: Report, entry: EvaluatorEntry) -> list[Cell]:
    value = number(entry.mean, _places(entry))
    if entry.mean is None:
        value = entry.outcome
    answered = "" if entry.answered == entry.asked else f"{entry.answered}/{entry.asked}"
    remarks = cell_remarks(entry)
    found = discrepancy_of(report, entry)
    if found is None:
        verdict = "baseline" if is_baseline(report, entry) else "–"
        because = "; ".join(filter(None, [without_value(entry.outcome, entry.message), *remarks]))
        middle = [Cell(""), Cell(verdict), Cell(because)]
    else:
        verdict = f"{SYMBOLS[found.verdict]} {found.verdict}"
        because = "; ".join(filter(None, [cause(found, entry), *remarks]))
        middle = [Cell(signed(found.difference)), Cell(verdict, _STATUS[found.verdict]), Cell(because)]
    return [Cell(entry.id), Cell(value), *middle, Cell(answered)]


def other_families(found: Sequence[DiscrepancyEntry]) -> list[str]:
    """The families beyond the four that are not 0 somewhere, as far as the document has them."""
    names = {name for each in found for name, share in each.families.items() if abs(share) > NOTHING}
    return sorted(names - {*FOUR_FAMILIES, LAST_FAMILY})


def _share(found: DiscrepancyEntry, family: str, places: int) -> Cell:
    share = found.families.get(family, 0.0)
    bad = family == LAST_FAMILY and signed(share, places) != "0"
    return Cell(signed(share, places), "bad" if bad else "plain")


_FAMILY_TITLE = "Differences by family (evaluator - baseline)"


def family_table(report: Report, run: str, measure: str) -> Table | None:
    """The differences by family: the four always, others where one is not 0, what nothing explains always."""
    found = discrepancies_of(report, run, measure)
    if not found:
        return None
    names = [*FOUR_FAMILIES, *other_families(found), LAST_FAMILY]
    rows = [[Cell(each.evaluator), *(_share(each, name, 6) for name in names)] for each in found]
    columns = [Column("evaluator", folds=True), *(Column(name, numeric=True) for name in names)]
    return Table(_FAMILY_TITLE, columns, rows)


def compact_family_table(report: Report, run: str, measure: str) -> Table | None:
    """The same for a narrow page: four decimals, and the families beyond the four in one column with their names."""
    found = discrepancies_of(report, run, measure)
    if not found:
        return None
    others = other_families(found)
    rows: list[list[Cell]] = []
    for each in found:
        named = [f"{name} {_share(each, name, 4).text}" for name in others if _share(each, name, 4).text != "0"]
        cells = [Cell(each.evaluator), *(_share(each, name, 4) for name in FOUR_FAMILIES)]
        rows.append([*cells, Cell("\n".join(named) or "0"), _share(each, LAST_FAMILY, 4)])
    columns = [
        Column("evaluator", folds=True),
        Column("gain", numeric=True),
        Column("dis-\ncount", numeric=True),
        Column("tie-\nbreaking", numeric=True),
        Column("un-\njudged", numeric=True),
        Column("other\nfamilies", numeric=True, folds=True),
        Column("unex-\nplained", numeric=True),
    ]
    return Table(_FAMILY_TITLE, columns, rows)


def axis_table(report: Report, run: str, measure: str, *, several_only: bool = False) -> Table | None:
    """The contribution of every axis (Shapley values), with the number of queries that it changes.

    With `several_only` an evaluator whose difference is one axis's is left out: its cause says all.
    """
    rows = [
        [
            Cell(each.evaluator),
            Cell(axis),
            Cell(signed(share, 9)),
            Cell(f"{each.contributions_queries.get(axis, 0):,}"),
        ]
        for each in discrepancies_of(report, run, measure)
        if len(each.contributions) > 1 or not several_only
        for axis, share in sorted(each.contributions.items(), key=lambda item: (-abs(item[1]), item[0]))
    ]
    if not rows:
        return None
    columns = [
        Column("evaluator", folds=True),
        Column("axis"),
        Column("contribution", numeric=True),
        Column("queries", numeric=True),
    ]
    return Table("Contributions of axes", columns, rows)


def query_tables(report: Report, run: str, measure: str, evaluators: Sequence[Sequence[EvaluatorEntry]]) -> list[Table]:
    """Every query's value under the baseline and some evaluators: one table for each group of evaluators."""
    reference = reference_of(report, run, measure)
    asked = (query for group in evaluators for each in group for query in each.queries)
    names = sorted({*reference.queries, *asked})
    tables: list[Table] = []
    for group in evaluators:
        columns = [Column("query", folds=True), Column(reference.baseline, numeric=True)]
        columns += [Column(each.id, numeric=True) for each in group]
        rows = [
            [Cell(query), Cell(number(reference.queries.get(query))), *(_query_cell(each, query) for each in group)]
            for query in names
        ]
        tables.append(Table("Queries", columns, rows))
    return tables


def _query_cell(entry: EvaluatorEntry, query: str) -> Cell:
    outcome = entry.queries.get(query)
    if outcome is None:
        return Cell(number(None))
    return Cell(outcome.outcome if outcome.value is None else number(outcome.value, _places(entry)))


def _places(entry: EvaluatorEntry) -> int:
    """As many decimals as the evaluator prints itself; six of a float."""
    return 6 if entry.decimals is None else entry.decimals
