"""The slow, obviously right reference: plain loops over mpmath numbers at 50 digits.

It exists to check the vectorised one. Ties that no rule decides are enumerated: every order of
every tie, the measure computed for each.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from ndcgauge.errors import InputError, NdcgaugeError, UsageError
from ndcgauge.spec import MetricSpec

MP = mpmath.MPContext()
MP.dps = 50
MOST_ORDERS = 5040
"""7!: orders of a query's ties beyond which the enumeration is refused."""


@dataclass(frozen=True)
class ExactQrel:
    """A line of the qrels."""

    query: str
    doc: str
    grade: Fraction
    line: int


@dataclass(frozen=True)
class ExactLine:
    """A line of the run."""

    query: str
    doc: str
    rank: float
    score: float
    line: int


@dataclass(frozen=True)
class ExactScores:
    """Values of one specification."""

    values: Mapping[str, Any]
    """Query to value, an mpmath number; the queries that count, NaN where the value is undefined."""
    mean: Any | None
    """None where it is undefined."""


@dataclass(frozen=True)
class _Doc:
    doc: str
    key: float
    line: int
    added: bool = False


def number(text: str | float) -> Any:
    """The exact value of a decimal text or a float, as an mpmath number."""
    fraction = Fraction(Decimal(text)) if isinstance(text, str) else Fraction(text)
    return MP.mpf(fraction.numerator) / fraction.denominator


def lines_of(
    qrels: Sequence[tuple[str, str, float]], run: Sequence[tuple[str, str, float, float]]
) -> tuple[list[ExactQrel], list[ExactLine]]:
    """Lines as `collection_from_lines` takes them; line numbers are positions, from 1."""
    judged = [ExactQrel(q, d, Fraction(g), i) for i, (q, d, g) in enumerate(qrels, start=1)]
    return judged, [ExactLine(q, d, r, s, i) for i, (q, d, r, s) in enumerate(run, start=1)]


class _Query:
    """One query under a specification: its judgments, and the pieces of the definition."""

    def __init__(self, spec: MetricSpec, query: str, qrels: Sequence[ExactQrel], run: Sequence[ExactLine]) -> None:
        self.spec, self.query, self.run = spec, query, run
        self.negative = spec["negative"]
        grades: dict[str, list[Fraction]] = {}
        for each in qrels:
            grade = Fraction(math.trunc(each.grade)) if spec["grades"] == "integer" else each.grade
            grades.setdefault(each.doc, []).append(grade)
        if self.negative == "unjudged":
            grades = {doc: [g for g in each if g >= 0] for doc, each in grades.items()}
        self.doomed = {doc for doc, each in grades.items() if self.negative == "drop" and any(g < 0 for g in each)}
        self.grades = {doc: each for doc, each in grades.items() if each and doc not in self.doomed}

    def gain(self, grade: Fraction, ideal: bool) -> Any:
        spec = self.spec
        if grade < 0 and (self.negative == "zero" or (self.negative == "keep-dcg" and ideal)):
            return MP.mpf(0)
        kind = spec["gain"]
        if kind == "binary":
            return MP.mpf(1 if grade >= Fraction(Decimal(spec["threshold"])) else 0)
        value = MP.mpf(grade.numerator) / grade.denominator
        if ":" in kind:
            table = {Fraction(Decimal(g)): number(x) for g, x in (item.split(":") for item in kind.split(","))}
            if grade not in table:
                raise UsageError(f"the gain table has no gain for grade {grade}")
            value = table[grade]
        elif kind == "exponential":
            value = MP.mpf(2) ** value - 1
        if spec["min_grade"] != "none" and grade < Fraction(Decimal(spec["min_grade"])):
            return MP.mpf(0)
        return value

    def gain_of(self, doc: str, ideal: bool = False) -> Any:
        return sum((self.gain(grade, ideal) for grade in self.grades.get(doc, [])), MP.mpf(0))

    def relevant(self, doc: str) -> int:
        if self.spec.measure == "judged":
            return len(self.grades.get(doc, []))
        lowest = Fraction(Decimal(self.spec["threshold"]))
        return sum(g >= lowest and not (g < 0 and self.negative == "zero") for g in self.grades.get(doc, []))

    @property
    def total_relevant(self) -> int:
        return sum(self.relevant(doc) for doc in self.grades)

    def divisor(self, rank: int) -> Any:
        discount = self.spec["discount"]
        if discount == "log2":
            return MP.log(rank + 1, 2)
        if discount == "reciprocal":
            return MP.mpf(rank)
        if discount == "log2*reciprocal":
            return rank * MP.log(rank + 1, 2)
        if discount == "none":
            return MP.mpf(1)
        if discount.startswith("log2+"):
            return MP.log(rank + number(discount[5:]), 2)
        base = number(discount.removeprefix("jk:"))
        return MP.mpf(1) if rank < base else MP.log(rank, base)

    # The ranking, one concrete order of the ties at a time.

    def key(self, score: float, rank: float, line: int) -> float:
        match self.spec["order"]:
            case "rank":
                return -rank
            case "line":
                return -float(line)
            case _:
                return self.rounded(score)

    def rounded(self, score: float) -> float:
        if self.spec["score_precision"] == "float64":
            return score
        with np.errstate(over="ignore"):
            return float(np.float32(score))

    def lines(self) -> list[ExactLine]:
        lines = list(self.run)
        docs = [each.doc for each in lines]
        match self.spec["run_duplicates"]:
            case "first":
                return [each for i, each in enumerate(lines) if each.doc not in docs[:i]]
            case "last":
                return [each for i, each in enumerate(lines) if each.doc not in docs[i + 1 :]]
            case _:
                return lines

    def orders_of(self, docs: list[_Doc], observed: Sequence[str] | None) -> Iterator[list[_Doc]]:
        """Every order that the tie rule allows: one, or all of them."""
        ties = self.spec["ties"]
        groups: dict[float, list[_Doc]] = {}
        for each in docs:
            groups.setdefault(each.key, []).append(each)
        ranked = [groups[key] for key in sorted(groups, reverse=True)]
        if ties in ("average", "best", "worst"):
            if math.prod(math.factorial(len(group)) for group in ranked) > MOST_ORDERS:
                raise NdcgaugeError("the ties have too many orders to enumerate")
            for chosen in itertools.product(*(itertools.permutations(group) for group in ranked)):
                yield [doc for group in chosen for doc in group]
            return
        for group in ranked:
            group.sort(key=lambda doc: doc.line)
            if ties.startswith("observed"):
                assert observed is not None
                group.sort(key=lambda doc: observed.index(doc.doc))
            elif ties.startswith("docid"):
                group.sort(key=lambda doc: doc.doc.encode("utf-8", "surrogateescape"), reverse=ties == "docid-desc")
            elif ties == "line-reversed":
                group.reverse()
        yield [doc for group in ranked for doc in group]

    def rankings(self, observed: Sequence[str] | None) -> Iterator[tuple[list[str], list[str]]]:
        """(what is left of the run, the final ranking) for every order of the ties."""
        spec = self.spec
        lines = self.lines()
        own = {each.doc for each in lines if each.doc == self.query} if spec["self"] == "drop" else set[str]()
        minimum = -math.inf if spec["min_score"] == "none" else float(spec["min_score"])
        kept = [each for each in lines if each.doc not in own and (spec["min_score"] == "none" or each.score > minimum)]
        depth = spec.cutoff if spec["depth"] == "cutoff" else None if spec["depth"] == "none" else int(spec["depth"])
        docs = [_Doc(each.doc, self.key(each.score, each.rank, each.line), each.line) for each in kept]
        for order in self.orders_of(docs, observed):
            left = order if depth is None else order[:depth]
            left = [doc for doc in left if doc.doc not in self.doomed]
            if spec["unjudged"] == "drop":
                left = [doc for doc in left if doc.doc in self.grades]
            names = [doc.doc for doc in left]
            for final in self.completed(left, own, observed):
                yield names, final

    def completed(self, left: list[_Doc], own: set[str], observed: Sequence[str] | None) -> Iterator[list[str]]:
        spec = self.spec
        present = {doc.doc for doc in left}
        missing = [doc for doc in self.grades if doc not in present and doc not in own]
        names = [doc.doc for doc in left]
        if spec["unretrieved"] == "absent" or not missing:
            yield names
            return
        after = max((doc.line for doc in self.run), default=0) + 1
        if spec["unretrieved"] == "append" or spec["order"] != "score":
            added = [_Doc(doc, 0.0, after + i) for i, doc in enumerate(missing)]
            for order in self.orders_of(added, observed):
                yield names + [doc.doc for doc in order]
            return
        x = self.rounded(float(spec["unretrieved"].removeprefix("score:")))
        added = [_Doc(doc, x, after + i) for i, doc in enumerate(missing)]
        above = [doc.doc for doc in left if doc.key > x]
        below = [doc.doc for doc in left if doc.key < x]
        for order in self.orders_of([doc for doc in left if doc.key == x] + added, observed):
            yield above + [doc.doc for doc in order] + below

    # The measure of one order.

    def ideal(self, left: list[str]) -> Any:
        spec, k = self.spec, self.spec.cutoff
        match spec["ideal"]:
            case "judged":
                gains = [self.gain(g, True) for each in self.grades.values() for g in each]
            case "retrieved":
                gains = [self.gain_of(doc, True) for doc in left]
            case _:
                grades = [g for each in self.grades.values() for g in each]
                gains = [self.gain(max(grades), True)] * (len(grades) if k is None else k) if grades else []
        gains.sort(reverse=True)
        limit = len(gains)
        if spec["ideal_cutoff"] == "same" and k is not None:
            limit = k
        elif spec["ideal_cutoff"] == "retrieved":
            limit = len(left) if k is None else min(k, len(left))
        return sum((gain / self.divisor(i) for i, gain in enumerate(gains[:limit], start=1)), MP.mpf(0))

    def parts(self, left: list[str], final: list[str]) -> tuple[Any, Any]:
        """Numerator and denominator under one order."""
        spec, k = self.spec, self.spec.cutoff
        top = final if k is None else final[:k]
        if spec.measure in ("ndcg", "dcg"):
            dcg = sum((self.gain_of(doc) / self.divisor(i) for i, doc in enumerate(top, start=1)), MP.mpf(0))
            return dcg, self.ideal(left) if spec.measure == "ndcg" else MP.mpf(1)
        hits = [self.relevant(doc) for doc in top]
        found, total = sum(hits), self.total_relevant
        match spec.measure:
            case "ap":
                up = MP.mpf(0)
                for i, hit in enumerate(hits, start=1):
                    up += MP.mpf(hit) * sum(hits[:i]) / i
                least = total if k is None else min(k, total)
                return up, MP.mpf({"relevant": total, "retrieved": found, "min-k": least}[spec["ap_denominator"]])
            case "rr":
                first = next((i for i, hit in enumerate(hits, start=1) if hit), None)
                return MP.mpf(0) if first is None else MP.mpf(1) / first, MP.mpf(1)
            case "recall":
                if spec["recall_denominator"] == "any":
                    return MP.mpf(1 if found else 0), MP.mpf(1)
                capped = spec["recall_denominator"] == "min-k" and k is not None
                return MP.mpf(found), MP.mpf(min(k or 0, total) if capped else total)
            case _:
                by_k = spec[f"{spec.measure}_denominator"] == "k" and k is not None
                return MP.mpf(found), MP.mpf(k or 0) if by_k else MP.mpf(len(top))

    def value(self, numerator: Any, denominator: Any) -> Any:
        if denominator > 0:
            return numerator / denominator
        return MP.mpf(1 if self.spec.measure == "ndcg" and self.spec["zero_ideal"] == "one" else 0)

    def lacks_ideal(self, denominators: Sequence[Any]) -> bool:
        if self.spec.measure == "ndcg":
            return all(each <= 0 for each in denominators)
        return self.spec.measure in ("ap", "rr", "precision", "recall") and self.total_relevant == 0

    def judgments_alone(self) -> Any:
        """The denominator of a query that the run lacks."""
        spec, k = self.spec, self.spec.cutoff
        if spec.measure == "ndcg":
            alone = spec.replace(
                ideal="judged" if spec["ideal"] == "retrieved" else spec["ideal"],
                ideal_cutoff="same" if spec["ideal_cutoff"] == "retrieved" else spec["ideal_cutoff"],
            )
            twin = _Query(alone, self.query, [], [])
            twin.grades, twin.negative = self.grades, self.negative
            return twin.ideal([])
        axis = {"ap": "ap_denominator", "recall": "recall_denominator"}.get(spec.measure)
        if axis is not None and spec[axis] == "min-k" and k is not None:
            return MP.mpf(min(k, self.total_relevant))
        return MP.mpf(self.total_relevant)


def _check(spec: MetricSpec, axis: str, what: str, pairs: list[tuple[str, str]]) -> None:
    if spec[axis] == "error" and len(set(pairs)) < len(pairs):
        raise InputError(f"the {what} repeat a document of a query")


def _kept_qrels(spec: MetricSpec, qrels: Sequence[ExactQrel]) -> list[ExactQrel]:
    mode = spec["qrels_duplicates"]
    pairs = [(each.query, each.doc) for each in qrels]
    if mode == "first":
        return [each for i, each in enumerate(qrels) if pairs[i] not in pairs[:i]]
    if mode == "last":
        kept = {pair: each for pair, each in zip(pairs, qrels, strict=True)}
        return [kept[pair] for pair in dict.fromkeys(pairs)]
    return list(qrels)


def exact_evaluate(
    qrels: Sequence[ExactQrel],
    run: Sequence[ExactLine],
    spec: MetricSpec,
    observed: Mapping[str, Sequence[str]] | None = None,
) -> ExactScores:
    """The values and the mean of one specification, in the definition's own words.

    Raises InputError for a duplicate that the specification refuses, UsageError for
    `ties=random` and for a gain table without a grade, NdcgaugeError where the ties of a query
    have more than 7! orders.
    """
    if spec["ties"] == "random":
        raise UsageError("ties=random has no value of its own")
    _check(spec, "qrels_duplicates", "qrels", [(each.query, each.doc) for each in qrels])
    _check(spec, "run_duplicates", "run", [(each.query, each.doc) for each in run])
    kept = _kept_qrels(spec, qrels)
    judged, ran = {each.query for each in qrels}, {each.query for each in run}
    counted = {"intersection": judged & ran, "judged": judged, "run": ran}[spec["queries"]]
    values: dict[str, Any] = {}
    numerators: list[Any] = []
    denominators: list[Any] = []
    for query in sorted(counted, key=lambda text: text.encode("utf-8", "surrogateescape")):
        here = _Query(
            spec, query, [each for each in kept if each.query == query], [each for each in run if each.query == query]
        )
        zero = spec.axes.get("zero_ideal", "zero")
        if query not in ran:
            parts = [(MP.mpf(0), here.judgments_alone())]
            lacking = "zero_ideal" in spec.axes and parts[0][1] <= 0
            value = MP.mpf(0)
        else:
            ways = list(here.rankings(None if observed is None else observed.get(query)))
            parts = [here.parts(left, final) for left, final in ways]
            lacking = query in judged and "zero_ideal" in spec.axes and here.lacks_ideal([d for _, d in parts])
            results = [here.value(n, d) for n, d in parts]
            value = {"best": max, "worst": min}.get(spec["ties"], lambda r: sum(r, MP.mpf(0)) / len(r))(results)
            if query not in judged:
                value = MP.mpf(0)
        if lacking and zero == "skip":
            continue
        if lacking and zero != "zero":
            value = MP.mpf(1) if zero == "one" else MP.nan
        if spec["row_rounding"] != "none" and not MP.isnan(value):
            value = number(format(float(value), f".{spec['row_rounding']}f"))
        values[query] = value
        if query in judged or spec.measure in ("precision", "judged"):
            numerators.append(sum((n for n, _ in parts), MP.mpf(0)) / len(parts) if query in judged else MP.mpf(0))
            denominators.append(sum((d for _, d in parts), MP.mpf(0)) / len(parts))
    if spec["averaging"] == "pooled" and spec.measure not in ("dcg", "rr"):
        usable = [(n, d) for n, d in zip(numerators, denominators, strict=True) if d > 0]
        below = sum((d for _, d in usable), MP.mpf(0))
        return ExactScores(values, sum((n for n, _ in usable), MP.mpf(0)) / below if below > 0 else None)
    if not values or any(MP.isnan(each) for each in values.values()):
        return ExactScores(values, None)
    return ExactScores(values, sum(values.values(), MP.mpf(0)) / len(values))
