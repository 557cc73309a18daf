"""What one evaluator gave for one measure of one qrels and run: outcomes, and how they came about."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ndcgauge.evaluators.outcomes import Missing, Outcome, Value, with_counts
from ndcgauge.spec import Measure


@dataclass(frozen=True)
class Seconds:
    """Wall time, as the evaluator's own process measured it."""

    load: float = 0.0
    """Reading the files, without importing the library."""
    evaluate: float = 0.0


@dataclass(frozen=True)
class Captured:
    """What was printed while the evaluator ran, shortened."""

    stdout: str = ""
    stderr: str = ""


@dataclass(frozen=True)
class Answer:
    """One evaluator's answer for one measure."""

    evaluator: str
    """The evaluator's id, or the name that the user gave it."""
    measure: Measure
    queries: Mapping[str, Outcome]
    """One entry for every query asked about (every judged query), in the order of the qrels."""
    aggregate: Outcome
    """The mean, as `aggregate_of` finds it."""
    decimals: int | None = None
    """The decimals that were printed; None where numbers came in full."""
    order_file: Path | None = None
    """The order that it showed (see `order_file`). None where it shows none."""
    versions: Mapping[str, str] = field(default_factory=dict[str, str])
    """Library to version, as reported by what ran."""
    python: str = ""
    """The interpreter that ran it; empty where none did."""
    called: str = ""
    """The call, as a line that a user could type."""
    seconds: Seconds = Seconds()
    captured: Captured = Captured()
    unasked: Mapping[str, Outcome] = field(default_factory=dict[str, Outcome])
    """Rows that it gave for queries that nobody asked about."""

    @property
    def asked(self) -> int:
        """Number of queries that it was asked about."""
        return len(self.queries)

    @property
    def answered(self) -> int:
        """Number of queries asked about that have a value."""
        return sum(isinstance(outcome, Value) for outcome in self.queries.values())


def aggregate_of(given: Outcome | None, queries: Mapping[str, Outcome], *, rows_for_missing: bool = True) -> Outcome:
    """The outcome of the mean (DESIGN §5.3).

    What the evaluator gave, if it gave one. Otherwise the mean of its queries' values where every query
    has one (summed one by one in the byte order of their ids), and else the first outcome that is none,
    with counts. With `rows_for_missing=False` a query without a row is expected, and stands
    behind every other outcome that is no value.
    """
    if given is not None:
        return given
    without = {query: outcome for query, outcome in queries.items() if not isinstance(outcome, Value)}
    if not without and queries:
        by_bytes = sorted(queries, key=lambda query: query.encode("utf-8", "surrogateescape"))
        values = [outcome.number for query in by_bytes if isinstance(outcome := queries[query], Value)]
        total = 0.0
        for value in values:
            total += value
        return Value(total / len(values) if values else math.nan)
    telling = [outcome for outcome in without.values() if rows_for_missing or not isinstance(outcome, Missing)]
    if not telling:
        return Missing()
    first = telling[0]
    same_kind = sum(type(outcome) is type(first) for outcome in without.values())
    return with_counts(first, same_kind, len(queries))
