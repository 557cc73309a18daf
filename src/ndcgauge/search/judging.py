"""Gains and ideals of a lattice: what the judgments alone decide, each once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ndcgauge.data.collection import Bools, Collection, Floats, Ints
from ndcgauge.errors import UsageError
from ndcgauge.reference import Evaluation
from ndcgauge.reference.ideals import NO_LIMIT, SortedGains, ideal_of_gains, ideal_of_perfect, sorted_gains, top_gains
from ndcgauge.spec import MetricSpec


@dataclass(frozen=True)
class Gains:
    """The gains of the judgments under one choice of the axes that decide them."""

    of_pairs: Floats
    """(pairs + 1,) in the DCG."""
    matters: Bools
    """(pairs + 1,) where that is not 0; one array for all gains that are so at the same documents."""
    in_ideal: Floats
    """(pairs + 1,)"""
    ranked: Ranked
    top: Floats
    """(queries,) the gain of each query's highest grade."""
    judged: Ints
    """(queries,) its number of judgments."""


class Judging:
    """Gains and ideals by code; a code here has every axis at its first value that does not enter."""

    def __init__(self, collection: Collection, spec_of: Callable[[int], MetricSpec]) -> None:
        self.size = len(collection.queries)
        self.evaluation = Evaluation(collection, {})
        """Keeps the judgments; callers let go of its rankings."""
        self._spec_of = spec_of
        self._gains: dict[int, Gains | None] = {}
        self._ideals: dict[tuple[int, str, int, str], Floats] = {}
        self._patterns: list[Bools] = []
        self._limits: dict[bytes, int] = {}
        """The limits met, numbered."""

    def gains(self, code: int) -> Gains | None:
        """The gains of a code; None where it refuses the grades (a gain table that lacks one)."""
        if code not in self._gains:
            self._gains[code] = self._made(self._spec_of(code))
        return self._gains[code]

    def _made(self, spec: MetricSpec) -> Gains | None:
        try:
            in_dcg, in_ideal = self.evaluation.line_gains(spec)
        except UsageError:
            return None
        judgments = self.evaluation.judgments(spec)
        top, count = top_gains(judgments, in_ideal, self.size)
        del in_dcg
        of_pairs = self.evaluation.pair_gains(spec, ideal=False)
        return Gains(
            of_pairs=of_pairs,
            matters=self._pattern(of_pairs != 0),
            in_ideal=self.evaluation.pair_gains(spec, ideal=True),
            ranked=Ranked(sorted_gains(judgments.query, in_ideal), spec.cutoff),
            top=top,
            judged=count,
        )

    def _pattern(self, matters: Bools) -> Bools:
        for known in self._patterns:
            if np.array_equal(known, matters):
                return known
        self._patterns.append(matters)
        return matters

    def ideal(self, code: int, gains: Gains, ideal: str, limit: Ints, cutoff: int | None, discount: str) -> Floats:
        """(queries,) ideal DCG over the judged documents, or as many of the top grade.

        limit: (queries,) the last rank that counts; `cutoff` is the measure's.
        """
        cut = self._limits.setdefault(limit.tobytes(), len(self._limits))
        key = (code, ideal, cut, discount)
        if key not in self._ideals:
            if ideal == "perfect":
                self._ideals[key] = ideal_of_perfect(gains.top, gains.judged, limit, cutoff, discount)
            else:
                self._ideals[key] = gains.ranked.ideal(limit, discount)
        return self._ideals[key]


class Ranked:
    """Gains as ideal rankings, from which ideals are summed under many limits and discounts."""

    def __init__(self, gains: SortedGains, cutoff: int | None) -> None:
        self._whole = gains
        self._first = gains if cutoff is None else gains.down_to(cutoff)
        self._cutoff = NO_LIMIT if cutoff is None else cutoff

    def ideal(self, limit: Ints, discount: str) -> Floats:
        """(queries,) ideal DCG; limit: (queries,) the last rank that counts."""
        shallow = int(limit.max(initial=0)) <= self._cutoff
        return ideal_of_gains(self._first if shallow else self._whole, limit, discount)
