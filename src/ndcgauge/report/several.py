"""Several runs, groups of queries, changed labels: their tables, and the sentence about the winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ndcgauge.report.labels import run_labels
from ndcgauge.report.numbers import number, signed
from ndcgauge.report.printable import counted, listed
from ndcgauge.report.tables import Cell, Column, Status, Table
from ndcgauge.results.model import Report
from ndcgauge.results.several import OrderEntry

_PAIRS = 5
"""Pairs of runs that are named in a cell; the document has all of them."""


def measures_of(report: Report) -> list[str]:
    """The measures for which the document orders the runs."""
    return list(dict.fromkeys(each.measure for each in report.orders))


def winner_lines(report: Report) -> list[str]:
    """For each measure: does an evaluator change the winner, or the order, of the runs."""
    labels = run_labels(report)
    return [_winner_line(report, measure, labels) for measure in measures_of(report)]


def _winner_line(report: Report, measure: str, labels: Mapping[str, str]) -> str:
    base, *others = _of(report, measure)
    if not base.order:
        return f"The order of the runs by {measure}: {base.evaluator} gave no means to order."
    changed = [each for each in others if each.changes_winner]
    first = _named(base.order[0], labels)
    if changed:
        told = "; ".join(f"{each.evaluator} puts {_named(each.order[0], labels)} first" for each in changed)
        return f"The evaluator changes the winner by {measure}: {base.evaluator} puts {first} first; {told}."
    swaps = {each.evaluator: len(each.swapped) for each in others if each.swapped}
    same = f"The winner by {measure} is {first} for every evaluator"
    if base.order and len(base.order[0]) > 1:
        same = f"No evaluator puts another run before {first}, which {base.evaluator} has first by {measure}"
    if swaps:
        told = ", ".join(f"{counted(count, 'pair')} of runs for {name}" for name, count in swaps.items())
        return f"{same}, and the order of others changes: {told}."
    ties = [each.evaluator for each in others if each.undecided]
    if ties:
        return f"{same}; no pair of runs changes places, though {listed(ties, 3)} cannot tell some apart."
    return f"{same}, and no pair of runs changes places."


def _of(report: Report, measure: str) -> list[OrderEntry]:
    return [each for each in report.orders if each.measure == measure]


def _named(runs: Sequence[str], labels: Mapping[str, str]) -> str:
    return " = ".join(labels.get(run, run) for run in runs)


def run_table(report: Report, measure: str) -> Table:
    """A row for each run in the baseline's order: every evaluator's mean, and the place that it gives the run."""
    labels = run_labels(report)
    entries = _of(report, measure)
    base = entries[0]
    ranked = [run for runs in base.order for run in runs]
    runs = [*ranked, *(run for run in labels if run not in ranked)]
    rows: list[list[Cell]] = []
    for run in runs:
        cells = [Cell(labels.get(run, run))]
        for entry in entries:
            place = _place(entry, run)
            same = entry is base or place == _place(base, run)
            shown = number(entry.means.get(run)) + ("" if place is None else f" ({place})")
            cells.append(Cell(shown, "plain" if same else "bad"))
        rows.append(cells)
    columns = [Column("run", folds=True), *(Column(each.evaluator, numeric=True) for each in entries)]
    return Table(f"Runs by {measure}: mean (place)", columns, rows)


def _place(entry: OrderEntry, run: str) -> int | None:
    """The run's place from 1; runs with equal means share one."""
    before = 1
    for runs in entry.order:
        if run in runs:
            return before
        before += len(runs)
    return None


def order_table(report: Report, measure: str) -> Table:
    """Every evaluator's order of the runs beside the baseline's: tau, swapped pairs, winner."""
    labels = run_labels(report)
    base, *others = _of(report, measure)
    rows = [
        [
            Cell(each.evaluator),
            Cell(number(each.tau, 4)),
            _pairs(each.swapped, labels),
            _pairs(each.undecided, labels, bad=False),
            _winner(each, labels),
        ]
        for each in others
    ]
    columns = [
        Column("evaluator", folds=True),
        Column("Kendall's tau", numeric=True),
        Column("pairs that swap", folds=True),
        Column("pairs that tie", folds=True),
        Column("first", folds=True),
    ]
    return Table(f"Order of the runs by {measure}, beside {base.evaluator}'s", columns, rows)


def _winner(entry: OrderEntry, labels: Mapping[str, str]) -> Cell:
    if not entry.order:
        return Cell("–")
    name = _named(entry.order[0], labels)
    return Cell(f"✗ {name}", "bad") if entry.changes_winner else Cell(f"✓ {name}", "good")


def _pairs(pairs: Sequence[Sequence[str]], labels: Mapping[str, str], *, bad: bool = True) -> Cell:
    told = [f"{labels.get(one, one)} > {labels.get(two, two)}" for one, two in pairs]
    status: Status = "bad" if pairs and bad else "plain"
    return Cell("none" if not pairs else f"{len(pairs)}: {listed(told, _PAIRS)}", status)


def group_tables(report: Report) -> list[Table]:
    """For each measure and run the means by group, and every evaluator's difference from the baseline there."""
    labels = run_labels(report)
    tables: list[Table] = []
    for run, measure in dict.fromkeys((each.run, each.measure) for each in report.groups):
        found = [each for each in report.groups if (each.run, each.measure) == (run, measure)]
        names = list(dict.fromkeys(name for each in found for name in each.evaluators))
        baseline = next(
            each.baseline for each in report.attribution.references if (each.run, each.measure) == (run, measure)
        )
        rows: list[list[Cell]] = []
        for each in found:
            cells = [Cell(each.group or "(in no group)"), Cell(f"{each.queries:,}"), Cell(number(each.mean))]
            for name in names:
                value = each.evaluators.get(name)
                difference = None if value is None else value.difference
                some = "" if value is None or value.over == each.queries else f" (on {value.over})"
                cells.append(Cell("–" if difference is None else signed(difference) + some))
            rows.append(cells)
        columns = [Column("group", folds=True), Column("queries", numeric=True), Column(baseline, numeric=True)]
        columns += [Column(name, numeric=True) for name in names]
        tables.append(
            Table(f"Means by group, and differences from {baseline}: {measure} of {labels[run]}", columns, rows)
        )
    return tables


def perturbation_lines(report: Report) -> list[str]:
    """What was changed, and what it does to the order of the runs under each gain."""
    found = report.perturbation
    if found is None:
        return []
    labels = run_labels(report)
    told = ", ".join(f"{old} were {new}" for old, new in found.changes.items())
    lines = [f"Label sensitivity: if grade {told}, in all {counted(found.judgments, 'judgment')}"]
    for each in found.orders:
        name = f"{each.measure}, gain {each.gain}"
        if each.changes_winner:
            first, then = _named(each.before[0], labels), _named(each.after[0], labels)
            lines.append(f"{name}: the labels change the winner, from {first} to {then}")
        elif each.swapped:
            lines.append(f"{name}: {counted(len(each.swapped), 'pair')} of runs would change places")
        else:
            lines.append(f"{name}: no pair of runs would change places")
    return lines


def perturbation_table(report: Report) -> Table | None:
    """Means with the labels as they are and changed, under each gain."""
    found = report.perturbation
    if found is None:
        return None
    labels = run_labels(report)
    measures = {each.measure for each in found.entries}
    several = len(measures) > 1
    rows = [
        [
            *([Cell(each.measure)] if several else []),
            Cell(labels.get(each.run, each.run)),
            Cell(each.gain),
            Cell(number(each.mean)),
            Cell(number(each.perturbed)),
            Cell("–" if each.difference is None else signed(each.difference)),
            Cell(f"{each.queries_changed:,}"),
            Cell("" if each.largest is None else f"{each.largest_query}: {signed(each.largest)}"),
        ]
        for each in found.entries
    ]
    columns = [
        *([Column("measure")] if several else []),
        Column("run", folds=True),
        Column("gain"),
        Column("as judged", numeric=True),
        Column("changed", numeric=True),
        Column("difference", numeric=True),
        Column("queries", numeric=True),
        Column("most", folds=True),
    ]
    told = ", ".join(f"{old} → {new}" for old, new in found.changes.items())
    of = "" if several else f" ({', '.join(measures)})"
    return Table(f"Label sensitivity: grade {told}{of}", columns, rows)


def several_tables(report: Report) -> list[Table]:
    """Runs and their order by measure, the means by group, changed labels: as far as the document has them."""
    tables: list[Table] = []
    for measure in measures_of(report):
        tables += [run_table(report, measure), order_table(report, measure)]
    tables += group_tables(report)
    changed = perturbation_table(report)
    return tables if changed is None else [*tables, changed]
