"""The judgments of the slow reference: what each line of the qrels gains, and whether it counts."""

# mpmath has no type stubs; every value that it returns here is an mpf.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import mpmath
from mpmath import mpf

from ndcgauge.errors import InputError, UsageError
from ndcgauge.spec import MetricSpec


@dataclass(frozen=True)
class ExactQrel:
    """One line of the qrels."""

    query: str
    doc: str
    grade: Fraction
    """The grade as written: `Fraction("1.9")` is exactly 1.9."""
    line: int
    """Line number, from 1."""


@dataclass(frozen=True)
class Judgment:
    """One line of the qrels that counts, as the specification reads it."""

    grade: Fraction
    gain: mpf
    """In DCG."""
    ideal_gain: mpf
    relevant: bool


@dataclass(frozen=True)
class QueryJudgments:
    """The judgments of a query; no document where all its lines count as unjudged."""

    docs: dict[str, tuple[Judgment, ...]] = field(default_factory=dict[str, tuple[Judgment, ...]])
    """Judged document to its lines that count."""
    line: dict[str, int] = field(default_factory=dict[str, int])
    """Document to the number of the line that first names it, counted or not."""
    padding: set[str] = field(default_factory=set[str])
    """Documents that leave ranking and ideal: those with a negative grade under `negative=drop`."""

    @property
    def all(self) -> list[Judgment]:
        """Every line that counts."""
        return [judgment for judgments in self.docs.values() for judgment in judgments]


def judgments_of(qrels: Sequence[ExactQrel], spec: MetricSpec) -> dict[str, QueryJudgments]:
    """The judgments of every query that has a line in the qrels.

    Raises InputError for a repeated pair where `qrels_duplicates` refuses it, UsageError for a
    grade that the gain table lacks.
    """
    result: dict[str, QueryJudgments] = {}
    for qrel in sorted(qrels, key=lambda each: each.line):
        result.setdefault(qrel.query, QueryJudgments()).line.setdefault(qrel.doc, qrel.line)
    kept = [(qrel, _grade(qrel, spec)) for qrel in _kept(qrels, spec["qrels_duplicates"])]
    for qrel, grade in kept:
        if grade < 0 and spec["negative"] == "drop":
            result[qrel.query].padding.add(qrel.doc)
    for qrel, grade in kept:
        judgments = result[qrel.query]
        if not (grade < 0 and spec["negative"] == "unjudged") and qrel.doc not in judgments.padding:
            judgments.docs[qrel.doc] = (*judgments.docs.get(qrel.doc, ()), _judgment(grade, spec))
    return result


def _grade(qrel: ExactQrel, spec: MetricSpec) -> Fraction:
    """The grade as written, or cut towards 0."""
    return Fraction(int(qrel.grade)) if spec["grades"] == "integer" else qrel.grade


def _kept(qrels: Sequence[ExactQrel], duplicates: str) -> list[ExactQrel]:
    kept: dict[tuple[str, str], ExactQrel] = {}
    for qrel in qrels:
        pair = (qrel.query, qrel.doc)
        if pair in kept and duplicates == "error":
            raise InputError(f"document {qrel.doc} of query {qrel.query} is judged twice", line=qrel.line)
        if pair not in kept or duplicates == "last":
            kept[pair] = qrel
    return sorted(qrels if duplicates == "all" else kept.values(), key=lambda qrel: qrel.line)


def _judgment(grade: Fraction, spec: MetricSpec) -> Judgment:
    if grade < 0 and spec["negative"] == "zero":
        return Judgment(grade, mpf(0), mpf(0), relevant=False)
    relevant = grade >= Fraction(spec["threshold"])
    gain = _gain(grade, relevant, spec) if "gain" in spec.axes else mpf(0)
    no_ideal = grade < 0 and spec["negative"] == "keep-dcg"
    return Judgment(grade, gain, mpf(0) if no_ideal else gain, relevant)


def _gain(grade: Fraction, relevant: bool, spec: MetricSpec) -> mpf:
    if spec["gain"] == "binary":
        return mpf(1 if relevant else 0)
    below = spec["min_grade"] != "none" and grade < Fraction(spec["min_grade"])
    match spec["gain"]:
        case "linear":
            gain = number(grade)
        case "exponential":
            gain = mpmath.power(2, number(grade)) - 1
        case table:
            entries = dict(entry.split(":") for entry in table.split(","))
            gains = {Fraction(key): number(Fraction(value)) for key, value in entries.items()}
            if grade not in gains:
                raise UsageError(f"the gain table {table} has no grade {grade}")
            gain = gains[grade]
    return mpf(0) if below else gain


def number(value: Fraction) -> mpf:
    """A fraction at the digits in force."""
    return mpf(value.numerator) / value.denominator
