"""Evaluator by axis: what each computes, beside the baseline's specification."""

from __future__ import annotations

from collections.abc import Mapping

from ndcgauge.report.glossary import glossary
from ndcgauge.report.lookup import discrepancies_of, evaluators_of, is_baseline, reference_of, spec_of
from ndcgauge.report.tables import Cell, Column, Status, Table
from ndcgauge.results.model import EvaluatorEntry, Report

ALWAYS = ("gain", "discount", "ties", "unjudged")
"""The axes of the four families that are shown even where nobody differs."""


def shown_value(value: str) -> str:
    """An axis value as people read it: an observed order without its digest."""
    return "observed" if value.startswith("observed:") else value


def computes(entry: EvaluatorEntry) -> dict[str, str] | None:
    """The specification that an evaluator is found to compute; its profile where verified; None where it has none."""
    return None if entry.profile is None else {**entry.profile, **(entry.behaves_as or {})}


def axis_names(axes: Mapping[str, str]) -> list[str]:
    """The axes of a specification in the order of the pipeline; unknown ones last."""
    order = list(glossary())
    names = (name for name in axes if name != "measure")
    return sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name))


def differing_axes(report: Report, run: str, measure: str) -> list[str]:
    """The axes on which an evaluator differs from the baseline, or from its own profile."""
    base = spec_of(report, measure).axes
    found: set[str] = set()
    for entry in evaluators_of(report, run, measure):
        own = computes(entry)
        if own is not None and not is_baseline(report, entry):
            found |= {axis for axis in own if axis != "measure" and own[axis] != base.get(axis)}
            found |= set(entry.behaves_as or {})
    return [axis for axis in axis_names({**base, **dict.fromkeys(found, "")}) if axis in found]


def acting_axes(report: Report, run: str, measure: str) -> list[str]:
    """The axes of which the difference here is made, for one evaluator or another, or that are not as declared."""
    found = {axis for each in discrepancies_of(report, run, measure) for axis in each.contributions}
    found |= {axis for each in evaluators_of(report, run, measure) for axis in each.behaves_as or {}}
    return [axis for axis in differing_axes(report, run, measure) if axis in found]


def idle_axes(report: Report, run: str, measure: str) -> list[str]:
    """The axes on which evaluators differ from the baseline without an effect on these files."""
    acting = acting_axes(report, run, measure)
    return [axis for axis in differing_axes(report, run, measure) if axis not in (*acting, *ALWAYS)]


def axis_matrix(report: Report, run: str, measure: str) -> Table | None:
    """A row for each evaluator; a column for the four families' first axes, and for each other that acts here."""
    entries = evaluators_of(report, run, measure)
    if not entries:
        return None
    base = spec_of(report, measure).axes
    axes = [axis for axis in ALWAYS if axis in base]
    axes += [axis for axis in acting_axes(report, run, measure) if axis not in axes and axis in base]
    reference = reference_of(report, run, measure)
    rows = [[Cell(reference.baseline), Cell("baseline"), *(Cell(shown_value(base[axis])) for axis in axes)]]
    for entry in entries:
        if not is_baseline(report, entry):
            rows.append([Cell(entry.id), _verified(entry), *(_cell(entry, axis, base) for axis in axes)])
    columns = [Column("evaluator", folds=True), Column("verified"), *(Column(axis) for axis in axes)]
    return Table("Evaluators by axis: ✓ as the baseline, ≠ another value", columns, rows)


def whole_matrix(report: Report, run: str, measure: str) -> Table | None:
    """A row for each axis, with every evaluator's value."""
    entries = [each for each in evaluators_of(report, run, measure) if not is_baseline(report, each)]
    if not entries:
        return None
    base = spec_of(report, measure).axes
    baseline = reference_of(report, run, measure).baseline
    rows = [
        [Cell(axis), Cell(shown_value(base[axis])), *(_cell(entry, axis, base) for entry in entries)]
        for axis in axis_names(base)
    ]
    columns = [Column("axis"), Column(baseline), *(Column(entry.id) for entry in entries)]
    return Table("Every axis of every evaluator", columns, rows)


def _verified(entry: EvaluatorEntry) -> Cell:
    if not entry.answered:
        return Cell(f"– {entry.outcome}")
    if entry.profile is None:
        return Cell("? nothing")
    return Cell("✓", "good") if entry.verified else Cell("✗ no", "bad")


def _cell(entry: EvaluatorEntry, axis: str, base: Mapping[str, str]) -> Cell:
    own = computes(entry)
    if own is None:
        return Cell("?")
    if axis not in own:
        return Cell("–")
    value = shown_value(own[axis])
    status: Status = "good" if own[axis] == base.get(axis) else "known"
    text = "✓" if status == "good" else f"≠ {value}"
    if axis in (entry.behaves_as or {}):
        declared = shown_value((entry.profile or {}).get(axis, "nothing"))
        return Cell(f"{text} (declared {declared})", "bad")
    return Cell(text, status)
