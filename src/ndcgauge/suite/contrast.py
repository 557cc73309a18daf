"""Two evaluators asked about many candidates at once: which candidates keep their difference, and its reason."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ndcgauge.data.collection import DEFAULT_NEEDS
from ndcgauge.evaluators.outcomes import Value
from ndcgauge.evaluators.references import EvaluatorRef
from ndcgauge.evaluators.workers import Job, Workers
from ndcgauge.spec import Measure, MetricSpec
from ndcgauge.suite.asking import orders_of
from ndcgauge.suite.expecting import PairReference, allowance
from ndcgauge.suite.minimising import Line, files_of, renamed

LARGEST_SEARCH = 6
"""Axes among which the smallest explanation of a difference is looked for."""


@dataclass(frozen=True)
class Side:
    """One of the two evaluators, with the specification that it computes; observed orders as `observed`."""

    evaluator: EvaluatorRef
    spec: MetricSpec
    faithful: bool
    """Whether that specification gives its values; a difference that nothing explains stays such."""


@dataclass
class Contrast:
    """Asks both evaluators, and judges candidates. `axes`: the explanation that has to stay."""

    workers: Workers
    folder: Path
    measure: Measure
    one: Side
    other: Side
    axes: tuple[str, ...] = ()
    calls: int = 0
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def keeps(self, candidates: Sequence[Sequence[Line]]) -> list[bool]:
        """For lines of one query each: whether the query's values still differ, for the same reason."""
        usable = [each for each in candidates if _usable(each)]
        numbers = {id(each): f"c{number:05d}" for number, each in enumerate(usable)}
        if not usable:
            return [False] * len(candidates)
        pairs = [files_of(renamed(each, numbers[id(each)])) for each in usable]
        qrels, run = (b"".join(each[place] for each in pairs) for place in (0, 1))
        asked = tuple(numbers[id(each)] for each in usable)
        given = self._ask(qrels, run, asked)
        reference = PairReference(qrels, run, DEFAULT_NEEDS)
        return [id(each) in numbers and self._holds(given, reference, numbers[id(each)]) for each in candidates]

    def explanation(self, qrels: bytes, run: bytes, queries: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Query to the fewest axes that explain its difference; queries without a difference are left out."""
        given = self._ask(qrels, run, tuple(queries))
        reference = PairReference(qrels, run, DEFAULT_NEEDS)
        found: dict[str, tuple[str, ...]] = {}
        for query in queries:
            values = [given[side.evaluator.id].get(query) for side in (self.one, self.other)]
            if None in values or not self._differ(values[0], values[1]):
                continue
            if not self.other.faithful:
                found[query] = ()
                continue
            axes = self._fewest(given, reference, query)
            if axes is not None:
                found[query] = axes
        return found

    def _fewest(self, given: Given, reference: PairReference, query: str) -> tuple[str, ...] | None:
        different = sorted(self.one.spec.diff(self.other.spec))
        if not self._agrees(given, reference, query, self.one, self.one.spec):
            return None
        for size in range(1, min(len(different), LARGEST_SEARCH) + 1):
            for axes in itertools.combinations(different, size):
                if self._explains(given, reference, query, axes):
                    return axes
        return None

    def _holds(self, given: Given, reference: PairReference, query: str) -> bool:
        one, other = given[self.one.evaluator.id].get(query), given[self.other.evaluator.id].get(query)
        if one is None or other is None or not self._differ(one, other):
            return False
        if not self._agrees(given, reference, query, self.one, self.one.spec):
            return False
        whole = self._agrees(given, reference, query, self.other, self.other.spec)
        if not self.other.faithful:
            return not whole
        if not whole or not self._explains(given, reference, query, self.axes):
            return False
        parts = itertools.combinations(self.axes, len(self.axes) - 1) if len(self.axes) > 1 else ()
        return not any(self._explains(given, reference, query, part) for part in parts)

    def _explains(self, given: Given, reference: PairReference, query: str, axes: Sequence[str]) -> bool:
        """Whether the other's value is what the one's specification gives with these axes replaced."""
        spec = self.one.spec.with_axes({axis: self.other.spec[axis] for axis in axes})
        return self._agrees(given, reference, query, self.other, spec)

    def _agrees(self, given: Given, reference: PairReference, query: str, side: Side, spec: MetricSpec) -> bool:
        value = given[side.evaluator.id].get(query)
        docs = given.docs[self.other.evaluator.id if spec["ties"] == self.other.spec["ties"] else side.evaluator.id]
        expected = reference.expecting(spec, docs).queries.get(query)
        return value is not None and expected is not None and expected.holds(value, allowance(side.spec))

    def _differ(self, one: float | None, other: float | None) -> bool:
        assert one is not None
        assert other is not None
        return abs(one - other) > allowance(self.one.spec) + allowance(self.other.spec)

    def _ask(self, qrels: bytes, run: bytes, asked: tuple[str, ...]) -> Given:
        self.calls += 1
        folder = self.folder / str(next(self._numbers))
        folder.mkdir(parents=True)
        (folder / "qrels").write_bytes(qrels)
        (folder / "run").write_bytes(run)
        job = Job(folder / "qrels", folder / "run", (self.measure,), asked)
        answers = self.workers.evaluate([self.one.evaluator, self.other.evaluator], job)
        given = Given()
        for side in (self.one, self.other):
            answer = answers[side.evaluator.id, self.measure.name]
            given[side.evaluator.id] = {
                query: outcome.number for query, outcome in answer.queries.items() if isinstance(outcome, Value)
            }
            given.docs[side.evaluator.id] = None if answer.order_file is None else orders_of(answer.order_file)
        return given


class Given(dict[str, dict[str, float]]):
    """Evaluator id to its values by query, with the orders that it showed."""

    def __init__(self) -> None:
        super().__init__()
        self.docs: dict[str, dict[str, list[str]] | None] = {}


def _usable(lines: Sequence[Line]) -> bool:
    """Whether some lines are a query at all: judged, and retrieved."""
    return any(each.judged for each in lines) and any(not each.judged for each in lines)
