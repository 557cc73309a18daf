"""What a specification expects of a pair of files, and whether an evaluator's answer is that.

The expectation of a case for an evaluator is the reference under the evaluator's own specification,
since an evaluator differs from a case's preset on other axes too. Where that specification is one that
the case states a closed form for, the closed form is what counts, and no computation of ours.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from ndcgauge.data.collection import Collection, Needs
from ndcgauge.data.reading import read_collection
from ndcgauge.data.sources import open_source
from ndcgauge.diff.shown_orders import order_of
from ndcgauge.errors import InputError, UsageError
from ndcgauge.evaluators.outcomes import (
    Crashed,
    Missing,
    Outcome,
    Refused,
    TimedOut,
    Unavailable,
    Unstable,
    Unsupported,
    Value,
    explain,
)
from ndcgauge.reference import Evaluation, NoClosedForm
from ndcgauge.spec import MetricSpec
from ndcgauge.suite.closed_form import ClosedForm
from ndcgauge.suite.model import Case, Expectation, Expected, Undefined
from ndcgauge.suite.trials import Given

SAID_NO = (Refused, Crashed)
"""What counts as refusing a file; an answer that did not come in time says nothing."""
Orders = Mapping[str, Sequence[str]]
"""Query to documents, best first, as an evaluator showed them."""
TOLERANCE = 1e-9
"""Absolute for values up to 1, relative beyond: what two computations of one definition may differ by."""
WITHOUT_VALUE = ("random", "observed")
"""Tie rules that are judged by the envelope alone, where no order was shown."""


@dataclass(frozen=True)
class Range:
    """A value is expected from `low` to `high`; both NaN where it is undefined."""

    low: float
    high: float

    def __str__(self) -> str:
        return repr(self.low) if self.low == self.high or math.isnan(self.low) else f"{self.low!r} to {self.high!r}"

    def holds(self, value: float, allowance: float) -> bool:
        """Whether a value is in the range, up to the allowance."""
        if math.isnan(self.low) or math.isnan(value):
            return math.isnan(self.low) and math.isnan(value)
        room = allowance * max(1.0, abs(self.low), abs(self.high))
        return self.low - room <= value <= self.high + room


@dataclass(frozen=True)
class Expecting:
    """What a specification expects: a refusal, or a range for each query that counts and for the mean."""

    refused: Literal["input", "usage"] | None
    queries: Mapping[str, Range]
    mean: Range | None
    """None where nothing is known of it: the extremes of a pooled ratio."""


@dataclass
class PairReference:
    """The reference on one pair of files, under any specification."""

    qrels: bytes
    run: bytes
    needs: Needs
    expectations: Mapping[MetricSpec, Expectation] = field(default_factory=dict[MetricSpec, Expectation])
    """The closed forms of a case, by specification."""
    _read: dict[tuple[str, bool], Evaluation | InputError] = field(
        default_factory=dict[tuple[str, bool], "Evaluation | InputError"]
    )
    """By `nul`, and whether documents are inserted at a score."""
    _known: dict[MetricSpec, Expecting] = field(default_factory=dict[MetricSpec, Expecting])
    _shown: dict[tuple[int, str, str, bool], tuple[Orders, Evaluation | None]] = field(
        default_factory=dict[tuple[int, str, str, bool], "tuple[Orders, Evaluation | None]"]
    )
    """By identity of the orders: those, and the shared work under them; None where they are no orders of the run."""
    _folder: tempfile.TemporaryDirectory[str] | None = None

    @cached_property
    def retrieved(self) -> frozenset[str]:
        """The queries of the run; none where the files cannot be read."""
        evaluation = self._evaluation("keep", inserting=False)
        if isinstance(evaluation, InputError):
            return frozenset()
        collection = evaluation.collection
        return frozenset(str(each) for each, here in zip(collection.queries, collection.in_run, strict=True) if here)

    def expecting(self, spec: MetricSpec, docs: Orders | None = None) -> Expecting:
        """What a specification expects. `docs`: the order that the evaluator showed, where it did.

        Rounding acts on what is printed and changes no expectation.
        """
        plain = spec.with_axes({"rounding": "none"})
        if plain["ties"] == "observed" and docs is not None:
            return self._observed(plain, docs)
        if plain not in self._known:
            self._known[plain] = self._expecting(plain)
        return self._known[plain]

    def _expecting(self, spec: MetricSpec) -> Expecting:
        written = self.expectations.get(spec)
        if written is not None:
            return _written(written)
        if spec["ties"] in WITHOUT_VALUE:
            low, high = (self.expecting(spec.with_axes({"ties": each})) for each in ("worst", "best"))
            return _between(low, high, known_mean=spec["averaging"] == "macro" or spec.measure in ("dcg", "rr"))
        return self._computed(spec)

    def _computed(self, spec: MetricSpec) -> Expecting:
        evaluation = self._evaluation(spec["nul"], inserting=_inserts(spec))
        if isinstance(evaluation, InputError):
            return Expecting("input", {}, None)
        return _scored(evaluation, spec)

    def _observed(self, spec: MetricSpec, docs: Orders) -> Expecting:
        """The reference under an order that an evaluator showed; the envelope where it is no order of the run."""
        evaluation = self._evaluation(spec["nul"], inserting=_inserts(spec))
        if isinstance(evaluation, InputError):
            return Expecting("input", {}, None)
        key = (id(docs), spec["nul"], spec["run_duplicates"], _inserts(spec))
        if key not in self._shown:
            order = order_of(docs, evaluation.collection, spec["run_duplicates"]).order
            # The orders are kept too, so that their identity stays theirs.
            self._shown[key] = (
                docs,
                None if order is None else Evaluation(evaluation.collection, {order.digest: order}),
            )
        own = self._shown[key][1]
        if own is None:
            return self.expecting(spec)
        plain = spec.replace(ties=f"observed:{next(iter(own.orders))}")
        if plain not in self._known:
            self._known[plain] = _scored(own, plain)
        return self._known[plain]

    def _evaluation(self, on_nul: str, *, inserting: bool) -> Evaluation | InputError:
        on_nul = on_nul if b"\0" in self.qrels + self.run else "keep"
        key = on_nul, inserting
        if key not in self._read:
            try:
                self._read[key] = Evaluation(self._collection(on_nul, inserting=inserting), {})
            except InputError as error:
                self._read[key] = error
        return self._read[key]

    def _collection(self, on_nul: str, *, inserting: bool) -> Collection:
        qrels, run = self._files
        # A dozen rankings with documents inserted take as long as the rest: few specifications ask for one.
        needs = self.needs if inserting else Needs(self.needs.min_scores, frozenset())
        # Every line is kept: which of them counts is the specification's to say.
        return read_collection(
            open_source(qrels), open_source(run), needs=needs, on_duplicate="all", on_nul=on_nul
        ).collection

    @cached_property
    def _files(self) -> tuple[Path, Path]:
        """The pair on disk for as long as this lives: a collection reads complete lists again."""
        self._folder = tempfile.TemporaryDirectory(prefix="ndcgauge-case-")
        qrels, run = Path(self._folder.name) / "qrels", Path(self._folder.name) / "run"
        qrels.write_bytes(self.qrels)
        run.write_bytes(self.run)
        return qrels, run


def _inserts(spec: MetricSpec) -> bool:
    return spec["unretrieved"].startswith("score:")


def needs_of(cases: Iterable[Case]) -> Needs:
    """What the reader has to keep for every value that an expectation of some cases sets."""
    minimum: set[float] = {0.0}
    insert: set[float] = set()
    for expectation in (each for case in cases for each in case.expectations):
        spec = expectation.spec
        if spec["min_score"] != "none":
            minimum.add(float(spec["min_score"]))
        if spec["unretrieved"].startswith("score:"):
            insert.add(float(spec["unretrieved"].removeprefix("score:")))
    return Needs(frozenset(minimum), frozenset(insert))


def case_reference(case: Case, needs: Needs) -> PairReference:
    """The reference on the files of a case, with its closed forms."""
    forms = {each.spec.replace(rounding="none"): each for each in case.expectations}
    return PairReference(case.qrels, case.run, needs, forms)


def _scored(evaluation: Evaluation, spec: MetricSpec) -> Expecting:
    try:
        values, counted, mean = evaluation.score(spec)
    except InputError:
        return Expecting("input", {}, None)
    except UsageError:
        return Expecting("usage", {}, None)
    except NoClosedForm:
        return Expecting(None, {}, None)
    queries = evaluation.collection.queries
    ranges = {
        str(query): Range(float(value), float(value))
        for query, value, counts in zip(queries, values, counted, strict=True)
        if counts
    }
    return Expecting(None, ranges, Range(mean, mean))


def _between(low: Expecting, high: Expecting, *, known_mean: bool) -> Expecting:
    if low.refused is not None:
        return low
    ranges = {
        query: Range(each.low, high.queries[query].high) for query, each in low.queries.items() if query in high.queries
    }
    mean = Range(low.mean.low, high.mean.high) if known_mean and low.mean and high.mean else None
    return Expecting(None, ranges, mean)


def _written(expectation: Expectation) -> Expecting:
    if expectation.refused is not None:
        return Expecting(expectation.refused, {}, None)
    ranges = {query: _range(each) for query, each in expectation.values.items()}
    return Expecting(None, ranges, _range(expectation.mean))


def _range(expected: Expected) -> Range:
    match expected:
        case ClosedForm():
            value = float(expected.value)
            return Range(value, value)
        case Undefined():
            return Range(math.nan, math.nan)
        case _:
            return Range(float(expected.worst.value), float(expected.best.value))


def allowance(spec: MetricSpec, tolerance: float = TOLERANCE) -> float:
    """How far a printed value may stand from the expected one: half a unit of the last place, and the tolerance."""
    return tolerance + (0.0 if spec["rounding"] == "none" else 0.5 * 10.0 ** -int(spec["rounding"]))


def agrees(expecting: Expecting, given: Given, spec: MetricSpec, retrieved: frozenset[str], tolerance: float) -> bool:
    """Whether an evaluator gave what is expected under `spec`.

    A query without a row agrees where it does not count, or where the run lacks it: many evaluators
    print none then. A refusal or crash agrees where the files are to be refused, and nowhere else.
    """
    if expecting.refused is not None:
        return isinstance(given.failure or given.mean, SAID_NO)
    if isinstance(given.failure, Refused) and not expecting.queries:
        # "No queries with both results and relevance info": no query counts, and no mean is defined.
        return True
    if not given.queries and given.mean is None:
        # An answer that says nothing agrees with no expectation of a value.
        return not expecting.queries
    room = allowance(spec, tolerance)
    # A mean without any row is an answer too: Pyserini's judged.k.
    rows = {} if given.rowless else given.queries
    if any(
        not _row_agrees(outcome, expecting.queries.get(query), spec, room, query in retrieved)
        for query, outcome in rows.items()
    ):
        return False
    if given.mean is not None and expecting.mean is not None:
        return _mean_agrees(given, expecting.mean, spec, room)
    return True


def difference(expecting: Expecting, given: Given, spec: MetricSpec, tolerance: float) -> str:
    """What an answer that does not agree has other than expected, in one line."""
    if expecting.refused is not None:
        return "it gave values where the files, or the specification, are to be refused"
    room = allowance(spec, tolerance)
    for query, outcome in given.queries.items():
        expected = expecting.queries.get(query)
        shown = outcome.number if isinstance(outcome, Value) else explain(outcome)
        if expected is None and isinstance(outcome, Value):
            return f"{query}: {shown!r}, and the query does not count"
        if expected is not None and not (isinstance(outcome, Value) and expected.holds(outcome.number, room)):
            return f"{query}: {shown}, expected {expected}"
    mean = given.mean.number if isinstance(given.mean, Value) else None
    return f"mean: {mean}, expected {expecting.mean}"


def _row_agrees(outcome: Outcome, expected: Range | None, spec: MetricSpec, room: float, retrieved: bool) -> bool:
    match outcome:
        case Value(number):
            return expected is not None and expected.holds(number, room) and _printed(number, spec)
        case Missing():
            return expected is None or not retrieved
        case Refused() | Crashed() | TimedOut() | Unstable() | Unsupported() | Unavailable():
            return False


def _mean_agrees(given: Given, expected: Range, spec: MetricSpec, room: float) -> bool:
    match given.mean:
        case Value(number):
            return expected.holds(number, room) and _printed(number, spec)
        case Missing() | None:
            return True
        case Refused() | Crashed() | TimedOut() | Unstable() | Unsupported() | Unavailable():
            # trec_eval says no where no query is in both files; that no mean is defined is what it says.
            return math.isnan(expected.low)


def _printed(number: float, spec: MetricSpec) -> bool:
    """Whether a number can have been printed with the decimals that the specification says."""
    if spec["rounding"] == "none" or not math.isfinite(number):
        return True
    scaled = number * 10.0 ** int(spec["rounding"])
    return bool(abs(scaled - np.rint(scaled)) <= 1e-6 * max(1.0, abs(scaled)))
