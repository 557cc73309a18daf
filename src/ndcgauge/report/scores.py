"""The table of `ndcgauge score`."""

from __future__ import annotations

from ndcgauge.report.tables import Cell, Column, Table
from ndcgauge.report.terminal import Page
from ndcgauge.results.model import Scores


def scores_table(scores: Scores, *, per_query: bool) -> Table:
    """A row for each run and measure with the mean in full precision; with `per_query` its queries before it."""
    rows: list[list[Cell]] = []
    for each in scores.scores:
        if per_query:
            rows += [
                [Cell(each.run), Cell(each.measure), Cell(query), Cell(_value(value)), Cell("")]
                for query, value in each.queries.items()
            ]
        count = f"{len(each.queries):,}"
        rows.append([Cell(each.run), Cell(each.measure), Cell("all"), Cell(_value(each.mean)), Cell(count)])
    columns = [
        Column("run", folds=True),
        Column("measure"),
        Column("query", folds=True),
        Column("value", numeric=True),
        Column("queries", numeric=True),
    ]
    return Table("Scores", columns, rows)


def render_scores(scores: Scores, *, per_query: bool, width: int = 80, color: bool = False) -> str:
    """Every run's means, and with `per_query` every query's value; escapes only with `color`."""
    page = Page(width, color=color)
    page.table(scores_table(scores, per_query=per_query))
    return page.text()


def _value(value: float | None) -> str:
    return "undefined" if value is None else repr(value)
