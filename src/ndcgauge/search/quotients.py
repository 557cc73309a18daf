"""What every specification of a lattice makes of the queries of both files: numerators over denominators."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ndcgauge.data.collection import Bools, Ints
from ndcgauge.search.vectors import Vectors

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
"""Axes that decide a ranking; `negative=drop` takes documents out of it as well."""
JUDGING = ("qrels_duplicates", "grades", "negative")
"""Axes that decide which judgments count, and as what."""
GAINS = ("gain", "min_grade", "threshold")
NONE, SEVERAL = -1, -2
"""Instead of an index: no value; a query stands in several ways, so that no one quotient is its value."""


@dataclass
class Quotients:
    """For each code: the pair of vectors whose quotient its per-query values are."""

    above: Ints
    """(codes,) index of the numerator; NONE without a value, SEVERAL where a query has several instances."""
    below: Ints
    """(codes,) index of the denominator."""
    lack: Ints
    """(codes,) index into `lacking`."""
    unknown: Bools
    """(codes,) whether there is a value that the judged rows cannot give."""
    numerators: Vectors = field(default_factory=Vectors)
    """(queries of both files,) each."""
    denominators: Vectors = field(default_factory=Vectors)
    lacking: Vectors = field(default_factory=Vectors)
    """Flags, as floats, of the queries of both files without a positive ideal or a relevant document."""
    beyond: dict[int, float] = field(default_factory=dict[int, float])
    """Index of a code to the denominators of the run's unjudged queries, for pooled precision and judged."""

    @staticmethod
    def of(size: int) -> Quotients:
        """No quotient yet, for a number of codes."""
        nothing = np.full(size, NONE, dtype=np.int64)
        return Quotients(nothing, nothing.copy(), np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.bool_))
