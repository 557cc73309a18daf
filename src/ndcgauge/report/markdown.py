"""The report as Markdown: for a pull request, a step summary, an appendix."""

from __future__ import annotations

import html
import re
import shlex
from collections.abc import Sequence

from ndcgauge.report.claims import candidate_table, claim_lines, claims_table, separator_table
from ndcgauge.report.lookup import pairs
from ndcgauge.report.printable import one_line, visible
from ndcgauge.report.remarks import accounting_lines, called_lines, envelope_line, evaluator_lines, grades
from ndcgauge.report.several import perturbation_lines, several_tables
from ndcgauge.report.specification import machine_json, publication_sentences, render_header
from ndcgauge.report.tables import Cell, Column, Table, axis_table, evaluator_table, family_table
from ndcgauge.report.verdicts import verdicts
from ndcgauge.report.worst import worst_tables
from ndcgauge.results.model import InputFile, Report

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~$&])")


def escaped(text: str) -> str:
    """Text in which nothing is markup, on one line."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def render_markdown(report: Report) -> str:
    """Verdict, evaluators, families; the rest folded away; the full specification, files, how to reproduce."""
    lines = ["# ndcgauge report"]
    for line in verdicts(report):
        lines += ["", f"**{escaped(line)}**"]
    if report.claims is not None:
        lines += _claims(report)
    several = several_tables(report)
    if several:
        lines += ["", "## Runs, groups and labels"]
        for table in several:
            lines += ["", f"**{escaped(table.title)}**", "", *table_lines(table)]
        lines += ["", *(f"- {escaped(each)}" for each in perturbation_lines(report))]
    for run, measure in pairs(report):
        lines += ["", f"## {escaped(measure)} of {escaped(run)}"]
        lines += _pair(report, run, measure)
    lines += ["", "## Metric specification"]
    for spec in report.spec:
        lines += ["", f"{escaped(spec.hash)} · {escaped(spec.short)}", "", escaped(spec.sentence)]
        rows = [[Cell(axis), Cell(value)] for axis, value in spec.axes.items() if axis != "measure"]
        columns = [Column("axis"), Column("value")]
        lines += folded(f"Every axis of {spec.measure}", table_lines(Table("", columns, rows)))
    if report.spec:
        lines += [
            "",
            "To state in a publication:",
            "",
            *(f"- {escaped(each)}" for each in publication_sentences(report)),
        ]
        lines += folded("For machines: JSON", fenced(machine_json(report).splitlines(), "json"))
        lines += folded("For the head of a run file: ir_metadata", fenced(render_header(report).splitlines(), "yaml"))
    lines += ["", "## Inputs", "", *table_lines(_input_table(report.inputs))]
    for each in report.inputs:
        if each.accounting is not None:
            lines += ["", f"{escaped(each.name)}: {escaped('; '.join(accounting_lines(each.accounting)))}."]
    if report.warnings:
        lines += ["", "## Warnings", "", *(f"- {escaped(each)}" for each in report.warnings)]
    lines += ["", "## How to reproduce", "", *fenced([shlex.join(report.command)]), ""]
    packages = ", ".join(f"{name} {version}" for name, version in sorted(report.environment.packages.items()))
    made = "" if report.created is None else f" Made at {report.created}."
    lines.append(escaped(f"ndcgauge {report.tool.version}, Python {report.environment.python}, {packages}.{made}"))
    return "\n".join(lines) + "\n"


def _claims(report: Report) -> list[str]:
    """A table of all claims, then the details of each."""
    lines = ["", "## Claims", "", *table_lines(claims_table(report))]
    for claim in report.claims or []:
        lines += ["", f"**{escaped(claim.summary)}**", "", *(f"- {escaped(each)}" for each in claim_lines(claim))]
        for table in (candidate_table(claim), separator_table(claim)):
            if table is not None:
                lines += folded(table.title, table_lines(table))
    return lines


def _pair(report: Report, run: str, measure: str) -> list[str]:
    lines = ["", *table_lines(evaluator_table(report, run, measure))]
    families = family_table(report, run, measure)
    if families is not None:
        lines += ["", f"**{escaped(families.title)}**", "", *table_lines(families)]
    envelope = envelope_line(report, run, measure)
    if envelope is not None:
        lines += ["", f"{escaped(envelope)}."]
    notes = evaluator_lines(report, run, measure)
    if notes:
        lines += ["", *(f"- {escaped(each)}" for each in notes)]
    axes = axis_table(report, run, measure)
    if axes is not None:
        lines += folded(axes.title, table_lines(axes))
    for table in worst_tables(report, run, measure, 10).tables:
        lines += folded(table.title, table_lines(table))
    details = called_lines(report, run, measure)
    return lines + folded("How evaluators were called", [f"- {escaped(each)}" for each in details])


def table_lines(table: Table) -> list[str]:
    """A table as lines of Markdown."""
    lines = [
        "| " + " | ".join(escaped(column.name) for column in table.columns) + " |",
        "|" + "|".join(" ---: " if column.numeric else " --- " for column in table.columns) + "|",
    ]
    lines += ["| " + " | ".join(escaped(cell.text) for cell in row) + " |" for row in table.rows]
    return lines


def _input_table(files: Sequence[InputFile]) -> Table:
    columns = [Column("file"), Column("role"), Column("lines", numeric=True), Column("queries", numeric=True)]
    columns += [Column("format"), Column("grades (judgments)"), Column("sha256")]
    rows: list[list[Cell]] = []
    for each in files:
        scale = ", ".join(grades(each.relevance_scale or {}))
        texts = (each.name, each.role, f"{each.lines:,}", f"{each.queries:,}", each.format, scale, each.sha256)
        rows.append([Cell(text) for text in texts])
    return Table("Inputs", columns, rows)


def folded(title: str, body: list[str]) -> list[str]:
    """A part that opens on a click. Its title stands in HTML, where a backslash escapes nothing."""
    return ["", f"<details><summary>{html.escape(one_line(title))}</summary>", "", *body, "", "</details>"]


def fenced(lines: list[str], language: str = "") -> list[str]:
    """A code block whose fence no run of backticks in the text can close."""
    longest = max((len(each) for each in re.findall(r"`+", "\n".join(lines))), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + language, *map(visible, lines), fence]
