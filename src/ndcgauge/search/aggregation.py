"""Means of a lattice's specifications from shared quotients: the axes that act after the queries' values."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ndcgauge.data.collection import Bools, Collection, Floats, Ints
from ndcgauge.data.ids import mix
from ndcgauge.errors import UsageError
from ndcgauge.reference import Evaluation, NoClosedForm
from ndcgauge.reference.ideals import last_ranks
from ndcgauge.reference.rounding import rounded_as_printed
from ndcgauge.search.digits import Digits
from ndcgauge.search.judging import Judging
from ndcgauge.search.quotients import GAINS, JUDGING, RANKING, SEVERAL, Quotients
from ndcgauge.spec import MetricSpec

SHARE_A_STANDING = (
    *("ties", "gain", "min_grade", "threshold", "discount", "ideal_cutoff"),
    *("ap_denominator", "recall_denominator", "precision_denominator", "judged_denominator"),
    *("queries", "averaging", "row_rounding", "zero_ideal"),
)
"""Axes that leave a standing as it is, once its ties are averaged or in an extreme order."""
CHUNK = 1 << 20
"""Quotients that are computed at once."""
_SEED = 20261130
"""Of the fixed weights of fingerprints: they have to be the same in every call, and nothing else."""


class Aggregator:
    """Means, and fingerprints of the queries' values, of many specifications."""

    def __init__(
        self,
        collection: Collection,
        quotients: Quotients,
        judging: Judging,
        digits: Digits,
        base: MetricSpec,
        spec_of: Callable[[int], MetricSpec],
    ) -> None:
        self.collection, self.quotients, self.judging = collection, quotients, judging
        self.digits, self.base, self.spec_of = digits, base, spec_of
        self.both = collection.in_qrels & collection.in_run
        self.absent = collection.in_qrels & ~collection.in_run
        self.unjudged = collection.in_run & ~collection.in_qrels
        size = len(collection.queries)
        # Scrambled counting, 0.5 to 1.5: numpy.random would cost more to import than a lattice takes.
        counted = np.arange(4 * size, dtype=np.uint64) + np.uint64(_SEED)
        self.weights = (mix(mix(counted)) / 2.0**64 + 0.5).reshape(4, size) / max(1, size)
        """(4, queries) what a value, a left-out query, an undefined one and a 0 of a counted one add."""
        self.plain_mean = base.measure in ("dcg", "rr")
        """Whether a pooled mean is the plain one."""

    def aggregate(self, codes: Ints, parts: Ints, part: Ints) -> tuple[Floats, Floats]:
        """(codes,) the mean and a fingerprint of the queries' values of every specification.

        `parts`: distinct parts codes; `part`: (codes,) index of each code's own. The fingerprint is
        NaN where a specification has no value; the mean is NaN also where it is undefined.
        """
        above = self.quotients.above[part]
        means = np.full(len(codes), np.nan)
        prints = np.full(len(codes), np.nan)
        simple = np.flatnonzero(above >= 0)
        if len(simple):
            self._simple(codes, parts, part, simple, means, prints)
        self._several(codes, np.flatnonzero(above == SEVERAL), means, prints)
        return means, prints

    def _several(self, codes: Ints, places: Ints, means: Floats, prints: Floats) -> None:
        """Queries that stand in several ways: specification by specification, those of one standing together."""
        standing = self.digits.without(codes[places], *SHARE_A_STANDING)
        evaluation = Evaluation(self.collection, {})
        last = -1
        for place, group in sorted(zip(places.tolist(), standing.tolist(), strict=True), key=lambda each: each[::-1]):
            if group != last:
                evaluation.forget_rankings()
                last = group
            try:
                values, counted, mean = evaluation.score(self.spec_of(int(codes[place])))
            except (NoClosedForm, UsageError):
                continue
            means[place], prints[place] = mean, self._fingerprint(values, counted)

    def _fingerprint(self, values: Floats, counted: Bools) -> float:
        """The same as `_simple` makes, from values themselves."""
        undefined = counted & np.isnan(values)
        plain = np.where(counted & ~undefined, values, 0.0)
        return float(
            (plain * self.weights[0]).sum()
            + self.weights[1][self.both & ~counted].sum()
            + self.weights[2][undefined].sum()
            + self.weights[3][counted & ~self.both].sum()
        )

    def _simple(self, codes: Ints, parts: Ints, part: Ints, simple: Ints, means: Floats, prints: Floats) -> None:
        which = part[simple]
        here = codes[simple]
        quotients = self.quotients
        pair_keys = quotients.above[which] * (len(quotients.denominators.rows) + 1) + quotients.below[which]
        _, first, pair = np.unique(pair_keys, return_index=True, return_inverse=True)
        above, below = quotients.above[which][first], quotients.below[which][first]
        places = self._row_roundings()
        sums, marks, top, bottom = self._pair_sums(above, below, places)
        row = np.zeros(len(here), dtype=np.int64)
        for number, value in enumerate(places):
            if value is not None:
                row[self.digits.has(here, "row_rounding", str(value))] = number
        total, mark = sums[row, pair], marks[row, pair]
        lacking = quotients.lacking.table()
        lack = quotients.lack[which]
        count = np.full(len(here), int(self.both.sum()), dtype=np.int64)
        lacks, lack_marks = self._zero_ideal(lacking)
        total += lacks[0][lack] * self.digits.has(here, "zero_ideal", "one")
        mark += lack_marks[0][lack] * self.digits.has(here, "zero_ideal", "one")
        skip, undefined = self.digits.has(here, "zero_ideal", "skip"), self.digits.has(here, "zero_ideal", "nan")
        count -= np.where(skip, lacks[0][lack].astype(np.int64), 0)
        mark += lack_marks[1][lack] * skip + lack_marks[2][lack] * undefined
        undefined &= lacks[0][lack] > 0
        pooled_below = bottom[pair] - skip * self._left_out(which, lacking)
        self._missing(here, total, mark, count, undefined, pooled_below)
        run = self.digits.has(here, "queries", "run")
        count += run * int(self.unjudged.sum())
        mark += run * float(self.weights[3][self.unjudged].sum())
        if quotients.beyond:
            beyond = np.zeros(len(parts))
            beyond[list(quotients.beyond)] = list(quotients.beyond.values())
            pooled_below += run * beyond[which]
        with np.errstate(divide="ignore", invalid="ignore"):
            macro = np.where(count > 0, total / count, np.nan)
            pooled = np.where(pooled_below > 0, top[pair] / pooled_below, np.nan)
        macro[undefined] = np.nan
        is_pooled = self.digits.has(here, "averaging", "pooled") & (not self.plain_mean)
        means[simple] = np.where(is_pooled, pooled, macro)
        prints[simple] = mark

    def _row_roundings(self) -> list[int | None]:
        if "row_rounding" not in self.digits.space.axes:
            return [None if self.base["row_rounding"] == "none" else int(self.base["row_rounding"])]
        listed = self.digits.space.values[self.digits.space.axes.index("row_rounding")]
        return [None if each == "none" else int(each) for each in listed]

    def _pair_sums(self, above: Ints, below: Ints, places: list[int | None]) -> tuple[Floats, Floats, Floats, Floats]:
        """(roundings, pairs) sums and fingerprints of the quotients; (pairs,) sums of numerators and denominators."""
        numerators, denominators = self.quotients.numerators.table(), self.quotients.denominators.table()
        weights = self.weights[0][self.both]
        sums = np.empty((len(places), len(above)))
        marks = np.empty_like(sums)
        top, bottom = np.empty(len(above)), np.empty(len(above))
        step = max(1, CHUNK // max(1, numerators.shape[1]))
        for start in range(0, len(above), step):
            piece = slice(start, start + step)
            numerator, denominator = numerators[above[piece]], denominators[below[piece]]
            positive = denominator > 0
            ratio = np.divide(numerator, denominator, out=np.zeros_like(numerator), where=positive)
            for number, value in enumerate(places):
                rows = ratio if value is None else rounded_as_printed(ratio, value)
                sums[number, piece] = rows.sum(axis=1)
                marks[number, piece] = rows @ weights
            top[piece] = np.where(positive, numerator, 0.0).sum(axis=1)
            bottom[piece] = np.where(positive, denominator, 0.0).sum(axis=1)
        return sums, marks, top, bottom

    def _left_out(self, which: Ints, lacking: Floats) -> Floats:
        """(specifications,) denominators of the lacking queries, which a pooled ratio leaves out under skip."""
        below, lack = self.quotients.below[which], self.quotients.lack[which]
        keys, first, where = np.unique(below * len(lacking) + lack, return_index=True, return_inverse=True)
        rows = self.quotients.denominators.rows
        sums = np.empty(len(keys))
        for number, place in enumerate(first.tolist()):
            sums[number] = float((np.maximum(rows[below[place]], 0.0) * lacking[lack[place]]).sum())
        return sums[where]

    def _zero_ideal(self, lacking: Floats) -> tuple[Floats, Floats]:
        """(1, lacks) number of lacking queries; (3, lacks) what each adds to a fingerprint under one, skip and nan."""
        return lacking.sum(axis=1)[None, :], np.stack([lacking @ self.weights[row][self.both] for row in (0, 1, 2)])

    def _missing(
        self, codes: Ints, total: Floats, mark: Floats, count: Ints, undefined: Bools, pooled_below: Floats
    ) -> None:
        """Adds the judged queries that the run lacks, under queries=judged."""
        judged = self.digits.has(codes, "queries", "judged")
        if not self.absent.any() or not judged.any():
            return
        one, skip, nan = (self.digits.has(codes, "zero_ideal", each) for each in ("one", "skip", "nan"))
        by_judgments = self.digits.without(codes, *RANKING, "queries", "averaging", "row_rounding", "zero_ideal")
        distinct, where = np.unique(by_judgments, return_inverse=True)
        lacking = np.zeros((len(distinct), len(self.absent)), dtype=np.bool_)
        denominators, left_out = np.zeros(len(distinct)), np.zeros(len(distinct))
        if self.base.measure != "dcg":
            for number, (own, ideal) in enumerate(self._absent(distinct)):
                denominators[number] = float(np.maximum(own[self.absent], 0.0).sum())
                if "zero_ideal" in self.base.axes:
                    lacking[number] = self.absent & (ideal <= 0)
                    left_out[number] = float(np.maximum(own[lacking[number]], 0.0).sum())
        n_lacking = lacking.sum(axis=1)[where]
        marks = [(lacking @ self.weights[row])[where] for row in range(4)]
        zeros = float(self.weights[3][self.absent].sum())
        total += judged * one * n_lacking
        count += judged * (int(self.absent.sum()) - skip * n_lacking)
        mark += judged * (zeros + one * marks[0] - skip * marks[3] + nan * marks[2])
        undefined |= judged & nan & (n_lacking > 0)
        pooled_below += judged * (denominators[where] - skip * left_out[where])

    def _absent(self, codes: Ints) -> Iterator[tuple[Floats, Floats]]:
        """(queries,) twice, a code: the denominator that the judgments alone give, and what has to be positive."""
        if self.base.measure != "ndcg":
            for code in codes.tolist():
                spec = self.spec_of(code)
                totals = self.judging.evaluation.relevant_totals(spec) if "zero_ideal" in self.base.axes else None
                own = self.judging.evaluation.judgment_denominator(spec)
                yield own, own if totals is None else totals
            return
        judged = self.digits.only(codes, *GAINS, *JUDGING).tolist()
        discounts = self.digits.values(codes, "discount", self.base["discount"])
        ideals = self.digits.values(codes, "ideal", self.base["ideal"])
        cuts = self.digits.values(codes, "ideal_cutoff", self.base["ideal_cutoff"])
        nothing, none_left = np.zeros(len(self.absent)), np.zeros(len(self.absent), dtype=np.int64)
        for code, discount, ideal, cut in zip(judged, discounts, ideals, cuts, strict=True):
            gains = self.judging.gains(code)
            if gains is None:
                yield nothing, nothing
                continue
            kind = "perfect" if ideal == "perfect" else "judged"
            # Nothing was retrieved that could cut such an ideal.
            limit = last_ranks("none" if cut == "none" else "same", self.base.cutoff, none_left)
            row = self.judging.ideal(code, gains, kind, limit, self.base.cutoff, discount)
            yield row, row
