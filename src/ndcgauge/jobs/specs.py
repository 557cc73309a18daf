"""Specifications as text: for `ndcgauge spec`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ndcgauge.evaluators.names import baseline_spec
from ndcgauge.jobs.request import request
from ndcgauge.spec import AXES, PRESETS, MetricSpec


def describe_presets(form: str) -> str:
    """The presets of the literature with their sources."""
    if form == "json":
        listed = {
            each.name: {"changes": dict(each.changes), "title": each.title, "source": each.source}
            for each in PRESETS.values()
        }
        return json.dumps(listed, indent=2, ensure_ascii=False)
    blocks = []
    for each in PRESETS.values():
        changes = ", ".join(f"{axis}={value}" for axis, value in each.changes) or "the default of every axis"
        blocks.append(f"{each.name}\n  {each.title}\n  axes: {changes}\n  source: {each.source}")
    return "\n".join(blocks)


def describe_spec(name: str, measures: Sequence[str] | None, sets: Sequence[str] | None, form: str) -> str:
    """Every axis of the specification that a preset or evaluator has for each measure, with `--set` applied."""
    asked = request(measures, baseline=name, sets=sets)
    specs = [asked.spec(measure) for measure in asked.measures]
    if form == "json":
        return json.dumps([{**spec.to_dict(), "hash": spec.hash} for spec in specs], indent=2)
    return "\n\n".join(_table(spec) for spec in specs)


def _table(spec: MetricSpec) -> str:
    lines = [f"{spec.short()}  {spec.hash}"]
    for axis in AXES.values():
        if axis.name in spec.axes:
            lines.append(f"  {axis.name:<22} {spec[axis.name]:<18} {axis.family}: {axis.summary}")
    return "\n".join(lines)


def diff_specs(one: str, other: str, measures: Sequence[str] | None, form: str) -> str:
    """The axes on which two presets or evaluators differ, measure by measure."""
    asked = request(measures)
    result: dict[str, dict[str, tuple[str, str]]] = {}
    for measure in asked.measures:
        result[measure.name] = baseline_spec(one, measure).diff(baseline_spec(other, measure))
    if form == "json":
        return json.dumps(result, indent=2)
    blocks = []
    for name, changes in result.items():
        rows = [f"  {axis:<22} {a:<18} {b}" for axis, (a, b) in changes.items()]
        blocks.append("\n".join([f"{name}: {'axis':<14}   {one:<18} {other}", *(rows or ["  no difference"])]))
    return "\n\n".join(blocks)
