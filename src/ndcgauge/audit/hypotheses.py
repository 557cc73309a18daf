"""The mistakes that people really make, each as the number that it would have printed.

They are tried after the lattice. Each is one mistake on top of the stated specification; none is
combined with another, since combinations explain everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from enum import StrEnum

import numpy as np

from ndcgauge.audit.intermediates import rounded_intermediates
from ndcgauge.audit.material import Material
from ndcgauge.audit.printed import Printed
from ndcgauge.data.collection import Bools, Collection, Floats
from ndcgauge.errors import UsageError
from ndcgauge.reference import Evaluation, NoClosedForm
from ndcgauge.reference.scores import sequential_mean
from ndcgauge.spec import MEASURES, MetricSpec

CUTOFFS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 50, 100, 200, 500, 1000)
"""Cutoffs that tables print."""
ROW_DECIMALS = ("1", "2", "5")
"""Roundings of rows beyond those of the lattice."""
UNBOUNDED = ("dcg",)
"""Measures whose values go beyond 1."""


class Mistake(StrEnum):
    """The kinds of mistakes."""

    ROWS = "exchanged rows"
    QRELS = "other qrels"
    SUBSET = "a subset of the queries"
    CUTOFF = "another cutoff"
    MEASURE = "another measure"
    QUERIES = "a mean over another number of queries"
    PERCENT = "percent against fraction"
    ROUNDED_ROWS = "rows rounded before the mean"
    TWICE = "rounded twice"
    TRUNCATED = "cut off instead of rounded"
    INTERMEDIATES = "rounded intermediate values"


@dataclass(frozen=True)
class Attempt:
    """What a mistake would have printed, before it is rounded to the claim's decimals."""

    mistake: Mistake
    text: str
    """The mistake in words, a clause that follows the number."""
    value: float


def _value(evaluation: Evaluation, spec: MetricSpec) -> float | None:
    """The mean of a specification; None where it has none on this data."""
    try:
        mean = evaluation.score(spec)[2]
    except (NoClosedForm, UsageError):
        return None
    return mean if np.isfinite(mean) else None


def attempts(material: Material, spec: MetricSpec) -> Iterator[Attempt]:
    """Every mistake on top of a specification that is one whatever was printed, the likeliest kinds first."""
    makers: tuple[Callable[[Material, MetricSpec], Iterator[Attempt]], ...] = (
        _exchanged_rows,
        _other_qrels,
        _subsets,
        _cutoffs,
        _measures,
        _numbers_of_queries,
        _rounded_rows,
        _intermediates,
    )
    for make in makers:
        yield from make(material, spec)


def attempts_at(value: float, spec: MetricSpec, printed: Printed) -> Iterator[Attempt]:
    """The mistakes in printing a specification's value that depend on the number that was printed."""
    yield from _percent(value, spec, printed)
    yield from _rounded_twice(value, printed)
    yield from _truncated(value, printed)


def _of_others(others: dict[str, Collection], spec: MetricSpec) -> Iterator[tuple[str, float]]:
    for name, collection in others.items():
        value = _value(Evaluation(collection, {}), readable(spec, collection))
        if value is not None:
            yield name, value


def readable(spec: MetricSpec, collection: Collection) -> MetricSpec:
    """The specification, the first line counting where another file repeats a document."""
    changes = {}
    if spec["run_duplicates"] not in collection.rows:
        changes["run_duplicates"] = "first"
    if spec["qrels_duplicates"] not in collection.judged.grades:
        changes["qrels_duplicates"] = "first"
    return spec.with_axes(changes) if changes else spec


def _exchanged_rows(material: Material, spec: MetricSpec) -> Iterator[Attempt]:
    for name, value in _of_others(dict(material.others), spec):
        yield Attempt(Mistake.ROWS, f"it is the value of {name}: two rows were exchanged", value)


def _other_qrels(material: Material, spec: MetricSpec) -> Iterator[Attempt]:
    for name, value in _of_others(dict(material.other_qrels), spec):
        yield Attempt(Mistake.QRELS, f"it is the value with the qrels {name}", value)


def _subsets(material: Material, spec: MetricSpec) -> Iterator[Attempt]:
    scored = _rows(material, spec)
    if scored is None:
        return
    values, counted = scored
    for name, wanted in material.subsets.items():
        chosen = counted & np.array([query in wanted for query in material.collection.queries])
        if chosen.any():
            text = f"it is the mean over the {int(chosen.sum())} queries of {name} alone"
            yield Attempt(Mistake.SUBSET, text, sequential_mean(values[chosen]))


def _rows(material: Material, spec: MetricSpec) -> tuple[Floats, Bools] | None:
    if spec["averaging"] == "pooled":
        return None
    try:
        return material.evaluation.per_query(spec)
    except (NoClosedForm, UsageError):
        return None


def _cutoffs(material: Material, spec: MetricSpec) -> Iterator[Attempt]:
    for cutoff in (*map(str, CUTOFFS), "none"):
        if cutoff == spec["cutoff"]:
            continue
        other = spec.with_axes({"cutoff": cutoff})
        value = _value(material.evaluation, other)
        if value is not None:
            yield Attempt(Mistake.CUTOFF, f"it is {other.name}, not {spec.name}", value)


def _measures(material: Material, spec: MetricSpec) -> Iterator[Attempt]:
    for stem in MEASURES:
        if stem == spec.measure:
            continue
        plain = MetricSpec.of(stem)
        shared = {name: value for name, value in spec.values if name in plain.axes}
        for cutoff in dict.fromkeys((spec["cutoff"], "none")):
            other = plain.with_axes({**shared, "cutoff": cutoff})
            value = _value(material.evaluation, other)
            if value is not None:
                yield Attempt(Mistake.MEASURE, f"it is {other.name}, not {spec.name}", value)
    if spec.measure == "recall" and spec["recall_denominator"] != "any":
        value = _value(material.evaluation, spec.with_axes({"recall_denominator": "any"}))
        if value is not None:
            yield Attempt(Mistake.MEASURE, f"it is the hit rate, not {spec.name}", value)


def _numbers_of_queries(material: Material, spec: MetricSpec) -> Iterator[Attempt]:
    scored = _rows(material, spec)
    if scored is None:
        return
    values, counted = scored
    number = int(counted.sum())
    if not number or np.isnan(values[counted]).any():
        return
    total = float(np.cumsum(values[counted])[-1])
    collection = material.collection
    known = {
        number + 1: "one query more than there are values",
        number - 1: "one query less than there are values",
        int(collection.in_qrels.sum()): "the number of judged queries",
        int(collection.in_run.sum()): "the number of queries of the run",
    }
    for divisor, what in known.items():
        if divisor > 0 and divisor != number:
            text = f"it is the sum over {number} queries divided by {divisor} (factor {number}/{divisor}): {what}"
            yield Attempt(Mistake.QUERIES, text, total / divisor)


def _percent(value: float, spec: MetricSpec, printed: Printed) -> Iterator[Attempt]:
    if spec.measure in UNBOUNDED:
        return
    if abs(printed.number) > 1:
        yield Attempt(Mistake.PERCENT, "it is in percent", value * 100)
    else:
        yield Attempt(Mistake.PERCENT, "it was divided by 100 once more", value / 100)


def _rounded_rows(material: Material, spec: MetricSpec) -> Iterator[Attempt]:
    if spec["averaging"] == "pooled":
        return
    for places in ROW_DECIMALS:
        value = _value(material.evaluation, spec.with_axes({"row_rounding": places}))
        if value is not None:
            noun = "decimal" if places == "1" else "decimals"
            yield Attempt(Mistake.ROUNDED_ROWS, f"the queries' values were rounded to {places} {noun} first", value)


def _rounded_twice(value: float, printed: Printed) -> Iterator[Attempt]:
    unit = Decimal(1).scaleb(-printed.decimals)
    for more in (1, 2):
        first = Decimal(value).quantize(unit.scaleb(-more), ROUND_HALF_UP)
        again = first.quantize(unit, ROUND_HALF_UP)
        if again != Decimal(value).quantize(unit, ROUND_HALF_UP):
            yield Attempt(Mistake.TWICE, f"it was rounded to {first}, and then again to {again}", float(again))
            return


def _truncated(value: float, printed: Printed) -> Iterator[Attempt]:
    cut = Decimal(value).quantize(Decimal(1).scaleb(-printed.decimals), ROUND_DOWN)
    yield Attempt(Mistake.TRUNCATED, f"{value:.6f} was cut off after {printed.decimals} decimals", float(cut))


def _intermediates(material: Material, spec: MetricSpec) -> Iterator[Attempt]:
    for each in rounded_intermediates(material, spec):
        yield Attempt(Mistake.INTERMEDIATES, each.what, each.value)
