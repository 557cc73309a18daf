"""The slow, obviously right reference: plain loops over numbers of 50 digits, every order of every tie.

It exists to check the vectorised `evaluate` and shares nothing with it. One query is taken at a
time, one complete order of its documents at a time, and DESIGN §2 is followed stage by stage.
"""

# mpmath has no type stubs; every value that it returns here is an mpf.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import mpmath
import numpy as np
from mpmath import mpf

from ndcgauge.errors import InputError, NdcgaugeError, UsageError
from ndcgauge.reference.exact_judgments import ExactQrel, Judgment, QueryJudgments, judgments_of
from ndcgauge.reference.exact_measures import Outcome, missing_outcome, outcome_of, unjudged_outcome
from ndcgauge.spec import MetricSpec

DIGITS = 50
"""Decimal digits of every number."""
MOST_ORDERS = 5040
"""7!, the most orders of one query's ties that are gone through."""


class TooManyOrdersError(NdcgaugeError):
    """The ties of a query have more orders that can be told apart than are gone through."""


@dataclass(frozen=True)
class ExactLine:
    """One line of a run."""

    query: str
    doc: str
    rank: float
    score: float
    line: int
    """Line number, from 1."""


@dataclass(frozen=True)
class ExactScores:
    """Values of one specification."""

    values: dict[str, mpf]
    """Query id to value, for the counted queries only, in the byte order of their ids; nan where undefined."""
    mean: mpf | None
    """The aggregate; nan where a value is, None where nothing was there to average."""


@dataclass(frozen=True)
class _Document:
    """A document in a ranking."""

    doc: str
    key: float
    """What it is ranked by; greater is better."""
    line: tuple[bool, int]
    """Whether the run lacks it, and its line in the run (else in the qrels): the order of lines."""
    judgments: tuple[Judgment, ...]
    """Its lines of the qrels that count; none where it is unjudged."""
    padding: bool
    """Whether `negative=drop` removes it."""
    repeated: bool
    """Whether the run holds the same document more than once."""

    @property
    def kind(self) -> tuple[object, ...]:
        """Documents of one kind can trade places without any measure noticing."""
        return self.judgments, self.padding, self.doc if self.repeated else ""


def exact_lines(
    qrels: Iterable[tuple[str, str, float]], run: Iterable[tuple[str, str, float, float]]
) -> tuple[list[ExactQrel], list[ExactLine]]:
    """Lines as `collection_from_lines` takes them; line numbers are the positions, from 1.

    A grade of 1.9 is the decimal number 1.9, as the text that it was read from says.
    """
    judged = [ExactQrel(query, doc, Fraction(repr(grade)), i) for i, (query, doc, grade) in enumerate(qrels, 1)]
    return judged, [ExactLine(*line, i) for i, line in enumerate(run, 1)]


def exact_evaluate(
    qrels: Sequence[ExactQrel],
    run: Sequence[ExactLine],
    spec: MetricSpec,
    observed: Mapping[str, Sequence[str]] | None = None,
) -> ExactScores:
    """Every counted query's value, and the aggregate.

    `observed` is for `ties=observed`: query id to the complete order of its documents; documents
    that it lacks come last, by line.

    Raises InputError for a repeated pair where the specification refuses it; UsageError for
    `ties=random`, for `ties=observed` without an order, and for a grade that the gain table lacks;
    TooManyOrdersError where a query's ties have more than 7! orders that can be told apart.
    """
    if spec["ties"] == "random":
        raise UsageError("ties=random has no value of its own", fix="average, best or worst")
    if spec["ties"].startswith("observed") and observed is None:
        raise UsageError("ties=observed needs the order that was observed")
    with mpmath.workdps(DIGITS):
        judgments = judgments_of(qrels, spec)
        lines: dict[str, list[ExactLine]] = {}
        for line in _kept_lines(run, spec["run_duplicates"]):
            lines.setdefault(line.query, []).append(line)
        outcomes: dict[str, Outcome] = {}
        for query in _counted(judgments, lines, spec["queries"]):
            if query not in lines:
                outcomes[query] = missing_outcome(judgments[query], spec)
            else:
                order = () if observed is None else observed.get(query, ())
                found = _outcomes(lines[query], judgments.get(query), spec, order)
                outcomes[query] = _over_orders(found, spec["ties"])
        return _aggregate(outcomes, spec)


def _kept_lines(run: Sequence[ExactLine], duplicates: str) -> list[ExactLine]:
    """The lines that `run_duplicates` leaves, in their order."""
    kept: dict[tuple[str, str], ExactLine] = {}
    for line in run:
        pair = (line.query, line.doc)
        if pair in kept and duplicates == "error":
            raise InputError(f"document {line.doc} of query {line.query} is repeated", line=line.line)
        if pair not in kept or duplicates == "last":
            kept[pair] = line
    return sorted(run if duplicates == "all" else kept.values(), key=lambda line: line.line)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _counted(judged: Iterable[str], run: Iterable[str], queries: str) -> list[str]:
    """The queries that may count, in byte order."""
    in_qrels, in_run = set(judged), set(run)
    chosen = {"intersection": in_qrels & in_run, "judged": in_qrels, "run": in_run}[queries]
    return sorted(chosen, key=_bytes)


# The orders of one query's documents


def _outcomes(
    lines: Sequence[ExactLine], judgments: QueryJudgments | None, spec: MetricSpec, observed: Sequence[str]
) -> list[tuple[mpf, Outcome]]:
    """(probability, outcome) of every order of a query's ties; `lines` are the query's in the run."""
    query = lines[0].query
    known = QueryJudgments() if judgments is None else judgments
    occurrences = Counter(line.doc for line in lines)
    minimum = None if spec["min_score"] == "none" else float(spec["min_score"])
    documents = [
        _Document(
            doc=line.doc,
            key=_key(line, spec),
            line=(False, line.line),
            judgments=known.docs.get(line.doc, ()),
            padding=line.doc in known.padding,
            repeated=occurrences[line.doc] > 1,
        )
        for line in lines
        if not (spec["self"] == "drop" and line.doc == query) and (minimum is None or line.score > minimum)
    ]
    own_dropped = spec["self"] == "drop" and query in occurrences
    result: list[tuple[mpf, Outcome]] = []
    orders = _at_most(_orders(documents, spec, observed), MOST_ORDERS)
    for order in orders:
        left = _left(order, spec)
        present = {document.doc for document in left}
        absent = [
            _Document(doc, _inserted_at(spec), (True, known.line[doc]), each, padding=False, repeated=False)
            for doc, each in known.docs.items()
            if doc not in present and not (own_dropped and doc == query)
        ]
        rankings = _at_most(_completed(left, absent, spec, observed), MOST_ORDERS // len(orders))
        # Orders of the run are equally likely; so are, after each, the orders of what is added to it.
        probability = mpf(1) / len(orders) / len(rankings)
        kept = [document.judgments for document in left]
        for ranking in rankings:
            final = [document.judgments for document in ranking]
            outcome = unjudged_outcome(final, spec) if judgments is None else outcome_of(final, kept, judgments, spec)
            result.append((probability, outcome))
    return result


def _at_most(orders: Iterator[list[_Document]], most: int) -> list[list[_Document]]:
    found: list[list[_Document]] = []
    for order in orders:
        if len(found) == most:
            raise TooManyOrdersError(f"the ties of a query have more than {MOST_ORDERS} orders")
        found.append(order)
    return found


def _key(line: ExactLine, spec: MetricSpec) -> float:
    match spec["order"]:
        case "rank":
            return -line.rank
        case "line":
            return -float(line.line)
        case _:
            return _score(line.score, spec)


def _score(score: float, spec: MetricSpec) -> float:
    if spec["score_precision"] == "float64":
        return score
    with np.errstate(over="ignore"):
        return float(np.float32(score))


def _inserted_at(spec: MetricSpec) -> float:
    """The score of documents that the run lacks; without `score:x` it is not looked at."""
    prefix, _, number = spec["unretrieved"].partition(":")
    return _score(float(number), spec) if prefix == "score" else 0.0


def _orders(documents: Sequence[_Document], spec: MetricSpec, observed: Sequence[str]) -> Iterator[list[_Document]]:
    """Every complete order by key: one under a tie rule, else all that can be told apart, each as likely."""
    if not documents:
        yield []
        return
    best = max(document.key for document in documents)
    tied = [document for document in documents if document.key == best]
    rest = [document for document in documents if document.key != best]
    for head in _tied_orders(tied, spec, observed):
        for tail in _orders(rest, spec, observed):
            yield head + tail


def _tied_orders(tied: Sequence[_Document], spec: MetricSpec, observed: Sequence[str]) -> Iterator[list[_Document]]:
    by_line = sorted(tied, key=lambda document: document.line)
    match spec["ties"]:
        case "docid-desc":
            yield sorted(by_line, key=lambda document: _bytes(document.doc), reverse=True)
        case "docid-asc":
            yield sorted(by_line, key=lambda document: _bytes(document.doc))
        case "line":
            yield by_line
        case "line-reversed":
            yield by_line[::-1]
        case "average" | "best" | "worst":
            yield from _arrangements(by_line)
        case _:
            place = {doc: i for i, doc in enumerate(observed)}
            yield sorted(by_line, key=lambda document: place.get(document.doc, len(place)))


def _arrangements(documents: Sequence[_Document]) -> Iterator[list[_Document]]:
    """Every order that can be told apart; all stand for equally many permutations."""
    if not documents:
        yield []
        return
    tried: set[tuple[object, ...]] = set()
    for i, document in enumerate(documents):
        if document.kind not in tried:
            tried.add(document.kind)
            for rest in _arrangements([*documents[:i], *documents[i + 1 :]]):
                yield [document, *rest]


def _left(order: Sequence[_Document], spec: MetricSpec) -> list[_Document]:
    """What `depth`, `negative=drop` and `unjudged=drop` leave of a complete order."""
    match spec["depth"]:
        case "none":
            depth = None
        case "cutoff":
            depth = spec.cutoff
        case number:
            depth = int(number)
    return [
        document
        for document in order[:depth]
        if not document.padding and (document.judgments or spec["unjudged"] == "zero")
    ]


def _completed(
    left: list[_Document], absent: list[_Document], spec: MetricSpec, observed: Sequence[str]
) -> Iterator[list[_Document]]:
    """The final rankings: what is left, and the judged documents that it lacks where `unretrieved` puts them."""
    if spec["unretrieved"] == "absent" or not absent:
        yield left
    elif spec["unretrieved"] == "append" or spec["order"] != "score":
        for tail in _tied_orders(absent, spec, observed):
            yield left + tail
    else:
        score = absent[0].key
        above = [document for document in left if document.key > score]
        level = [document for document in left if document.key == score]
        below = [document for document in left if document.key < score]
        for middle in _tied_orders([*level, *absent], spec, observed):
            yield above + middle + below


# From orders to values


def _over_orders(outcomes: Sequence[tuple[mpf, Outcome]], ties: str) -> Outcome:
    """Expectation, best or worst over the orders.

    Orders in which the query would be skipped do not take part; it is skipped where all are such.
    One undefined order makes the query undefined.
    """
    defined = [(weight, outcome) for weight, outcome in outcomes if outcome.counted]
    if not defined:
        return outcomes[0][1]
    undefined = [outcome for _, outcome in defined if mpmath.isnan(outcome.value)]
    if undefined:
        return undefined[0]
    if ties in ("best", "worst"):
        # For `pooled`: of orders that are equally good, the one with the greatest denominator.
        sign = 1 if ties == "best" else -1
        return max((outcome for _, outcome in defined), key=lambda each: (sign * each.value, each.denominator))
    total = _sum(weight for weight, _ in defined)
    return Outcome(
        value=_sum(weight * outcome.value for weight, outcome in defined) / total,
        numerator=_sum(weight * outcome.numerator for weight, outcome in defined) / total,
        denominator=_sum(weight * outcome.denominator for weight, outcome in defined) / total,
    )


def _sum(numbers: Iterable[mpf]) -> mpf:
    return sum(numbers, mpf(0))


def _aggregate(outcomes: Mapping[str, Outcome], spec: MetricSpec) -> ExactScores:
    counted = {query: outcome for query, outcome in outcomes.items() if outcome.counted}
    values = {query: outcome.value for query, outcome in counted.items()}
    if spec["row_rounding"] != "none":
        values = {query: mpf(format(float(value), f".{spec['row_rounding']}f")) for query, value in values.items()}
    if spec["averaging"] == "pooled" and spec.measure not in ("dcg", "rr"):
        positive = [outcome for outcome in counted.values() if outcome.denominator > 0]
        numerator = _sum(outcome.numerator for outcome in positive)
        denominator = _sum(outcome.denominator for outcome in positive)
        return ExactScores(values, numerator / denominator if positive else None)
    return ExactScores(values, _sum(values.values()) / len(values) if values else None)
