"""Tables as data: built once from the document, rendered by every form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ndcgauge.results.model import DiscrepancyEntry, EvaluatorEntry, Report

Status = Literal["good", "known", "bad", "plain"]
FAMILIES = ("gain", "discount", "tie-breaking", "unjudged")
"""The families that are shown first and always (DESIGN §2)."""
SYMBOLS = {"agrees": "✓", "explained": "≠", "partly explained": "?", "unexplained": "✗"}


@dataclass(frozen=True)
class Cell:
    """A cell: its text, and how it is to be marked (never by colour alone: the text says it too)."""

    text: str
    status: Status = "plain"


@dataclass(frozen=True)
class Column:
    """A column: its heading, and whether its cells are numbers."""

    name: str
    numeric: bool = False


@dataclass(frozen=True)
class Table:
    """A table with a title."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]


def number(value: float | None, places: int = 6) -> str:
    """A value with a fixed number of places; a dash where there is none."""
    return "–" if value is None else f"{value:.{places}f}"


def signed(value: float, places: int = 6) -> str:
    """A difference with its sign; plain 0 where nothing is left at these places."""
    text = f"{value:+.{places}f}"
    return "0" if float(text) == 0 else text.replace("-", "−")


def pairs(report: Report) -> list[tuple[str, str]]:
    """(run, measure) in the order of the document."""
    return list(dict.fromkeys((each.run, each.measure) for each in report.attribution.references))


def evaluators_of(report: Report, run: str, measure: str) -> list[EvaluatorEntry]:
    """The evaluators of a run and measure."""
    return [each for each in report.evaluators if (each.run, each.measure) == (run, measure)]


def discrepancy_of(report: Report, entry: EvaluatorEntry) -> DiscrepancyEntry | None:
    """The discrepancy of an evaluator; None for the baseline, and where nothing was answered."""
    wanted = (entry.run, entry.measure, entry.id)
    return next((each for each in report.discrepancies if (each.run, each.measure, each.evaluator) == wanted), None)


def causes(found: DiscrepancyEntry) -> str:
    """Why the two differ, in few words."""
    if found.verdict == "agrees":
        return "equal up to printed decimals" if found.rounding else "equal"
    if found.minimal and found.minimal[0]:
        several = len(found.minimal) > 1
        sets = " or ".join(" + ".join(each) for each in found.minimal[:3])
        alone = " alone" if len(found.minimal[0]) == 1 and not several else ""
        return f"{sets}{alone}"
    if found.contributions:
        largest = sorted(found.contributions, key=lambda axis: -abs(found.contributions[axis]))
        return f"partly {', '.join(largest[:3])}; {signed(found.residual)} unexplained"
    return "no known cause"


_STATUS: dict[str, Status] = {"agrees": "good", "explained": "known", "partly explained": "bad", "unexplained": "bad"}


def evaluator_table(report: Report, run: str, measure: str) -> Table:
    """Value, difference, verdict and cause of every evaluator."""
    rows: list[list[Cell]] = []
    for entry in evaluators_of(report, run, measure):
        found = discrepancy_of(report, entry)
        shown = number(entry.mean, entry.decimals if entry.decimals is not None else 6)
        answered = "" if entry.answered == entry.asked else f"{entry.answered}/{entry.asked}"
        profile = "as declared" if entry.verified else "NOT as declared" if entry.profile and entry.answered else "–"
        if entry.outcome != "value" and entry.mean is None:
            shown = entry.outcome
        if found is None:
            baseline = any(each.baseline == entry.id for each in report.attribution.references)
            last = [Cell("–"), Cell("baseline" if baseline else "no comparison"), Cell(entry.message or "")]
        else:
            verdict = f"{SYMBOLS[found.verdict]} {found.verdict}"
            last = [Cell(signed(found.difference)), Cell(verdict, _STATUS[found.verdict]), Cell(causes(found))]
        status: Status = "plain" if entry.verified or not entry.answered else "bad"
        rows.append([Cell(entry.id), Cell(shown), *last, Cell(profile, status), Cell(answered)])
    columns = [
        Column("evaluator"),
        Column("value", True),
        Column("difference", True),
        Column("verdict"),
        Column("because of"),
        Column("profile"),
        Column("answered", True),
    ]
    if all(not row[-1].text for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Table("Evaluators", columns, rows)


def family_table(report: Report, run: str, measure: str) -> Table | None:
    """The differences by family: the four always, others where one is not 0, what nothing explains always."""
    found = [each for each in report.discrepancies if (each.run, each.measure) == (run, measure)]
    if not found:
        return None
    others = sorted({name for each in found for name in each.families} - set(FAMILIES) - {"unexplained"})
    names = [*FAMILIES, *others, "unexplained"]
    rows: list[list[Cell]] = []
    for each in found:
        cells = [Cell(each.evaluator)]
        for name in names:
            share = each.families.get(name, 0.0)
            bad = name == "unexplained" and abs(share) > 1e-9
            cells.append(Cell(signed(share), "bad" if bad else "plain"))
        rows.append(cells)
    columns = [Column("evaluator"), *(Column(name, True) for name in names)]
    return Table("Difference by family (evaluator − baseline)", columns, rows)


def axis_table(report: Report, run: str, measure: str) -> Table | None:
    """The contribution of every axis (Shapley values), with the number of queries that it changes."""
    rows = [
        [
            Cell(each.evaluator),
            Cell(axis),
            Cell(signed(share, 9)),
            Cell(str(each.contributions_queries.get(axis, 0))),
        ]
        for each in report.discrepancies
        if (each.run, each.measure) == (run, measure)
        for axis, share in sorted(each.contributions.items(), key=lambda item: -abs(item[1]))
    ]
    if not rows:
        return None
    columns = [Column("evaluator"), Column("axis"), Column("contribution", True), Column("queries", True)]
    return Table("Contributions of axes", columns, rows)


def worst_table(found: DiscrepancyEntry, most: int) -> Table | None:
    """The queries that differ most, with the judged documents that moved."""
    if not found.worst:
        return None
    rows: list[list[Cell]] = []
    for each in found.worst[:most]:
        moved = "; ".join(
            f"{doc.doc} (grade {doc.grade}) {doc.baseline_rank or 'absent'} → {doc.evaluator_rank or 'absent'}"
            for doc in each.moved[:4]
        )
        more = f"; {len(each.moved) - 4} more" if len(each.moved) > 4 else ""
        rows.append(
            [
                Cell(each.query),
                Cell(number(each.baseline)),
                Cell(number(each.evaluator)),
                Cell(signed(each.difference)),
                Cell(moved + more or "none: same ranks, other weights"),
            ]
        )
    columns = [
        Column("query"),
        Column("baseline", True),
        Column(found.evaluator, True),
        Column("difference", True),
        Column("judged documents that moved (rank → rank)"),
    ]
    return Table(f"{found.evaluator}: queries that differ most", columns, rows)


def query_table(report: Report, run: str, measure: str) -> Table:
    """Every query's value under the baseline and every evaluator."""
    entries = evaluators_of(report, run, measure)
    reference = next(
        each for each in report.attribution.references if (each.run, each.measure) == (run, measure)
    )
    queries = list(dict.fromkeys([*reference.queries, *(query for each in entries for query in each.queries)]))
    rows: list[list[Cell]] = []
    for query in queries:
        cells = [Cell(query), Cell(number(reference.queries.get(query)))]
        for entry in entries:
            outcome = entry.queries.get(query)
            text = "–" if outcome is None else number(outcome.value) if outcome.value is not None else outcome.outcome
            cells.append(Cell(text))
        rows.append(cells)
    columns = [Column("query"), Column(reference.baseline, True), *(Column(each.id, True) for each in entries)]
    return Table("Queries", columns, rows)


def spec_rows(report: Report, measure: str) -> list[tuple[str, str]]:
    """Every axis of the baseline's specification with its value."""
    entry = next(each for each in report.spec if each.measure == measure)
    return sorted((axis, value) for axis, value in entry.axes.items() if axis != "measure")
