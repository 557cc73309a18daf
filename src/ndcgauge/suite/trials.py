"""A trial: one measure asked of evaluators on the files of one case, and what an evaluator gave."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ndcgauge.evaluators.outcomes import (
    Crashed,
    Missing,
    Outcome,
    Refused,
    TimedOut,
    Unavailable,
    Unsupported,
    Value,
)
from ndcgauge.spec import Measure
from ndcgauge.suite.model import Case

NOT_CALLED = (Unsupported, Unavailable)
FAILED = (Refused, Crashed, TimedOut)


@dataclass(frozen=True, eq=False)
class Trial:
    """A measure on the files of a case."""

    case: Case
    measure: Measure
    """The case's own, or the same at another cutoff."""

    @property
    def name(self) -> str:
        """`ties/ties-ndcg ndcg@5`."""
        return f"{self.case.folder}/{self.case.id} {self.measure.name}"


def trials_of(case: Case, cutoff: int | None = None) -> list[Trial]:
    """The trials of a case: its measure; where it is about the cutoff, at each cutoff that it has expectations of.

    `cutoff`: asked for in place of the case's own.
    """
    stem, changes = case.measure.stem, case.measure.changes
    if cutoff is not None:
        return [Trial(case, Measure(stem, cutoff, changes))]
    if "cutoff" not in case.written.axes:
        return [Trial(case, case.measure)]
    cutoffs = dict.fromkeys(each.spec.cutoff for each in case.expectations)
    return [Trial(case, Measure(stem, each, changes)) for each in cutoffs]


@dataclass(frozen=True)
class Given:
    """What an evaluator gave in a trial, under the case's own query ids."""

    queries: Mapping[str, Outcome]
    """One entry for every judged query of the case, and one for every other query that has a row."""
    mean: Outcome | None
    """Its aggregate; None where the case stood among others, so that the aggregate is not the case's."""
    decimals: int | None = None
    """The decimals that were printed; None where numbers came in full."""
    docs: Mapping[str, Sequence[str]] | None = None
    """The order that it showed, by query."""
    moved: bool = False
    """Whether the same bytes gave other values at another call."""
    versions: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def called(self) -> bool:
        """Whether the evaluator has the measure at all, and is here."""
        outcomes = [*self.queries.values(), *([] if self.mean is None else [self.mean])]
        return not (outcomes and all(isinstance(each, NOT_CALLED) for each in outcomes))

    @property
    def failure(self) -> Outcome | None:
        """Why it gave nothing: the first refusal or crash where no query has a value and there is no mean."""
        outcomes = [*self.queries.values(), *([] if self.mean is None else [self.mean])]
        if any(isinstance(each, Value) for each in outcomes):
            return None
        return next((each for each in outcomes if isinstance(each, FAILED)), None)

    @property
    def rowless(self) -> bool:
        """Whether it gave a mean and no row: Pyserini's `judged.k`."""
        return isinstance(self.mean, Value) and all(isinstance(each, Missing) for each in self.queries.values())

    @property
    def refusal(self) -> Outcome | None:
        """The first refusal or crash of a query or the mean, whatever else it gave."""
        outcomes = [*self.queries.values(), *([] if self.mean is None else [self.mean])]
        return next((each for each in outcomes if isinstance(each, FAILED)), None)

    @property
    def outcome(self) -> Outcome:
        """What to show for the whole case: its aggregate, or the mean of its rows, or why there is none."""
        if isinstance(self.mean, Value):
            return self.mean
        rows = list(self.queries.values())
        values = [each.number for each in rows if isinstance(each, Value)]
        others = [each for each in rows if not isinstance(each, Value)]
        if self.mean is not None and (others or not isinstance(self.mean, Missing)):
            return self.mean
        if values and not others:
            return Value(math.fsum(values) / len(values))
        return others[0] if others else Missing()

    def same_values(self, other: Given) -> bool:
        """Whether two calls gave the same outcomes; NaN is the same as NaN."""
        return repr(self.queries) == repr(other.queries) and repr(self.mean) == repr(other.mean)

    def moving(self) -> Given:
        """The same, known to move from call to call."""
        return replace(self, moved=True)
