"""What every specification of a lattice makes of the queries of both files: numerators over denominators.

Many specifications share a numerator (a ranking, gains, a discount) or a denominator (an ideal);
each is made once, equal ones are one, and only quotients are left per pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ndcgauge.data.collection import Bools, Collection, Floats, Ints
from ndcgauge.errors import UsageError
from ndcgauge.reference import Evaluation, NoClosedForm
from ndcgauge.reference.measures import weighted_sum
from ndcgauge.reference.standing import SYMMETRIC, Standing
from ndcgauge.search.points import Space
from ndcgauge.search.vectors import Vectors
from ndcgauge.spec import MetricSpec

RANKING = (
    "order",
    "score_precision",
    "ties",
    "unjudged",
    "depth",
    "unretrieved",
    "min_score",
    "self",
    "run_duplicates",
)
GAINS = ("gain", "min_grade", "threshold")
WITHIN_TIES = ("order", "score_precision", "ties", "unretrieved")
"""Axes that decide an order, and what comes after it, but not which documents are left where nothing is cut."""
MOST_APPENDED = 3_000_000
"""Appended documents of all compositions together, beyond which a specification is not searched."""
NONE, SEVERAL = -1, -2
"""Instead of an index: no value; a query stands in several ways, so that no one quotient is its value."""


@dataclass
class Quotients:
    """For each parts code: the pair of vectors whose quotient its per-query values are."""

    numerators: Vectors
    denominators: Vectors
    above: Ints
    """(codes,) index of the numerator; NONE without a value, SEVERAL where a query has several instances."""
    below: Ints
    """(codes,) index of the denominator."""
    lacking: Vectors
    """Flags (as floats) of the queries of both files without a positive ideal or a relevant document."""
    lack: Ints
    """(codes,) index into `lacking`."""
    unknown: Bools
    """(codes,) whether there is a value that the judged rows cannot give."""
    beyond: dict[int, float] = field(default_factory=dict[int, float])
    """Code index to the denominators of the run's unjudged queries, for pooled precision and judged."""


class Digits:
    """Codes taken apart, and put together with some axes at their first value."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._weights = dict(zip(space.axes, space.weights, strict=True))

    def of(self, codes: Ints, axis: str) -> Ints:
        """(points,) the index of the value of an axis."""
        return self.space.digits(codes, axis)

    def has(self, codes: Ints, axis: str, *values: str) -> Bools:
        """(points,) whether the axis has one of the values; an axis that does not act has its first one."""
        if axis not in self.space.axes:
            return np.zeros(len(codes), dtype=np.bool_)
        listed = self.space.values[self.space.axes.index(axis)]
        wanted = [place for place, value in enumerate(listed) if value in values]
        return np.isin(self.of(codes, axis), wanted)

    def without(self, codes: Ints, *axes: str, where: Bools | None = None) -> Ints:
        """(points,) the codes with the axes at their first value (where a condition holds)."""
        result = codes.copy()
        for axis in axes:
            if axis in self._weights:
                step = self.of(codes, axis) * self._weights[axis]
                result -= step if where is None else np.where(where, step, 0)
        return result


SpecOf = Callable[[int], MetricSpec]


class QuotientMaker:
    """Makes the quotients of a collection's lattice."""

    def __init__(self, collection: Collection, spec_of: SpecOf, digits: Digits, base: MetricSpec) -> None:
        self.collection, self.spec_of, self.digits, self.base = collection, spec_of, digits, base
        self.both = collection.in_qrels & collection.in_run
        self.unjudged = collection.in_run & ~collection.in_qrels
        self.judged = Evaluation(collection, {})
        """Keeps what depends on the judgments alone."""
        self._recent: dict[int, Standing] = {}
        """The last standing that was made."""

    def make(self, codes: Ints) -> Quotients:
        """The quotients of distinct parts codes (aggregation axes at their first values)."""
        size = len(codes)
        made = Quotients(
            Vectors(),
            Vectors(),
            np.full(size, NONE, dtype=np.int64),
            np.full(size, NONE, dtype=np.int64),
            Vectors(),
            np.zeros(size, dtype=np.int64),
            np.zeros(size, dtype=np.bool_),
        )
        if self.base.measure in ("ndcg", "dcg"):
            self._graded(codes, made)
        else:
            self._binary(codes, made)
        return made

    def _graded(self, codes: Ints, made: Quotients) -> None:
        digits = self.digits
        left = self._left_only(codes)
        symmetric = digits.has(codes, "ties", *SYMMETRIC)
        composed = digits.has(codes, "ideal", "retrieved") & digits.has(codes, "depth", "cutoff") & symmetric
        above = digits.without(codes, "ideal", "ideal_cutoff", where=~composed)
        above = digits.without(above, "ideal_cutoff")
        changes_set = digits.has(codes, "unjudged", "drop") | digits.has(codes, "negative", "drop")
        changes_set |= digits.has(codes, "unretrieved", "append") | composed
        # The first k documents are the same whether or not the list was cut at k before.
        above = digits.without(above, "depth", where=~changes_set)
        of_run = digits.has(codes, "ideal", "retrieved") | digits.has(codes, "ideal_cutoff", "retrieved")
        below = digits.without(codes, *RANKING, where=~of_run)
        below = np.where(of_run, left, below)
        standing_codes = digits.without(above, *GAINS, "discount")
        numerators = self._numerators(above, standing_codes, made)
        denominators = self._denominators(below, of_run, made)
        made.above[:], made.below[:] = numerators, denominators
        made.below[made.above == SEVERAL] = 0
        made.above[(made.below < 0) & (made.above >= 0)] = np.where(
            made.below[(made.below < 0) & (made.above >= 0)] == SEVERAL, SEVERAL, NONE
        )
        if self.base.measure == "ndcg":
            flags = [made.lacking.add((row <= 0).astype(np.float64)) for row in made.denominators.rows]
            index = np.array(flags or [0], dtype=np.int64)
            made.lack[:] = index[np.maximum(made.below, 0)]
        else:
            made.lack[:] = made.lacking.add(np.zeros(int(self.both.sum())))

    def _left_only(self, codes: Ints) -> Ints:
        """Codes in which an order that decides no document's fate is the first one."""
        return self.digits.without(codes, *WITHIN_TIES, where=~self.digits.has(codes, "depth", "cutoff"))

    def _groups(self, codes: Ints, by: Ints) -> Iterator[tuple[int, list[tuple[int, Ints]]]]:
        """(standing code, [(code, where it stands)]) for distinct codes, those of one standing together."""
        distinct, where = np.unique(codes, return_inverse=True)
        first = np.zeros(len(distinct), dtype=np.int64)
        first[where] = np.arange(len(codes))
        members: list[list[int]] = [[] for _ in distinct]
        for place, each in enumerate(where.tolist()):
            members[each].append(place)
        standing = by[first]
        order = np.argsort(standing, kind="stable")
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and standing[order[end]] == standing[order[start]]:
                end += 1
            yield (
                int(standing[order[start]]),
                [(int(distinct[each]), np.array(members[each])) for each in order[start:end].tolist()],
            )
            start = end

    def _numerators(self, codes: Ints, standing_codes: Ints, made: Quotients) -> Ints:
        result = np.full(len(codes), NONE, dtype=np.int64)
        for code, group in self._groups(codes, standing_codes):
            try:
                standing = self._standing(code)
            except NoClosedForm:
                for _, places in group:
                    made.unknown[places] = True
                continue
            except UsageError:
                continue
            cutoff = self.base.cutoff
            reached = standing if cutoff is None or standing.extra else standing.only(standing.start <= cutoff)
            for each, places in group:
                result[places] = self._numerator(each, reached, made)
        return result

    def _standing(self, code: int) -> Standing:
        """Where documents stand; without what is appended where that cannot reach the first k of any query.

        Raises NoClosedForm also where the appended documents of a cut tie's survivors are too many to list.
        """
        spec = self.spec_of(code)
        if spec["unretrieved"] != "append" or spec.cutoff is None:
            return self._made(spec, code)
        alone = int(self.digits.without(np.array([code]), "unretrieved")[0])
        plain = self.spec_of(alone)
        if plain["unretrieved"] != "absent":
            return self._made(spec, code)
        before = self._made(plain, alone)
        if not before.extra and bool((before.n_left[self.both] >= spec.cutoff).all()):
            return before
        if before.extra * max(1, len(self.collection.judged.query)) > MOST_APPENDED * max(1, int(self.both.sum())):
            raise NoClosedForm("the documents appended after every composition of a cut tie are too many to list")
        return self._made(spec, code)

    def _made(self, spec: MetricSpec, code: int) -> Standing:
        if code not in self._recent:
            self.judged.forget_rankings()
            self._recent = {code: self.judged.standing(spec)}
        return self._recent[code]

    def _numerator(self, code: int, standing: Standing, made: Quotients) -> int:
        if standing.extra:
            return SEVERAL
        spec = self.spec_of(code)
        try:
            gains = self.judged.pair_gains(spec, ideal=False)
        except UsageError:
            return NONE
        row = weighted_sum(standing, gains[standing.pair], spec["ties"], spec["discount"], spec.cutoff)
        return made.numerators.add(row[self.both])

    def _denominators(self, codes: Ints, of_run: Bools, made: Quotients) -> Ints:
        result = np.full(len(codes), NONE, dtype=np.int64)
        standing_codes = self.digits.without(codes, *GAINS, "discount", "ideal_cutoff", "ideal")
        standing_codes = np.where(of_run, standing_codes, 0)
        for _, group in self._groups(codes, standing_codes):
            standing: Standing | None = None
            self.judged.forget_rankings()
            for code, places in group:
                spec = self.spec_of(code)
                try:
                    if standing is None or of_run[places[0]]:
                        standing = self.judged.standing(spec)
                    if standing.extra:
                        result[places] = SEVERAL
                        continue
                    row = self.judged.denominator(spec, standing)
                except NoClosedForm:
                    made.unknown[places] = True
                    continue
                except UsageError:
                    continue
                result[places] = made.denominators.add(row[: len(self.both)][self.both])
        return result

    def _binary(self, codes: Ints, made: Quotients) -> None:
        standing_codes = self.digits.without(
            codes, "threshold", "ap_denominator", "recall_denominator", "precision_denominator", "judged_denominator"
        )
        has_lack = "zero_ideal" in self.base.axes
        for _, group in self._groups(codes, standing_codes):
            self.judged.forget_rankings()
            for code, places in group:
                spec = self.spec_of(code)
                try:
                    standing, parts = self.judged.parts(spec)
                except NoClosedForm:
                    made.unknown[places] = True
                    continue
                except UsageError:
                    continue
                lack = self.judged.relevant_totals(spec)[self.both] <= 0 if has_lack else np.zeros(self.both.sum())
                made.lack[places] = made.lacking.add(np.asarray(lack, dtype=np.float64))
                if standing.extra:
                    made.above[places] = SEVERAL
                    continue
                made.above[places] = made.numerators.add(parts.numerator[self.both])
                made.below[places] = made.denominators.add(parts.denominator[self.both])
                if self.unjudged.any() and self.base.measure in ("precision", "judged"):
                    beyond = float(parts.denominator[self.unjudged].sum())
                    made.beyond.update(dict.fromkeys(places.tolist(), beyond))
