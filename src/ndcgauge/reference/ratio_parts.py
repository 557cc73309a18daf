"""What a specification's ratio is made of: judgments, gains, standings, weighted sums and ideals.

Each is made once and kept under the axis values that decide it (DESIGN §4).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ndcgauge.data.collection import Collection, Floats, Ints, RankingKey, RunRows
from ndcgauge.errors import UsageError
from ndcgauge.reference.deciding import gain_key, parts_key, standing_key
from ndcgauge.reference.first import First, first_rows
from ndcgauge.reference.grades import Judgments, judgments_of, line_relevance, pair_sums
from ndcgauge.reference.grades import line_gains as gains_of_lines
from ndcgauge.reference.ideals import (
    NO_LIMIT,
    SortedGains,
    ideal_limit,
    ideal_of_gains,
    ideal_of_perfect,
    retrieved_gains,
    sorted_gains,
    top_gains,
)
from ndcgauge.reference.measures import Parts, binary_parts, discounted
from ndcgauge.reference.numerators import Numerators
from ndcgauge.reference.sharing import SharedWork
from ndcgauge.reference.standing import SYMMETRIC, Choice, Groups, Standing, stand, standing_of
from ndcgauge.reference.sums import sums
from ndcgauge.spec import MetricSpec

if TYPE_CHECKING:
    from ndcgauge.reference.observed import ObservedOrder


class RatioParts(SharedWork):
    """Numerators and denominators of specifications on one collection, their work shared."""

    def __init__(self, collection: Collection, orders: Mapping[str, ObservedOrder]) -> None:
        super().__init__()
        self.collection = collection
        self.orders = orders
        self.n_queries = len(collection.queries)

    def judgments(self, spec: MetricSpec) -> Judgments:
        """The judgments that count under the specification."""
        key = ("judgments", spec["qrels_duplicates"], spec["grades"], spec["negative"])
        return self._once(key, lambda: judgments_of(self.collection.judged, allowed(self.collection, spec)))

    def _gain_key(self, spec: MetricSpec) -> tuple[Hashable, ...]:
        return self._key("gain", spec, gain_key)

    def line_gains(self, spec: MetricSpec) -> tuple[Floats, Floats]:
        """(lines,) twice: the judgments' gains in DCG and ideal."""
        return self._once(self._gain_key(spec), lambda: gains_of_lines(self.judgments(spec), spec))

    def pair_gains(self, spec: MetricSpec, *, ideal: bool) -> Floats:
        """(pairs + 1,) the gain of each judged document in the DCG, or in the ideal."""
        key = ("pairs", ideal, self._gain_key(spec))
        return self._once(key, lambda: pair_sums(self.judgments(spec), self.line_gains(spec)[ideal]))

    def _rows(self, spec: MetricSpec) -> RunRows:
        return self.collection.rows[allowed(self.collection, spec)["run_duplicates"]]

    def _observed(self, spec: MetricSpec) -> ObservedOrder | None:
        ties = spec["ties"]
        if ties == "random":
            raise UsageError(
                "ties=random has no value of its own",
                fix="look at the envelope: ties=worst, ties=average, ties=best",
            )
        if not ties.startswith("observed"):
            return None
        order = self.orders.get(ties.removeprefix("observed:"))
        if order is None:
            raise UsageError(f"ties={ties} needs an order that an evaluator showed")
        return order

    def _standing_key(self, spec: MetricSpec) -> tuple[RankingKey, Choice, Hashable]:
        return self._key("standing", spec, standing_key)

    def standing(self, spec: MetricSpec, only: int | None = None) -> Standing:
        """Where the judged documents stand under the specification's ranking axes.

        only: how many ranks matter, from the first one on. Documents beyond them may then be left out, and what is
        appended to longer lists: such a standing is for numerators alone.
        """
        key, choice, sources = self._standing_key(spec)
        if choice.own == "drop" or choice.add == "insert":
            only = None
        observed = self._observed(spec)
        rows = self._rows(spec)

        def make_groups() -> Groups:
            first = None if only is None or choice.depth is not None else self._first(spec, only)
            return stand(self.collection, rows, key, self.judgments(spec), choice, observed, first)

        def make() -> Standing:
            groups = self._once(("groups", key, choice, sources, only), make_groups)
            if choice.add == "absent" and not groups.cut.any():
                return standing_of(groups)
            # Imported late: few specifications need it.
            from ndcgauge.reference.survivors import finish

            return finish(self.collection, rows, groups, self.judgments(spec), choice, observed, only)

        return self._once(("standing", self.place(spec), only), make)

    def _first(self, spec: MetricSpec, only: int) -> First | None:
        key, choice, sources = self._standing_key(spec)
        drop, rows, judgments = choice.drop_unjudged, self._rows(spec), self.judgments(spec)
        return self._once(
            ("first", key, drop, sources, only),
            lambda: first_rows(rows, key, judgments, only, self.n_queries, drop_unjudged=drop),
        )

    def place(self, spec: MetricSpec) -> Hashable:
        """What decides a standing. Best, worst and average share one: only the sums differ."""
        key, choice, sources = self._standing_key(spec)
        return key, choice._replace(ties="average") if choice.ties in SYMMETRIC else choice, sources

    def parts(self, spec: MetricSpec) -> tuple[Standing, Parts]:
        """Where the documents stand, and (instances,) numerators and denominators of the measure's ratio."""
        return self._once(self._key("parts", spec, parts_key), lambda: self._make_parts(spec))

    def _make_parts(self, spec: MetricSpec) -> tuple[Standing, Parts]:
        standing = self.standing(spec)
        if spec.measure in ("ndcg", "dcg"):
            return standing, Parts(self.numerator(spec, standing), self.denominator(spec, standing))
        if spec.measure == "ap" and spec["ap_denominator"] == "retrieved" and spec["ties"] in SYMMETRIC:
            last = int(standing.n_final.max(initial=0)) if spec.cutoff is None else spec.cutoff
            from ndcgauge.reference.survivors import split_at_cutoff

            standing = split_at_cutoff(standing, self.judgments(spec), last)
        relevance = self._relevance(spec)[standing.pair]
        total = self.relevant_totals(spec)[standing.query]
        return standing, binary_parts(standing, relevance, total, spec)

    def numerator(self, spec: MetricSpec, standing: Standing) -> Floats:
        """(instances,) discounted cumulated gain of `ndcg` or `dcg` on a standing of the specification."""
        place = self.place(spec)
        numerators = self._once(("numerators", place, spec["cutoff"]), lambda: Numerators(standing, spec.cutoff))
        gains = self._gain_key(spec)
        key = ("dcg", place, spec["cutoff"], gains, spec["ties"], spec["discount"])
        of_pairs = self.pair_gains(spec, ideal=False)
        matters = self._once(("matters", gains), lambda: of_pairs != 0)
        return self._once(key, lambda: numerators.dcg(gains, of_pairs, spec["ties"], spec["discount"], matters))

    def _relevance(self, spec: MetricSpec) -> Floats:
        """(pairs + 1,) relevant lines of each pair; for `judged`, lines at all."""

        def make() -> Floats:
            judgments = self.judgments(spec)
            if spec.measure == "judged":
                return pair_sums(judgments, np.ones(len(judgments.pair)))
            return pair_sums(judgments, line_relevance(judgments, spec["threshold"]))

        key = (
            "relevance",
            spec.measure == "judged",
            spec["qrels_duplicates"],
            spec["grades"],
            spec["negative"],
            spec["threshold"],
        )
        return self._once(key, make)

    def relevant_totals(self, spec: MetricSpec) -> Floats:
        """(queries,) relevant judgments of each query."""
        pairs = self._relevance(spec)[:-1]
        return sums(self.collection.judged.query, pairs, self.n_queries)

    def denominator(self, spec: MetricSpec, standing: Standing) -> Floats:
        """(instances,) ideal DCG of `ndcg` (ones for `dcg`) on a standing of the specification."""
        if spec.measure == "dcg":
            return np.ones(len(standing.query))
        depends_on_run = spec["ideal"] == "retrieved" or spec["ideal_cutoff"] == "retrieved"
        key = (
            "ideal",
            self._gain_key(spec),
            spec["ideal"],
            spec["ideal_cutoff"],
            spec["discount"],
            spec["cutoff"],
            self._standing_key(spec) if depends_on_run else None,
        )
        if depends_on_run:
            return self._once(key, lambda: self._make_ideal(spec, standing))
        left = standing.n_left[: self.n_queries]
        of_queries = self._once(key, lambda: self._judged_ideal(spec, ideal_limit(spec, left)))
        return of_queries[standing.query] if standing.extra else of_queries

    def _judged_ideal(self, spec: MetricSpec, limit: Ints) -> Floats:
        """(queries,) ideal DCG from the judgments alone."""
        judgments, of_lines = self.judgments(spec), self.line_gains(spec)[1]
        if spec["ideal"] == "perfect":
            top, count = self._once(
                ("top", self._gain_key(spec)), lambda: top_gains(judgments, of_lines, self.n_queries)
            )
            return ideal_of_perfect(top, count, limit, spec.cutoff, spec["discount"])
        key = ("ranked", self._gain_key(spec))
        ranked = self._once(key, lambda: sorted_gains(judgments.query, of_lines))
        return self._ideal(key, ranked, limit, spec["discount"])

    def _ideal(self, key: tuple[Hashable, ...], ranked: SortedGains, limit: Ints, discount: str) -> Floats:
        """(instances,) ideal DCG of gains that are kept under a key."""
        last = int(limit.max(initial=0))
        # The entries within the limits are shared by every discount.
        top = self._once((*key, last), lambda: ranked.down_to(last))
        if not bool((limit == last).all()):
            return ideal_of_gains(top, limit, discount)
        return discounted(top.instance, top.rank, top.gain, discount, len(limit))

    def _make_ideal(self, spec: MetricSpec, standing: Standing) -> Floats:
        limit = ideal_limit(spec, standing.n_left)
        if spec["ideal"] == "retrieved":
            return self._retrieved_ideal(spec, standing, limit)
        base = self._judged_ideal(spec, limit[: self.n_queries])
        if not standing.extra:
            return base
        # A limit that differs between a query's instances: one pass for each distinct one.
        result = np.empty(len(standing.query))
        result[: self.n_queries] = base
        for number in range(self.n_queries, len(standing.query)):
            query = standing.query[number]
            if limit[number] == limit[query]:
                result[number] = base[query]
            else:
                trial = limit[: self.n_queries].copy()
                trial[query] = limit[number]
                result[number] = self._once(
                    (
                        "ideal of",
                        self._gain_key(spec),
                        spec["ideal"],
                        spec["discount"],
                        spec["cutoff"],
                        int(query),
                        int(limit[number]),
                    ),
                    lambda trial=trial, query=query: float(self._judged_ideal(spec, trial)[query]),
                )
        return result

    def _retrieved_ideal(self, spec: MetricSpec, standing: Standing, limit: Ints) -> Floats:
        key, choice, sources = self._standing_key(spec)
        if choice.depth is None and choice.add != "insert":
            # Without a cut, which documents are left does not depend on their order.
            choice, key = choice._replace(ties="", add=""), key.min_score
        shared = ("retrieved", key, choice, sources, self._gain_key(spec))
        ranked = self._once(shared, lambda: retrieved_gains(standing, self.pair_gains(spec, ideal=True)))
        return self._ideal(shared, ranked, limit, spec["discount"])

    def judgment_denominator(self, spec: MetricSpec) -> Floats:
        """(queries,) the denominator that the judgments alone give: for queries that the run lacks."""
        if spec.measure == "ndcg":
            alone = spec.with_axes({"ideal": "judged" if spec["ideal"] == "retrieved" else spec["ideal"]})
            cut = spec["ideal_cutoff"] != "none" and spec.cutoff is not None
            limit = np.full(self.n_queries, spec.cutoff if cut else NO_LIMIT)
            return self._judged_ideal(alone, limit)
        totals = self.relevant_totals(spec)
        match spec.measure, spec.axes.get(f"{spec.measure}_denominator"):
            case "ap" | "recall", "min-k" if spec.cutoff is not None:
                return np.minimum(totals, spec.cutoff)
            case "recall", "any":
                return np.minimum(totals, 1.0)
            case (("precision" | "judged"), "k") if spec.cutoff is not None:
                return np.full(self.n_queries, float(spec.cutoff))
            case (("ap" | "precision" | "judged"), "retrieved" | "k"):
                # Nothing was retrieved, so nothing is divided by.
                return np.zeros(self.n_queries)
            case _:
                return totals


def allowed(collection: Collection, spec: MetricSpec) -> MetricSpec:
    """The specification itself; UsageError where it refuses a duplicate that the collection has."""
    for axis, known in (("run_duplicates", collection.rows), ("qrels_duplicates", collection.judged.grades)):
        if spec[axis] not in known:
            raise UsageError(
                f"{axis}={spec[axis]}: the {axis.split('_')[0]} repeats a document of a query",
                fix="--on-duplicate first, last or all",
            )
    return spec
