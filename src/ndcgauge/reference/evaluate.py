"""`evaluate`: one or many specifications on one collection, their work shared.

What several specifications have in common is computed once: judgments, gains, standings,
weighted sums and ideals are kept under the axis values that decide them (DESIGN §4).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ndcgauge.data.collection import Bools, Collection, Floats
from ndcgauge.reference.instances import combine, pooled_parts
from ndcgauge.reference.measures import Parts
from ndcgauge.reference.ratio_parts import RatioParts, allowed
from ndcgauge.reference.rounding import rounded_as_printed
from ndcgauge.reference.scores import Scores, sequential_mean
from ndcgauge.spec import MetricSpec

if TYPE_CHECKING:
    from ndcgauge.reference.observed import ObservedOrder


def evaluate(
    collection: Collection,
    specs: Sequence[MetricSpec],
    *,
    orders: Mapping[str, ObservedOrder] | None = None,
) -> Scores:
    """Per-query values and means of every specification.

    `orders` holds observed orders under their digests, for specifications with
    `ties=observed:<digest>`. Raises UsageError for `ties=random`, for an order that is not given,
    and for a gain table that lacks a grade; InputError where a duplicate is refused by a
    specification; NoClosedForm where the judged rows cannot answer.
    """
    values, counted, means = Evaluation(collection, orders or {}).scores(specs)
    return Scores(specs=list(specs), queries=collection.queries, values=values, counted=counted, means=means)


class Evaluation(RatioParts):
    """The values of many specifications on one collection."""

    def __init__(self, collection: Collection, orders: Mapping[str, ObservedOrder]) -> None:
        super().__init__(collection, orders)
        self.both = collection.in_qrels & collection.in_run
        self._all_in_both = bool(self.both.all())

    def scores(self, specs: Sequence[MetricSpec]) -> tuple[Floats, Bools, Floats]:
        """As `score`, of all: (specs, queries) values and whether each counts, and (specs,) means.

        Those of one standing are taken together, and it is let go: memory is used again.
        """
        self._hold(specs)
        values = np.empty((len(specs), self.n_queries))
        counted = np.empty(values.shape, dtype=np.bool_)
        means = np.empty(len(specs))
        together: dict[Hashable, list[int]] = {}
        for number, spec in enumerate(specs):
            together.setdefault(self.place(allowed(self.collection, spec)), []).append(number)
        for numbers in together.values():
            for number in numbers:
                values[number], counted[number], means[number] = self.score(specs[number])
            self._forget_standing()
        self._hold(())
        return values, counted, means

    def score(self, spec: MetricSpec) -> tuple[Floats, Bools, float]:
        """(queries,) values, (queries,) whether each counts, and the mean of one specification."""
        values, counted = self.per_query(spec)
        if spec["averaging"] == "pooled" and spec.measure not in ("dcg", "rr"):
            return values, counted, self._pooled(spec, counted)
        return values, counted, sequential_mean(values if counted.all() else values[counted])

    def per_query(self, spec: MetricSpec) -> tuple[Floats, Bools]:
        """(queries,) values, NaN where a query does not count or is undefined; (queries,) whether it counts."""
        standing, parts = self.parts(spec)
        values = combine(standing, self._ratios(spec, parts), spec["ties"], self._taking_part(spec, parts))
        population, elsewhere = self._population(spec["queries"])
        if not self._all_in_both:
            values = np.where(self.both, values, elsewhere)
        counted = population.copy()
        if "zero_ideal" in spec.axes and spec["zero_ideal"] != "zero":
            self._without_ideal(spec, values, counted)
        if spec["row_rounding"] != "none":
            values[counted] = rounded_as_printed(values[counted], int(spec["row_rounding"]))
        return values, counted

    def _population(self, queries: str) -> tuple[Bools, Floats]:
        """(queries,) whether each counts, and what it has if it is not in both files: 0, or NaN if it does not."""

        def make() -> tuple[Bools, Floats]:
            match queries:
                case "intersection":
                    counted = self.both
                case "judged":
                    counted = self.collection.in_qrels
                case _:
                    counted = self.collection.in_run
            return counted, np.where(counted, 0.0, np.nan)

        return self._once(("population", queries), make)

    def _ratios(self, spec: MetricSpec, parts: Parts) -> Floats:
        """(instances,) the measure; an order of a tie that leaves no positive ideal has what `zero_ideal` gives."""
        values = {"zero": 0.0, "one": 1.0, "skip": 0.0, "nan": float("nan")}
        return parts.ratio(values[spec["zero_ideal"]] if spec.measure == "ndcg" else 0.0)

    def _taking_part(self, spec: MetricSpec, parts: Parts) -> Bools | None:
        """(instances,) the orders that count: where `zero_ideal` skips, those with a positive ideal. None: all."""
        skips = spec.measure == "ndcg" and spec["zero_ideal"] == "skip"
        return parts.denominator > 0 if skips else None

    def _without_ideal(self, spec: MetricSpec, values: Floats, counted: Bools) -> None:
        """Gives queries without a positive ideal what `zero_ideal` says; changes its arguments."""
        standing, parts = self.parts(spec)
        lacking = np.zeros(self.n_queries, dtype=np.bool_)
        if spec.measure == "ndcg":
            # A query has none only if no order of its ties gives it one.
            positive = np.zeros(self.n_queries, dtype=np.bool_)
            positive[standing.query[(parts.denominator > 0) & (standing.weight > 0)]] = True
            lacking[self.both] = ~positive[self.both]
        else:
            lacking[self.both] = self.relevant_totals(spec)[self.both] <= 0
        absent = self.collection.in_qrels & ~self.collection.in_run
        if absent.any():
            ideal = self.judgment_denominator(spec) if spec.measure == "ndcg" else self.relevant_totals(spec)
            lacking[absent] = ideal[absent] <= 0
        lacking &= counted
        match spec["zero_ideal"]:
            case "one":
                values[lacking] = 1.0
            case "skip":
                values[lacking] = np.nan
                counted[lacking] = False
            case _:
                values[lacking] = np.nan

    def _pooled(self, spec: MetricSpec, counted: Bools) -> float:
        """Sum of the numerators over the sum of the denominators of the counted queries."""
        standing, parts = self.parts(spec)
        ratios, among = self._ratios(spec, parts), self._taking_part(spec, parts)
        pooled = pooled_parts(standing, parts, ratios, spec["ties"], among)
        numerator, denominator = pooled.numerator, pooled.denominator
        usable = denominator > 0
        if spec.measure == "ndcg":
            usable &= ~np.isnan(combine(standing, ratios, spec["ties"], among))
        scored = counted & self.both & usable
        top, bottom = np.cumsum(numerator[scored]), np.cumsum(denominator[scored])
        above = float(top[-1]) if len(top) else 0.0
        below = float(bottom[-1]) if len(bottom) else 0.0
        missing = counted & self.collection.in_qrels & ~self.collection.in_run
        if missing.any():
            below += float(np.maximum(self.judgment_denominator(spec)[missing], 0.0).sum())
        unjudged = counted & ~self.collection.in_qrels
        if unjudged.any() and spec.measure in ("precision", "judged"):
            below += float(denominator[unjudged].sum())
        return above / below if below > 0 else float("nan")
