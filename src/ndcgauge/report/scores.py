"""The table of `ndcgauge score`."""

from __future__ import annotations

import io

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ndcgauge.report.terminal import visible
from ndcgauge.results.model import Scores


def render_scores(scores: Scores, *, per_query: bool, width: int = 80, color: bool = False) -> str:
    """Every run's means, in full precision; with `per_query` a row a query before them."""
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=color, no_color=not color, highlight=False, markup=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("run", "measure", *(("query",) if per_query else ())):
        table.add_column(name, overflow="fold")
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("queries", justify="right", no_wrap=True)
    for each in scores.scores:
        if per_query:
            for query, value in each.queries.items():
                table.add_row(
                    Text(visible(each.run)), each.measure, Text(visible(query)), _value(value), ""
                )
        cells = [Text(visible(each.run)), each.measure, *([Text("all")] if per_query else [])]
        table.add_row(*cells, _value(each.mean), str(len(each.queries)))
    console.print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _value(value: float | None) -> str:
    return "undefined" if value is None else repr(value)
