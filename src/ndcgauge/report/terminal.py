"""The report on a terminal, or in a pipe: verdict, evaluators, families, envelope, worst queries, specification."""

from __future__ import annotations

import io

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from ndcgauge.report.tables import (
    Table,
    axis_table,
    evaluator_table,
    evaluators_of,
    family_table,
    number,
    pairs,
    query_table,
    spec_rows,
    worst_table,
)
from ndcgauge.report.verdicts import verdicts
from ndcgauge.results.model import Report

_STYLES = {"good": "green", "known": "yellow", "bad": "bold red", "plain": ""}


def verdict_text(report: Report) -> str:
    """The verdict, as plain lines."""
    return "\n".join(visible(line) for line in verdicts(report))


def visible(text: str) -> str:
    """Control characters of ids as escapes: nothing in a file may move the cursor of who reads about it."""
    return "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode("ascii") for each in text
    )


def _rich(table: Table) -> RichTable:
    shown = RichTable(title=Text(visible(table.title)), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    shown.title_style = "bold"
    for column in table.columns:
        shown.add_column(
            Text(visible(column.name)), justify="right" if column.numeric else "left", overflow="fold",
            no_wrap=column.numeric or column.name == "evaluator",
        )
    for row in table.rows:
        shown.add_row(*(Text(visible(cell.text), style=_STYLES[cell.status]) for cell in row))
    return shown


def render_terminal(report: Report, *, width: int = 80, verbose: bool = False, per_query: bool = False, color: bool = False) -> str:
    """The report as text of a width; escapes only with `color`."""
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=color, no_color=not color, highlight=False, markup=False)
    for line in verdicts(report):
        console.print(Text(visible(line), style="bold"))
    for run, measure in pairs(report):
        console.print()
        console.print(Text(visible(f"── {measure} of {run}"), style="bold"))
        _pair(console, report, run, measure, verbose=verbose, per_query=per_query)
    _inputs(console, report)
    if not verbose:
        console.print(Text("--verbose shows every axis, more queries and notes; -o FILE.md or .json keeps all of it"))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _pair(console: Console, report: Report, run: str, measure: str, *, verbose: bool, per_query: bool) -> None:
    console.print(_rich(evaluator_table(report, run, measure)))
    for build in (family_table, axis_table):
        table = build(report, run, measure)
        if table is not None:
            console.print(_rich(table))
    _envelope(console, report, run, measure)
    for entry in evaluators_of(report, run, measure):
        for note in entry.notes:
            console.print(Text(visible(f"{entry.id}: {note}")))
        if verbose and entry.largest_difference is not None:
            ulp = "" if entry.largest_ulp is None else f" ({entry.largest_ulp:.3g} ULP)"
            console.print(Text(f"{entry.id}: largest difference from its profile {entry.largest_difference:.3g}{ulp}"))
    for found in report.discrepancies:
        if (found.run, found.measure) == (run, measure):
            worst = worst_table(found, 10 if verbose else 3)
            if worst is not None:
                console.print(_rich(worst))
    if per_query:
        console.print(_rich(query_table(report, run, measure)))
    spec = next(each for each in report.spec if each.measure == measure)
    console.print(Text(f"{spec.hash}  {spec.short}"))
    console.print(Text(spec.sentence))
    if verbose:
        for axis, value in spec_rows(report, measure):
            console.print(Text(f"  {axis:<22} {value}"))


def _envelope(console: Console, report: Report, run: str, measure: str) -> None:
    for each in report.attribution.envelopes:
        if (each.run, each.measure) != (run, measure):
            continue
        if each.note is not None:
            console.print(Text(f"tie envelope: {each.note}"))
        elif each.queries_open == 0:
            console.print(Text("tie envelope: no order of ties changes the value"))
        else:
            console.print(
                Text(
                    f"tie envelope: {number(each.worst, 4)} worst · {number(each.average, 4)} average · "
                    f"{number(each.best, 4)} best ({each.queries_open} queries open)"
                )
            )


def _inputs(console: Console, report: Report) -> None:
    console.print()
    for file in report.inputs:
        line = f"{file.role} {file.name}: {file.lines:,} lines, {file.queries:,} queries, {file.format}, sha256 {file.sha256[:12]}"
        console.print(Text(visible(line)))
        if file.relevance_scale is not None:
            scale = list(file.relevance_scale.items())
            shown = ", ".join(f"{grade}: {count:,}" for grade, count in scale[:8])
            more = f" and {len(scale) - 8} more grades" if len(scale) > 8 else ""
            console.print(Text(f"  grades {shown}{more}"))
        if file.accounting is not None:
            here = file.accounting
            judged = "–" if here.judged_at_k is None else f"{here.judged_at_k:.1%}"
            console.print(
                Text(
                    f"  queries: {here.both:,} in both, {len(here.judged_only):,} judged only, {here.run_only:,} run only, "
                    f"{len(here.without_relevant):,} without a relevant document; judged@{here.k} {judged}"
                )
            )
            console.print(
                Text(
                    f"  ties: {here.tied_in_top_k:,} queries inside the top {here.k}, {here.tied_across_k:,} across it "
                    f"(+{here.tied_across_k_float32:,} in single precision only)"
                )
            )
