"""Quotients of nDCG and DCG: numerators from rankings, denominators from ideals, each made once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ndcgauge.data.collection import Bools, Collection, Ints
from ndcgauge.errors import UsageError
from ndcgauge.reference import NoClosedForm
from ndcgauge.reference.ideals import last_ranks, retrieved_gains
from ndcgauge.reference.numerators import Numerators
from ndcgauge.reference.standing import SYMMETRIC, Standing
from ndcgauge.search.digits import Digits, members
from ndcgauge.search.judging import Judging, Ranked
from ndcgauge.search.quotients import GAINS, JUDGING, NONE, RANKING, SEVERAL, Quotients
from ndcgauge.spec import MetricSpec

WITHIN_TIES = ("order", "score_precision", "ties", "unretrieved")
"""Axes that decide an order, and what comes after it, but not which documents are left where nothing is cut."""
MOST_APPENDED = 3_000_000
"""Appended documents of all compositions together, beyond which a specification is not searched."""


class GradedQuotients:
    """Makes the quotients of a collection's lattice for `ndcg` or `dcg`."""

    def __init__(
        self,
        collection: Collection,
        judging: Judging,
        spec_of: Callable[[int], MetricSpec],
        digits: Digits,
        base: MetricSpec,
    ) -> None:
        self.collection, self.judging, self.spec_of, self.digits, self.base = collection, judging, spec_of, digits, base
        self.both = collection.in_qrels & collection.in_run
        self.nothing = np.zeros(len(self.both), dtype=np.int64)
        """(queries,) the documents left of a run where no run enters."""
        self._recent: tuple[tuple[int, int | None], Standing] | None = None

    def make(self, codes: Ints) -> Quotients:
        """The quotients of distinct codes, aggregation axes at their first values."""
        digits = self.digits
        made = Quotients.of(len(codes))
        symmetric = digits.has(codes, "ties", *SYMMETRIC)
        cut = digits.has(codes, "depth", "cutoff")
        composed = digits.has(codes, "ideal", "retrieved") & cut & symmetric
        above = digits.without(codes, "ideal", where=~composed)
        above = digits.without(above, "ideal_cutoff")
        changes_set = digits.has(codes, "unjudged", "drop") | digits.has(codes, "negative", "drop")
        changes_set |= digits.has(codes, "unretrieved", "append") | composed
        # The first k documents are the same whether or not the list was cut at k before: a cut one is shorter to sort,
        # but may cut a tie of which every order is wanted.
        above = digits.without(above, "depth", where=~changes_set)
        above = digits.at(above, "depth", "cutoff", ~changes_set & ~symmetric & ~self._inserting(above))
        of_run = digits.has(codes, "ideal", "retrieved") | digits.has(codes, "ideal_cutoff", "retrieved")
        below = digits.without(codes, *RANKING, where=~of_run)
        below = digits.without(below, *WITHIN_TIES, where=of_run & ~cut)
        # What stands behind the list is in no ideal of what was retrieved.
        below = digits.at(below, "unretrieved", "absent", digits.has(below, "unretrieved", "append"))
        made.above[:] = self._numerators(above, made)
        made.below[:] = self._denominators(below, of_run, made)
        made.above[(made.below == NONE) & (made.above >= 0)] = NONE
        made.above[(made.below == SEVERAL) & (made.above >= 0)] = SEVERAL
        if self.base.measure == "ndcg":
            flags = [made.lacking.add((row <= 0).astype(np.float64)) for row in made.denominators.rows]
            made.lack[:] = np.array(flags or [0], dtype=np.int64)[np.maximum(made.below, 0)]
        else:
            made.lack[:] = made.lacking.add(np.zeros(int(self.both.sum())))
        return made

    def _inserting(self, codes: Ints) -> Bools:
        """(codes,) whether missing documents stand at a score: no cut list is known to hold them."""
        otherwise = self.spec_of(int(codes[0]))["unretrieved"] if len(codes) else ""
        values = self.digits.values(codes, "unretrieved", otherwise)
        return np.array([each.startswith("score:") for each in values], dtype=np.bool_)

    def _numerators(self, codes: Ints, made: Quotients) -> Ints:
        digits = self.digits
        result = np.full(len(codes), NONE, dtype=np.int64)
        judged = digits.only(codes, *GAINS, *JUDGING)
        discounts = digits.values(codes, "discount", self.base["discount"])
        ties = digits.values(codes, "ties", self.base["ties"])
        standings = digits.without(codes, *GAINS, "discount")
        # Averaged ties and those in an extreme order stand in one way.
        symmetric = digits.has(codes, "ties", *SYMMETRIC)
        standings = digits.at(standings, "ties", "average", symmetric)
        for code, group in members(codes, standings):
            try:
                standing = self._standing(code)
            except NoClosedForm:
                for _, places in group:
                    made.unknown[places] = True
                continue
            except UsageError:
                continue
            if standing.extra:
                for _, places in group:
                    result[places] = SEVERAL
                continue
            rows = Numerators(standing, self.base.cutoff)
            for _, places in group:
                first = int(places[0])
                gains = self.judging.gains(int(judged[first]))
                if gains is not None:
                    name = int(judged[first])
                    row = rows.dcg(name, gains.of_pairs, ties[first], discounts[first], gains.matters)
                    result[places] = made.numerators.add(row[self.both])
        return result

    def _standing(self, code: int) -> Standing:
        """Where documents stand; without what is appended where that cannot reach the first k of any query.

        Raises NoClosedForm also where the appended documents of a cut tie's survivors are too many to list.
        """
        spec = self.spec_of(code)
        if spec["unretrieved"] != "append" or spec.cutoff is None:
            return self._made(code, spec, spec.cutoff)
        alone = int(self.digits.without(np.array([code]), "unretrieved")[0])
        plain = self.spec_of(alone)
        if plain["unretrieved"] != "absent":
            return self._made(code, spec, spec.cutoff)
        before = self._made(alone, plain, spec.cutoff)
        if not before.extra and bool((before.n_left[self.both] >= spec.cutoff).all()):
            return before
        if before.extra * max(1, len(self.collection.judged.query)) > MOST_APPENDED * max(1, int(self.both.sum())):
            raise NoClosedForm("the documents appended after every composition of a cut tie are too many to list")
        return self._made(code, spec, spec.cutoff)

    def _made(self, code: int, spec: MetricSpec, only: int | None = None) -> Standing:
        """The standing of a code, kept until the next; only: as in `Evaluation.standing`."""
        if self._recent is None or self._recent[0] != (code, only):
            self.judging.evaluation.forget_rankings()
            self._recent = (code, only), self.judging.evaluation.standing(spec, only)
        return self._recent[1]

    def _denominators(self, codes: Ints, of_run: Bools, made: Quotients) -> Ints:
        result = np.full(len(codes), NONE, dtype=np.int64)
        if self.base.measure == "dcg":
            result[:] = made.denominators.add(np.ones(int(self.both.sum())))
            return result
        digits = self.digits
        judged = digits.only(codes, *GAINS, *JUDGING)
        discounts = digits.values(codes, "discount", self.base["discount"])
        ideals = digits.values(codes, "ideal", self.base["ideal"])
        cuts = digits.values(codes, "ideal_cutoff", self.base["ideal_cutoff"])
        standings = np.where(of_run, digits.without(codes, *GAINS, "discount", "ideal_cutoff"), NONE)
        cutoff = self.base.cutoff
        for group_code, group in members(codes, standings):
            standing = None
            if group_code != NONE:
                try:
                    standing = self._made(group_code, self.spec_of(group_code))
                except NoClosedForm:
                    for _, places in group:
                        made.unknown[places] = True
                    continue
                except UsageError:
                    continue
                if standing.extra:
                    for _, places in group:
                        result[places] = SEVERAL
                    continue
            ranked: dict[int, Ranked] = {}
            for _, places in group:
                first = int(places[0])
                code = int(judged[first])
                gains = self.judging.gains(code)
                if gains is None:
                    continue
                ideal, discount = ideals[first], discounts[first]
                limit = last_ranks(cuts[first], cutoff, self.nothing if standing is None else standing.n_left)
                if standing is None or ideal != "retrieved":
                    row = self.judging.ideal(code, gains, ideal, limit, cutoff, discount)
                else:
                    if code not in ranked:
                        ranked[code] = Ranked(retrieved_gains(standing, gains.in_ideal), cutoff)
                    row = ranked[code].ideal(limit, discount)
                result[places] = made.denominators.add(row[self.both])
        return result
