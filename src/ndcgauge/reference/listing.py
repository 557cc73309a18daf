"""One query, rank by rank, as one would write it down by hand.

Unlike the vectorised reference this looks at the complete list, unjudged documents too. The
sums of its products are checked against the reference by its caller.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ndcgauge.data.collection import Collection, RunLine
from ndcgauge.reference.discounts import divisors
from ndcgauge.reference.evaluate import Evaluation
from ndcgauge.reference.observed import ObservedOrder
from ndcgauge.reference.standing import SYMMETRIC, NoClosedForm
from ndcgauge.spec import MetricSpec


@dataclass(frozen=True)
class ListedDoc:
    """A line of the table."""

    rank: str
    """`3`, or `3-7` inside a tie that is averaged."""
    doc: str
    grade: float | None
    """None for an unjudged document."""
    score: float | None
    """None for a document that the run lacks."""
    gain: float
    discount: float
    """The weight of the rank (its expectation inside an averaged tie); 0 beyond the cutoff."""
    product: float
    """What the document adds to the DCG."""


@dataclass(frozen=True)
class IdealDoc:
    """A line of the ideal ranking."""

    rank: int
    grade: float | None
    gain: float
    discount: float
    product: float


@dataclass(frozen=True)
class Listing:
    """The run's ranking and the ideal one of a query."""

    ranking: tuple[ListedDoc, ...]
    """Every document of the final ranking, or its first ones."""
    ideal: tuple[IdealDoc, ...]
    dcg: float
    ideal_dcg: float


@dataclass(frozen=True)
class _Doc:
    doc: str
    pair: int
    score: float | None
    line: int


def _weights(spec: MetricSpec, size: int) -> list[float]:
    table = divisors(spec["discount"], size)
    last = size if spec.cutoff is None else spec.cutoff
    return [0.0, *(1.0 / float(table[rank]) if rank <= last else 0.0 for rank in range(1, size + 1))]


class _Query:
    """The documents of one query under a specification."""

    def __init__(self, collection: Collection, evaluation: Evaluation, spec: MetricSpec, query: str) -> None:
        self.collection, self.spec, self.evaluation = collection, spec, evaluation
        code = collection.index[query]
        low, high = np.searchsorted(collection.judged.query, [code, code + 1])
        self.pairs = {str(collection.judged.doc[pair]): pair for pair in range(int(low), int(high))}
        self.judgments = evaluation.judgments(spec)
        self.gains = evaluation.pair_gains(spec, ideal=False)
        self.query = query

    def lines(self) -> list[_Doc]:
        lines: Sequence[RunLine] = self.collection.lists([self.query]).get(self.query, ())
        mode = self.spec["run_duplicates"]
        if mode in ("first", "last"):
            kept = {line.doc: line for line in (reversed(lines) if mode == "first" else lines)}
            lines = sorted(kept.values(), key=lambda line: line.line)
        minimum = -math.inf if self.spec["min_score"] == "none" else float(self.spec["min_score"])
        self.own_dropped = self.spec["self"] == "drop"
        return [
            _Doc(line.doc, self.pairs.get(line.doc, -1), self.key_of(line), line.line)
            for line in lines
            if (minimum == -math.inf or line.score > minimum) and not (self.own_dropped and line.doc == self.query)
        ]

    def key_of(self, line: RunLine) -> float:
        match self.spec["order"]:
            case "rank":
                return -float(line.rank)
            case "line":
                return -float(line.line)
            case _:
                with np.errstate(over="ignore"):
                    single = self.spec["score_precision"] == "float32"
                    return float(np.float32(line.score)) if single else line.score

    def judged(self, doc: _Doc) -> bool:
        return doc.pair >= 0 and bool(self.judgments.judged[doc.pair])

    def dropped(self, doc: _Doc) -> bool:
        gone = doc.pair >= 0 and bool(self.judgments.dropped[doc.pair])
        return gone or (self.spec["unjudged"] == "drop" and not self.judged(doc))

    def gain(self, doc: _Doc) -> float:
        return float(self.gains[doc.pair]) if self.judged(doc) else 0.0

    def grade(self, doc: _Doc) -> float | None:
        if not self.judged(doc):
            return None
        return float(self.judgments.grade[np.searchsorted(self.judgments.pair, doc.pair)])

    def tie_order(self, observed: ObservedOrder | None) -> Callable[[_Doc], tuple[object, ...]] | None:
        """The sort key inside a tie; None where the tie stays one group."""
        ties = self.spec["ties"]
        match ties:
            case "docid-desc" | "docid-asc":
                return lambda doc: (doc.doc.encode("utf-8", "surrogateescape"),)
            case "line" | "line-reversed":
                return lambda doc: (doc.line,)
            case "best" | "worst":
                return lambda doc: (self.gain(doc),)
            case "average":
                return None
            case _:
                assert observed is not None
                position = {doc: i for i, doc in enumerate(observed.docs.get(self.query, ()))}
                return lambda doc: (position.get(doc.doc, doc.line),)


def _groups(docs: list[_Doc], order: Callable[[_Doc], tuple[object, ...]] | None, *, falling: bool) -> list[list[_Doc]]:
    ties: dict[float | None, list[_Doc]] = {}
    for doc in docs:
        ties.setdefault(doc.score, []).append(doc)
    ranked = sorted(ties.items(), key=lambda item: -(item[0] if item[0] is not None else -math.inf))
    if order is None:
        return [group for _, group in ranked]
    return [[doc] for _, group in ranked for doc in sorted(group, key=order, reverse=falling)]


def list_query(
    collection: Collection,
    evaluation: Evaluation,
    spec: MetricSpec,
    query: str,
    observed: ObservedOrder | None = None,
) -> Listing:
    """The ranking and the ideal of one query of both files, for `ndcg` and `dcg`.

    Raises NoClosedForm where `depth` cuts a tie whose order no rule decides.
    """
    here = _Query(collection, evaluation, spec, query)
    falling = spec["ties"] in ("docid-desc", "line-reversed", "best")
    order = here.tie_order(observed)
    groups = _groups(here.lines(), order, falling=falling)
    depth = spec.cutoff if spec["depth"] == "cutoff" else None if spec["depth"] == "none" else int(spec["depth"])
    kept: list[list[_Doc]] = []
    for group in groups:
        room = math.inf if depth is None else depth - sum(map(len, kept))
        if room < len(group) and spec["ties"] in SYMMETRIC and room > 0:
            raise NoClosedForm("depth cuts a tie: no single ranking stands for it")
        if room > 0:
            kept.append(group)
    kept = [[doc for doc in group if not here.dropped(doc)] for group in kept]
    kept = [group for group in kept if group]
    n_left = sum(map(len, kept))
    left = [doc for group in kept for doc in group]
    kept = _with_missing(here, kept, order, falling)
    ranking, dcg = _table(here, spec, kept)
    ideal, ideal_dcg = _ideal(here, spec, left, n_left)
    return Listing(tuple(ranking), tuple(ideal), dcg, ideal_dcg)


def _with_missing(
    here: _Query, kept: list[list[_Doc]], order: Callable[[_Doc], tuple[object, ...]] | None, falling: bool
) -> list[list[_Doc]]:
    unretrieved = here.spec["unretrieved"]
    if unretrieved == "absent":
        return kept
    present = {doc.doc for group in kept for doc in group}
    run_docs = {line.doc for line in here.collection.lists([here.query]).get(here.query, ())}
    barred = {here.query} & run_docs if here.own_dropped else set[str]()
    missing = [
        _Doc(doc, pair, None, 10**12 + pair)
        for doc, pair in here.pairs.items()
        if here.judgments.judged[pair] and doc not in present and doc not in barred
    ]
    if not missing:
        return kept
    if unretrieved.startswith("score:") and here.spec["order"] == "score":
        x = here.key_of(RunLine("", "0", float(unretrieved.removeprefix("score:")), 0))
        placed = [_Doc(doc.doc, doc.pair, x, doc.line) for doc in missing]
        return _groups([doc for group in kept for doc in group] + placed, order, falling=falling)
    return kept + _groups(missing, order, falling=falling)


def _table(here: _Query, spec: MetricSpec, groups: list[list[_Doc]]) -> tuple[list[ListedDoc], float]:
    weights = _weights(spec, sum(map(len, groups)))
    table = divisors(spec["discount"], len(weights))
    rows: list[ListedDoc] = []
    total, rank = 0.0, 1
    for group in groups:
        last = rank + len(group) - 1
        weight = sum(weights[rank : last + 1]) / len(group)
        for doc in group:
            gain = here.gain(doc)
            exact = len(group) == 1 and weight > 0
            product = gain / float(table[rank]) if exact else gain * weight
            total += product
            where = str(rank) if len(group) == 1 else f"{rank}-{last}"
            rows.append(ListedDoc(where, doc.doc, here.grade(doc), doc.score, gain, weight, product))
        rank = last + 1
    return rows, total


def _ideal(here: _Query, spec: MetricSpec, left: list[_Doc], n_left: int) -> tuple[list[IdealDoc], float]:
    if spec.measure != "ndcg":
        return [], 1.0
    low, high = np.searchsorted(here.judgments.query, [here.collection.index[here.query]] * 2, side="left")
    high = np.searchsorted(here.judgments.query, here.collection.index[here.query], side="right")
    gains = here.evaluation.line_gains(spec)[1]
    items: list[tuple[float, float | None]]
    if spec["ideal"] == "retrieved":
        ideal_gains = here.evaluation.pair_gains(spec, ideal=True)
        items = [(float(ideal_gains[doc.pair]) if here.judged(doc) else 0.0, here.grade(doc)) for doc in left]
    else:
        items = [(float(gains[i]), float(here.judgments.grade[i])) for i in range(int(low), int(high))]
    items.sort(key=lambda item: -item[0])
    if spec["ideal"] == "perfect" and items:
        top = max(items, key=lambda item: item[1] if item[1] is not None else -math.inf)
        items = [top] * (len(items) if spec.cutoff is None else spec.cutoff)
    match spec["ideal_cutoff"]:
        case "same":
            limit = spec.cutoff
        case "none":
            limit = None
        case _:
            limit = n_left if spec.cutoff is None else min(n_left, spec.cutoff)
    table = divisors(spec["discount"], len(items))
    rows: list[IdealDoc] = []
    total = 0.0
    for rank, (gain, grade) in enumerate(items, start=1):
        inside = limit is None or rank <= limit
        product = gain / float(table[rank]) if inside else 0.0
        total += product
        rows.append(IdealDoc(rank, grade, gain, 1.0 / float(table[rank]) if inside else 0.0, product))
    return rows, total
