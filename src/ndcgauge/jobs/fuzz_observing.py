"""Many examples asked about at once, and what each difference between two evaluators is made of."""

from __future__ import annotations

import itertools
import math
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ndcgauge.data.collection import Collection
from ndcgauge.data.memory import collection_from_lines
from ndcgauge.diff.observing import FLOAT32_TOLERANCE, observation_of
from ndcgauge.diff.shown_orders import shown_order
from ndcgauge.errors import EvaluatorError, NdcgaugeError, UsageError
from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.names import baseline_spec, catalogue
from ndcgauge.evaluators.outcomes import Crashed, Outcome, TimedOut, Unavailable, Value
from ndcgauge.evaluators.references import Catalogued, EvaluatorRef
from ndcgauge.evaluators.workers import Job, Workers
from ndcgauge.jobs.fuzz_examples import Example, names, write
from ndcgauge.reference import Evaluation, ObservedOrder
from ndcgauge.spec import Measure, MetricSpec

_RULES = ("line", "docid-desc", "docid-asc", "line-reversed", "average")
_MOST_AXES = 3
"""Axes that are combined to explain a difference."""


@dataclass(frozen=True, order=True)
class Cause:
    """What a difference is made of: examples with one cause are one finding."""

    axes: tuple[str, ...]
    """The fewest axes in which the two profiles differ that make the one's value the other's; none where no
    choice of them does."""
    what: str
    """A word more: the rule that an order of ties follows, or the outcomes where one is no value."""

    @property
    def explained(self) -> bool:
        """Whether axes, or outcomes, say why."""
        return bool(self.axes) or self.what != UNEXPLAINED

    def __str__(self) -> str:
        return ", ".join(self.axes) + (f" ({self.what})" if self.axes and self.what else self.what)


UNEXPLAINED = "unexplained"
NO_RULE = "an order of ties that follows no rule"


@dataclass(frozen=True)
class Difference:
    """One example on which two differ."""

    example: Example
    cause: Cause
    left: Outcome
    right: Outcome


@dataclass
class Observer:
    """Asks two evaluators, or one and its profile, about examples. Counts what it does."""

    measure: Measure
    left: EvaluatorRef
    right: EvaluatorRef | None
    """None: the left one's own profile."""
    workers: Workers
    folder: Path
    profiles: Mapping[str, str] = field(default_factory=dict[str, str])
    """Program name to the preset that it is declared to compute."""
    tolerance: float = 1e-9
    calls: int = 0
    asked: int = 0
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def differences(self, batch: Sequence[Example]) -> list[Difference]:
        """The examples on which they differ. An evaluator that crashes is called on halves until one is left.

        Raises UsageError where an evaluator is not here, or its profile lacks the measure, and EvaluatorError where
        one gives no answer in time.
        """
        qrels, run = write(batch, self.folder / str(next(self._numbers)))
        queries = names(len(batch))
        asked = [self.left] if self.right is None else [self.left, self.right]
        answers = self.workers.evaluate(asked, Job(qrels, run, (self.measure,), tuple(queries)))
        self.calls += len(asked)
        self.asked += len(batch)
        given = [answers[each.id, self.measure.name] for each in asked]
        shutil.rmtree(qrels.parent, ignore_errors=True)
        for answer in given:
            if isinstance(answer.aggregate, Unavailable):
                raise UsageError(f"{answer.evaluator} is not here", fix=answer.aggregate.how_to_install)
            if isinstance(answer.aggregate, TimedOut):
                raise EvaluatorError(
                    f"{answer.evaluator} gave no answer to {len(batch)} queries in {answer.aggregate.seconds:g} s",
                    fix="give it more time: --timeout",
                )
        if len(batch) > 1 and any(map(_broken, given)):
            half = len(batch) // 2
            return self.differences(batch[:half]) or self.differences(batch[half:])
        found = _Batch(self, batch, queries, given).differences()
        self.workers.forget()
        return found

    def profile(self, which: EvaluatorRef) -> MetricSpec:
        """The declared specification. Raises UsageError for an evaluator without one, or without the measure."""
        found = profile_of(which, self.measure, self.profiles)
        if found is not None:
            return found
        if isinstance(which, Catalogued):
            raise UsageError(f"{which.id} does not have {self.measure.name}")
        raise UsageError(
            f"it is not said what {which.id} is to compute",
            fix=f"--profile {which.id}=PRESET, or compare it with another: -e A -e B",
        )


def profile_of(which: EvaluatorRef, measure: Measure, profiles: Mapping[str, str]) -> MetricSpec | None:
    """The specification that an evaluator is declared to compute: the catalogue's, or `--profile`'s.

    None for a program that none was declared for, and for a measure that an evaluator lacks.
    Raises UsageError for a preset that is unknown.
    """
    if isinstance(which, Catalogued):
        return catalogue()[which.name].profile(measure)
    preset = profiles.get(which.id)
    return None if preset is None else baseline_spec(preset, measure)


def _broken(answer: Answer) -> bool:
    outcomes = (*answer.queries.values(), answer.aggregate)
    return all(isinstance(each, Crashed) for each in outcomes)


class _Batch:
    """One pair, the answers about it, and the reference's values under both profiles and between them."""

    def __init__(
        self, observer: Observer, batch: Sequence[Example], queries: Sequence[str], answers: Sequence[Answer]
    ) -> None:
        self._observer = observer
        self._batch, self._queries, self._answers = batch, queries, answers
        self._collection = collection_of(batch, queries)
        self._orders: dict[str, ObservedOrder] = {}
        self._evaluation: Evaluation | None = None
        self._values: dict[MetricSpec, dict[str, float]] = {}
        self._specs = [self._spec(answer) for answer in answers]
        left, right = answers[0], answers[-1]
        self._allowed = [
            observation_of(each, self._collection, self._tolerance(each)).allowance for each in (left, right)
        ]

    def differences(self) -> list[Difference]:
        found: list[Difference] = []
        for query, example in zip(self._queries, self._batch, strict=True):
            outcomes = [answer.queries[query] for answer in self._answers]
            if len(outcomes) == 1:
                spec = self._specs[0]
                outcomes.append(Value(math.nan if spec is None else self._value(spec, query)))
                allowed = self._allowed[0]
            else:
                allowed = sum(self._allowed)
            left, right = outcomes
            if isinstance(left, Value) and isinstance(right, Value):
                if _near(left.number, right.number, allowed):
                    continue
                cause = self._cause(query, left.number, right.number)
            elif len(self._answers) == 1:
                if not isinstance(left, Crashed):
                    # A refusal is no value that a profile could contradict.
                    continue
                cause = Cause((), _word(left))
            elif type(left) is type(right):
                continue
            else:
                cause = Cause((), f"{_word(left)} against {_word(right)}")
            found.append(Difference(example, cause, left, right))
        return found

    def _cause(self, query: str, left: float, right: float) -> Cause:
        one, other = self._specs[0], self._specs[-1]
        if len(self._answers) == 1 or one is None or other is None:
            return Cause((), UNEXPLAINED)
        if not _near(self._value(one, query), left, self._allowed[0]):
            return Cause((), UNEXPLAINED)
        axes = [axis for axis in one.diff(other) if axis not in ("rounding", "queries", "cutoff")]
        for size in range(1, min(_MOST_AXES, len(axes)) + 1):
            for chosen in itertools.combinations(axes, size):
                between = one.replace(**{axis: other[axis] for axis in chosen})
                if _near(self._value(between, query), right, self._allowed[1]):
                    return Cause(chosen, self._rule(chosen, query, left, right))
        return Cause((), UNEXPLAINED)

    def _rule(self, chosen: tuple[str, ...], query: str, left: float, right: float) -> str:
        """Which rule an observed order follows, as far as this query's value tells."""
        if "ties" not in chosen:
            return ""
        for spec, value, allowed in zip(self._specs, (left, right), self._allowed, strict=True):
            if spec is None or not spec["ties"].startswith("observed"):
                continue
            for rule in _RULES:
                if _near(self._value(spec.replace(ties=rule), query), value, allowed):
                    return f"as {rule}"
            return NO_RULE
        return ""

    def _value(self, spec: MetricSpec, query: str) -> float:
        if self._evaluation is None:
            self._evaluation = Evaluation(self._collection, self._orders)
        if spec not in self._values:
            try:
                values, _ = self._evaluation.per_query(spec)
                self._values[spec] = dict(zip(map(str, self._collection.queries), values.tolist(), strict=True))
            except NdcgaugeError:
                # No closed form between the two: this choice of axes explains nothing.
                self._values[spec] = {}
        return self._values[spec].get(query, math.nan)

    def _spec(self, answer: Answer) -> MetricSpec | None:
        ref = self._observer.left if answer is self._answers[0] else self._observer.right
        if ref is None:
            return None
        spec = profile_of(ref, self._observer.measure, self._observer.profiles)
        if spec is None or spec["ties"] != "observed":
            return spec
        if answer.order_file is None:
            return None
        shown = shown_order(answer.order_file, self._collection, spec["run_duplicates"])
        if shown.order is None:
            return None
        self._orders[shown.order.digest] = shown.order
        return spec.replace(ties=f"observed:{shown.order.digest}")

    def _tolerance(self, answer: Answer) -> float:
        known = catalogue().get(answer.evaluator)
        single = known is not None and known.arithmetic == "float32"
        return max(self._observer.tolerance, FLOAT32_TOLERANCE) if single else self._observer.tolerance


def _near(left: float, right: float, allowed: float) -> bool:
    if math.isnan(left) or math.isnan(right):
        return math.isnan(left) and math.isnan(right)
    return abs(left - right) <= allowed


def _word(outcome: Outcome) -> str:
    return type(outcome).__name__.lower()


def collection_of(batch: Sequence[Example], queries: Sequence[str]) -> Collection:
    """The pair that `write` writes, in memory."""
    qrels = [
        line.split() for query, each in zip(queries, batch, strict=True) for line in each.qrels(query).splitlines()
    ]
    run = [line.split() for query, each in zip(queries, batch, strict=True) for line in each.run(query).splitlines()]
    return collection_from_lines(
        [(query, doc, float(grade)) for query, _, doc, grade in qrels],
        [(query, doc, float(rank), float(score)) for query, _, doc, rank, score, _ in run],
    )
