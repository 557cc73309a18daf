"""Gains and ideals of a lattice: what the judgments alone decide, each once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ndcgauge.data.collection import Collection, Floats, Ints
from ndcgauge.errors import UsageError
from ndcgauge.reference import Evaluation
from ndcgauge.reference.ideals import NO_LIMIT, SortedGains, ideal_of_gains, ideal_of_perfect, sorted_gains, top_gains
from ndcgauge.spec import MetricSpec


@dataclass(frozen=True)
class Gains:
    """The gains of the judgments under one choice of the axes that decide them."""

    of_pairs: Floats
    """(pairs + 1,) in the DCG."""
    in_ideal: Floats
    """(pairs + 1,)"""
    ranked: SortedGains
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
        self._ideals: dict[tuple[int, str, bool, str], Floats] = {}

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
        return Gains(
            of_pairs=self.evaluation.pair_gains(spec, ideal=False),
            in_ideal=self.evaluation.pair_gains(spec, ideal=True),
            ranked=sorted_gains(judgments.query, in_ideal),
            top=top,
            judged=count,
        )

    def ideal(self, code: int, gains: Gains, ideal: str, cutoff: int | None, uncut: bool, discount: str) -> Floats:
        """(queries,) ideal DCG over the judged documents, or over as many of the top grade, cut at the cutoff or not."""
        key = (code, ideal, uncut, discount)
        if key not in self._ideals:
            limit = np.full(self.size, NO_LIMIT if cutoff is None or uncut else cutoff)
            self._ideals[key] = self.ideal_at(gains, ideal, limit, cutoff, discount)
        return self._ideals[key]

    def ideal_at(self, gains: Gains, ideal: str, limit: Ints, cutoff: int | None, discount: str) -> Floats:
        """The same, cut at each query's own limit; `cutoff` is the measure's."""
        if ideal == "perfect":
            return ideal_of_perfect(gains.top, gains.judged, limit, cutoff, discount)
        return ideal_of_gains(gains.ranked, limit, discount)
