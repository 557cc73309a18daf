"""Identities that any sound evaluator keeps, and that need no second evaluator to check.

AP = RR where one document is relevant; RR@k is 0 or RR; nDCG of the judgments against themselves
is 1; nDCG is at most 1 where no grade is negative; a monotone change of scores changes nothing;
renaming documents changes nothing where no scores tie. A broken one says that something is
unusual, or wrong; which axis it is, verification and attribution say.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ndcgauge.data.collection import Collection
from ndcgauge.diff.probes import InputFiles, monotone, perfect, renamed
from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Value
from ndcgauge.spec import Measure

Answers = Mapping[Measure, Answer]
AskAll = Callable[[InputFiles], Answers]
"""Calls one evaluator for all its measures on other files."""

AP_IS_RR = "AP = RR where one document is relevant"
RR_AT_K = "RR@k is 0 or RR"
SELF_IS_ONE = "nDCG of the judgments against themselves is 1"
AT_MOST_ONE = "nDCG is at most 1 where no grade is negative"
MONOTONE = "a monotone change of scores changes nothing"
RENAMING = "renaming documents changes nothing where no scores tie"


@dataclass(frozen=True)
class Checked:
    """One identity on the answers of one evaluator for one measure."""

    identity: str
    measure: Measure
    queries: int
    """Queries on which it could be checked."""
    broken: Sequence[str]
    """Those on which it does not hold, in the byte order of their ids."""
    example: str
    """The values of the first of them; empty where it holds."""


@dataclass(frozen=True)
class _Kinds:
    """Which queries an identity can be asked of."""

    one_relevant: frozenset[str]
    not_negative: frozenset[str]
    positive: frozenset[str]
    untied: frozenset[str]


def check_identities(
    collection: Collection, answers: Answers, files: InputFiles, folder: Path, ask: AskAll | None, tolerance: float
) -> list[Checked]:
    """Every identity that can be asked of an evaluator's answers.

    `tolerance` is for numbers that come in full; printed decimals add their own rounding. `ask`
    calls the evaluator again on rewritten files; None leaves the three identities out that need it.
    Identities about judgments are not asked where the qrels repeat a (query, document), nor those
    about rewritten runs where the run does.
    """
    kinds = _kinds(collection)
    checked: list[Checked] = []
    if kinds is not None:
        checked += _of_values(kinds, answers, tolerance)
    if ask is None:
        return [each for each in checked if each.queries]
    if kinds is not None and any(measure.stem == "ndcg" for measure in answers):
        judgments = ask(perfect(files, folder / "perfect"))
        for measure, answer in _of("ndcg", judgments):
            wanted = ((query, value, 1.0) for query, value in _values(answer).items() if query in kinds.positive)
            checked.append(_compare(SELF_IS_ONE, measure, wanted, _allowance(answer, tolerance)))
    if "error" in collection.rows:
        stretched = ask(monotone(files, folder / "monotone"))
        checked += _unmoved(MONOTONE, answers, stretched, frozenset(collection.queries), tolerance)
        if kinds is not None:
            others = ask(renamed(files, folder / "renaming", reverse=True))
            checked += _unmoved(RENAMING, answers, others, kinds.untied, tolerance)
    return [each for each in checked if each.queries]


def _kinds(collection: Collection) -> _Kinds | None:
    if "error" not in collection.judged.grades:
        return None
    grades: dict[str, list[float]] = defaultdict(list)
    lines = collection.judged.grades["error"]
    for code, grade in zip(collection.judged.query[lines.judged].tolist(), lines.grade.tolist(), strict=True):
        grades[collection.queries[int(code)]].append(grade)
    # A grade between 0 and 1 is relevant to some evaluators and not to others.
    whole = {query: each for query, each in grades.items() if all(grade.is_integer() for grade in each)}
    not_negative = {query for query, each in grades.items() if min(each) >= 0}
    tied = {collection.queries[int(code)] for code in np.unique(collection.ties["float64"].query)}
    return _Kinds(
        frozenset(query for query, each in whole.items() if sum(grade >= 1 for grade in each) == 1),
        frozenset(not_negative),
        frozenset(query for query in not_negative & whole.keys() if max(grades[query]) >= 1),
        frozenset(set(collection.queries) - tied),
    )


def _of_values(kinds: _Kinds, answers: Answers, tolerance: float) -> list[Checked]:
    """The identities between values that are there already."""
    checked: list[Checked] = []
    for measure, answer in _of("ndcg", answers):
        excess = (
            (query, value, value if value <= 1.0 else 1.0)
            for query, value in _values(answer).items()
            if query in kinds.not_negative
        )
        checked.append(_compare(AT_MOST_ONE, measure, excess, _allowance(answer, tolerance)))
    reciprocal = {measure.cutoff: _values(answer) for measure, answer in _of("rr", answers)}
    for measure, answer in _of("ap", answers):
        first = reciprocal.get(measure.cutoff, {})
        pairs = (
            (query, value, first[query])
            for query, value in _values(answer).items()
            if query in kinds.one_relevant and query in first
        )
        checked.append(_compare(AP_IS_RR, measure, pairs, 2 * _allowance(answer, tolerance)))
    whole = reciprocal.get(None, {})
    for measure, answer in _of("rr", answers):
        if measure.cutoff is not None:
            pairs = (
                (query, value, whole[query] if value else 0.0)
                for query, value in _values(answer).items()
                if query in whole
            )
            checked.append(_compare(RR_AT_K, measure, pairs, 2 * _allowance(answer, tolerance)))
    return checked


def _unmoved(
    identity: str, before: Answers, after: Answers, queries: frozenset[str], tolerance: float
) -> list[Checked]:
    checked: list[Checked] = []
    for measure, answer in before.items():
        if measure not in after:
            continue
        then = _values(after[measure])
        pairs = (
            (query, then[query], value) for query, value in _values(answer).items() if query in queries & then.keys()
        )
        checked.append(_compare(identity, measure, pairs, tolerance))
    return checked


def _compare(identity: str, measure: Measure, pairs: Iterable[tuple[str, float, float]], allowance: float) -> Checked:
    """Pairs are query, value, and the value that it should be."""
    asked, broken = 0, dict[str, str]()
    for query, value, wanted in pairs:
        asked += 1
        if not abs(value - wanted) <= allowance and not (math.isnan(value) and math.isnan(wanted)):
            broken[query] = f"{value:.6g} where {wanted:.6g} should be"
    names = sorted(broken, key=lambda query: query.encode("utf-8", "surrogateescape"))
    return Checked(identity, measure, asked, tuple(names), broken[names[0]] if names else "")


def _of(stem: str, answers: Answers) -> Iterable[tuple[Measure, Answer]]:
    return ((measure, answer) for measure, answer in answers.items() if measure.stem == stem)


def _values(answer: Answer) -> dict[str, float]:
    return {query: outcome.number for query, outcome in answer.queries.items() if isinstance(outcome, Value)}


def _allowance(answer: Answer, tolerance: float) -> float:
    return tolerance if answer.decimals is None else tolerance + 0.5 * 10.0**-answer.decimals
