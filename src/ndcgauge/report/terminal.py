"""The report on a terminal, or in a pipe: verdict, evaluators, families, ties, worst queries, specification, files."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import replace

from rich import box
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

from ndcgauge.report.claims import candidate_table, claim_lines, claims_table, separator_table
from ndcgauge.report.lookup import evaluators_of, pairs, spec_of
from ndcgauge.report.printable import visible
from ndcgauge.report.remarks import called_lines, envelope_line, evaluator_lines, input_lines, spec_lines, spec_rows
from ndcgauge.report.several import perturbation_lines, several_tables
from ndcgauge.report.tables import (
    Cell,
    Column,
    Table,
    axis_table,
    compact_family_table,
    evaluator_table,
    family_table,
    query_tables,
)
from ndcgauge.report.verdicts import verdict_text, verdicts
from ndcgauge.report.worst import worst_tables
from ndcgauge.results.model import EvaluatorEntry, Report

_STYLES = {"good": "green", "known": "magenta", "bad": "bold red", "plain": ""}
_GAP = 2
"""Columns between two cells."""
LONG = 200
"""Rows from which a table that needs no folding is written line by line: rich takes a second for a thousand rows."""


class Page:
    """Text of a fixed width; escapes only with `color`. Reads nothing from the environment."""

    def __init__(self, width: int, *, color: bool) -> None:
        self._out = io.StringIO()
        self._width = width
        self._console = Console(
            file=self._out,
            width=width,
            force_terminal=color,
            force_jupyter=False,
            color_system="standard" if color else None,
            no_color=not color,
            highlight=False,
            markup=False,
            legacy_windows=False,
            record=color,
            _environ={},
        )

    def line(self, text: str = "", style: str = "", indent: int = 0) -> None:
        """A paragraph; whatever does not print in it is shown as an escape."""
        self._console.print(Padding(Text(visible(text), style=style), (0, 0, 0, indent)))

    def fits(self, table: Table) -> bool:
        """Whether no cell of the table would have to be folded."""
        return natural_width(table) <= self._width

    def table(self, table: Table, *, gap: int = _GAP) -> None:
        """A table below its title."""
        self.line(table.title, "bold")
        if len(table.rows) >= LONG and natural_width(table, gap) <= self._width and _is_plain(table):
            widths = _widths(table)
            self._console.print(_shown(replace(table, rows=[]), gap, widths))
            self._console.out("\n".join(_line(row, table.columns, widths, gap) for row in table.rows), highlight=False)
        else:
            self._console.print(_shown(table, gap))
        self.line()

    def picture(self, title: str) -> str:
        """Everything so far as an SVG of a terminal; only of a page with colour. Nothing in it is loaded."""
        # rich names a font on the network; every system has a monospaced one of its own.
        shape = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
        shape = shape.replace("Fira Code, monospace", "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace")
        made = self._console.export_svg(title=title, theme=SVG_EXPORT_THEME, code_format=shape, unique_id="terminal")
        return "\n".join(line.rstrip() for line in made.splitlines()) + "\n"

    def text(self) -> str:
        """Everything so far, without blanks at the ends of lines, and never two empty lines in a row."""
        lines = [line.rstrip() for line in self._out.getvalue().splitlines()]
        kept = [line for before, line in zip(["", *lines], lines, strict=False) if line or before]
        return "\n".join(kept).rstrip("\n") + "\n"


def _shown(table: Table, gap: int, widths: Sequence[int] | None = None) -> RichTable:
    """A table as rich lays it out; widths: at least those of its columns."""
    shown = RichTable(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, gap - 1, 0, 0), pad_edge=False)
    for column, width in zip(table.columns, widths or [1] * len(table.columns), strict=True):
        shown.add_column(
            _cell(column.name),
            justify="right" if column.numeric else "left",
            overflow="fold",
            no_wrap=not column.folds,
            vertical="bottom" if "\n" in column.name else "top",
            min_width=width,
        )
    for row in table.rows:
        shown.add_row(*(_cell(cell.text, _STYLES[cell.status]) for cell in row))
    return shown


def _is_plain(table: Table) -> bool:
    """Whether every cell is one line without a style."""
    return all(cell.status == "plain" and "\n" not in cell.text for row in table.rows for cell in row)


def _line(row: Sequence[Cell], columns: Sequence[Column], widths: Sequence[int], gap: int) -> str:
    """A row as text, as rich would write it."""
    cells: list[str] = []
    for cell, column, width in zip(row, columns, widths, strict=True):
        text = visible(cell.text)
        blank = " " * (width - cell_len(text))
        cells.append(blank + text if column.numeric else text + blank)
    return (" " * gap).join(cells)


def _cell(text: str, style: str = "") -> Text:
    """A cell in which nothing is markup; our own line breaks are kept, an id has none left."""
    return Text("\n".join(map(visible, text.split("\n"))), style=style)


def _widths(table: Table) -> list[int]:
    """Columns that each column of a table takes where no cell is folded."""
    return [
        max(
            cell_len(visible(part))
            for text in (column.name, *(row[place].text for row in table.rows))
            for part in text.split("\n")
        )
        for place, column in enumerate(table.columns)
    ]


def natural_width(table: Table, gap: int = _GAP) -> int:
    """Columns that a table takes where no cell is folded."""
    widths = _widths(table)
    return sum(widths) + gap * (len(widths) - 1)


def render_terminal(
    report: Report, *, width: int = 80, verbose: bool = False, per_query: bool = False, color: bool = False
) -> str:
    """The report as text of a width, escapes only with `color`.

    `verbose` adds every axis and how evaluators were called, `per_query` every query's values.
    """
    return _page(report, Page(width, color=color), verbose=verbose, per_query=per_query).text()


def render_svg(report: Report) -> str:
    """A picture of a terminal with the report, for a README."""
    return _page(report, Page(100, color=True), verbose=False, per_query=False).picture("ndcgauge")


def _page(report: Report, page: Page, *, verbose: bool, per_query: bool) -> Page:
    if report.claims is not None:
        _claims(page, report)
    for line in verdicts(report):
        page.line(line, "bold")
    page.line()
    for table in several_tables(report):
        page.table(table)
    for line in perturbation_lines(report):
        page.line(line)
    untold = 0
    for run, measure in pairs(report):
        if len(pairs(report)) > 1:
            page.line(f"── {measure} of {run} ──", "bold")
        untold += _pair(page, report, run, measure, verbose=verbose, per_query=per_query)
    _specifications(page, report, verbose=verbose)
    for file in report.inputs:
        first, *rest = input_lines(file)
        page.line(first)
        for each in rest:
            page.line(each, indent=2)
    if not verbose and report.claims is None:
        more = f"{untold} more of the worst queries, " if untold else ""
        page.line()
        page.line(
            f"--verbose shows {more}every axis and how evaluators were called; -o FILE.html or .json keeps all of it"
        )
    return page


def render_file(report: Report) -> str:
    """The report as the text of a file: everything, a hundred columns wide."""
    return render_terminal(report, width=100, verbose=True)


def _claims(page: Page, report: Report) -> None:
    """Every claim's verdict and details; a table of all where there are several."""
    claims = report.claims or []
    if len(claims) > 1:
        page.table(claims_table(report))
    for claim in claims:
        page.line(claim.summary, "bold")
        for line in claim_lines(claim):
            page.line(line, indent=2)
        page.line()
        for table in (candidate_table(claim), separator_table(claim)):
            if table is not None:
                page.table(table)


def _pair(page: Page, report: Report, run: str, measure: str, *, verbose: bool, per_query: bool) -> int:
    """One run and measure; the number of worst queries that were left out."""
    page.table(evaluator_table(report, run, measure))
    families, compact = family_table(report, run, measure), compact_family_table(report, run, measure)
    if families is not None and compact is not None:
        if page.fits(families):
            page.table(families)
        else:
            page.table(compact, gap=_GAP if page.fits(compact) else 1)
    axes = axis_table(report, run, measure, several_only=not verbose)
    if axes is not None:
        page.table(axes)
    envelope = envelope_line(report, run, measure)
    remarks = [*([] if envelope is None else [envelope]), *evaluator_lines(report, run, measure)]
    remarks += called_lines(report, run, measure) if verbose else []
    for line in remarks:
        page.line(line)
    if remarks:
        page.line()
    worst = worst_tables(report, run, measure, 10 if verbose else 3)
    for table in worst.tables:
        page.table(table)
    if per_query:
        for table in _query_tables(page, report, run, measure):
            page.table(table)
    return worst.untold


def _query_tables(page: Page, report: Report, run: str, measure: str) -> Sequence[Table]:
    """As many evaluators side by side as fit, the others in further tables below."""
    groups: list[list[EvaluatorEntry]] = []
    for entry in evaluators_of(report, run, measure):
        if groups and page.fits(query_tables(report, run, measure, [[*groups[-1], entry]])[0]):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return query_tables(report, run, measure, groups)


def _specifications(page: Page, report: Report, *, verbose: bool) -> None:
    for measure in dict.fromkeys(measure for _, measure in pairs(report)):
        first, sentence = spec_lines(spec_of(report, measure))
        page.line(first)
        page.line(sentence, indent=2)
        if verbose:
            for axis, value in spec_rows(report, measure):
                page.line(f"{axis:<22} {value}", indent=4)
    page.line()


__all__ = ["Page", "natural_width", "render_file", "render_svg", "render_terminal", "verdict_text"]
