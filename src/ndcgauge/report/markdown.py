"""The report as Markdown: for a pull request, a step summary, an appendix."""

from __future__ import annotations

import re

from ndcgauge.report.tables import (
    Table,
    axis_table,
    evaluator_table,
    evaluators_of,
    family_table,
    number,
    pairs,
    spec_rows,
    worst_table,
)
from ndcgauge.report.terminal import visible
from ndcgauge.report.verdicts import verdicts
from ndcgauge.results.model import Report

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~$&])")


def escaped(text: str) -> str:
    """Text in which nothing is markup."""
    return _SPECIAL.sub(r"\\\1", visible(text).replace("\n", " "))


def _table(table: Table) -> list[str]:
    lines = [
        "| " + " | ".join(escaped(column.name) for column in table.columns) + " |",
        "|" + "|".join(" ---: " if column.numeric else " --- " for column in table.columns) + "|",
    ]
    lines += ["| " + " | ".join(escaped(cell.text) for cell in row) + " |" for row in table.rows]
    return lines


def _folded(title: str, body: list[str]) -> list[str]:
    return ["", f"<details><summary>{escaped(title)}</summary>", "", *body, "", "</details>"]


def render_markdown(report: Report) -> str:
    """Verdict, evaluators, families; the rest folded away; the full specification."""
    lines = ["# ndcgauge report", ""]
    lines += [f"**{escaped(line)}**  " for line in verdicts(report)]
    for run, measure in pairs(report):
        lines += ["", f"## {escaped(measure)} of {escaped(run)}", "", *_table(evaluator_table(report, run, measure))]
        for build in (family_table, axis_table):
            table = build(report, run, measure)
            if table is not None:
                lines += ["", f"### {escaped(table.title)}", "", *_table(table)]
        lines += _notes(report, run, measure)
        for found in report.discrepancies:
            if (found.run, found.measure) == (run, measure):
                worst = worst_table(found, 10)
                if worst is not None:
                    lines += _folded(worst.title, _table(worst))
    lines += ["", "## Metric specification"]
    for spec in report.spec:
        lines += ["", f"`{spec.hash}` {escaped(spec.sentence)}"]
        rows = [f"| {escaped(axis)} | {escaped(value)} |" for axis, value in spec_rows(report, spec.measure)]
        lines += _folded(f"every axis of {spec.measure}", ["| axis | value |", "| --- | --- |", *rows])
    lines += ["", "## Inputs", "", "| file | role | lines | queries | format | sha256 |", "| --- | --- | ---: | ---: | --- | --- |"]
    lines += [
        f"| {escaped(each.name)} | {each.role} | {each.lines} | {each.queries} | {each.format} | `{each.sha256}` |"
        for each in report.inputs
    ]
    for each in report.inputs:
        if each.accounting is not None:
            here = each.accounting
            judged = "–" if here.judged_at_k is None else f"{here.judged_at_k:.4f}"
            lines += [
                "",
                f"{escaped(each.name)}: {here.both} queries in both files, {len(here.judged_only)} judged only, "
                f"{here.run_only} in the run only, {len(here.without_relevant)} without a relevant document; "
                f"judged@{here.k} {judged}; ties inside the top {here.k} in {here.tied_in_top_k} queries, "
                f"across it in {here.tied_across_k} (and {here.tied_across_k_float32} in single precision only).",
            ]
    if report.warnings:
        lines += ["", "## Warnings", "", *(f"- {escaped(each)}" for each in report.warnings)]
    lines += ["", "## How to reproduce", "", "```", visible(" ".join(report.command)), "```", ""]
    packages = ", ".join(f"{name} {version}" for name, version in report.environment.packages.items())
    lines += [f"ndcgauge {report.tool.version}, Python {report.environment.python}, {escaped(packages)}."]
    return "\n".join(lines) + "\n"


def _notes(report: Report, run: str, measure: str) -> list[str]:
    lines: list[str] = []
    for each in report.attribution.envelopes:
        if (each.run, each.measure) == (run, measure) and each.note is None:
            lines += [
                "",
                f"Tie envelope of the mean: worst {number(each.worst)}, average {number(each.average)}, best "
                f"{number(each.best)}; {each.queries_open} queries open.",
            ]
    for entry in evaluators_of(report, run, measure):
        lines += [f"- {escaped(entry.id)}: {escaped(note)}" for note in entry.notes]
    return lines
