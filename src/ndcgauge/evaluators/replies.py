"""From a reply of the protocol to answers. A reply is foreign: nothing in it is believed unchecked."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ndcgauge.evaluators.answers import Answer, Captured, Seconds, aggregate_of
from ndcgauge.evaluators.order_file import first_wrong_line
from ndcgauge.evaluators.outcomes import Crashed, Missing, Outcome, Refused, Unsupported, Value
from ndcgauge.spec import Measure

Reply = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """What one evaluator was asked, as far as its answer needs it."""

    evaluator: str
    asked: Sequence[str]
    """Every judged query."""
    prints_missing: bool
    """Whether a row is expected for a judged query that the run lacks."""
    trusted: bool
    """Whether the order file was written by an adapter of ours."""


@dataclass(frozen=True)
class _Call:
    """One measure, and the line that a user could type for it."""

    measure: Measure
    text: str


class OutOfTurn(Exception):
    """What a process wrote is not the reply to what it was asked: it cannot be understood from here on."""


def table_of(value: object) -> Reply | None:
    """A JSON object as a table; None for anything else."""
    return cast(Reply, value) if isinstance(value, dict) else None


def versions_of(reply: Reply) -> dict[str, str]:
    """Library to version, as a reply says."""
    return {str(name): str(number) for name, number in (table_of(reply.get("versions")) or {}).items()}


def reply_of(line: bytes, number: int) -> Reply:
    """The reply that a line holds, be it a failure.

    `number`: the id of the request that it must answer. Raises OutOfTurn where the line is no reply to it.
    """
    try:
        reply = table_of(json.loads(line))
    except (ValueError, RecursionError):
        raise OutOfTurn(f"its reply is no JSON: {line[:80].decode('utf-8', 'replace')!r}") from None
    if reply is None or reply.get("id") != number:
        raise OutOfTurn("its reply is not the reply to what it was asked")
    return reply


def failure_of(reply: Reply) -> Outcome | None:
    """The outcome of a reply that says that nothing was computed; None for another."""
    if reply.get("ok") is True:
        return None
    message = _text(reply, "message") or "it gave no reason"
    if reply.get("kind") == "refused":
        return Refused(message)
    return Crashed(message, _text(reply, "traceback") or _text(reply, "stderr"))


def outcome_of(entry: object) -> Outcome:
    """One outcome of the protocol; what is none of its forms is a crash."""
    match table_of(entry):
        case {"value": bool() | None}:
            pass
        case {"value": int() | float() | "NaN" | "Infinity" | "-Infinity" as number}:
            with contextlib.suppress(OverflowError):
                return Value(float(number))
        case {"refused": str(message)}:
            return Refused(message)
        case {"unsupported": str(axis), "message": str(message)}:
            return Unsupported(axis, message)
        case {"crashed": str(message)}:
            return Crashed(message)
        case {"missing": True}:
            return Missing()
        case _:
            pass
    return Crashed(f"its reply has no outcome: {str(entry)[:80]!r}")


def answers_of(question: Question, measures: Sequence[Measure], calls: Sequence[str], reply: Reply) -> list[Answer]:
    """The answers for all measures of a request, in their order. Never raises for what the reply holds.

    `calls`: how the evaluator is called for each measure, as lines that a user could type.
    """
    failure = failure_of(reply)
    results = cast("list[object]", found) if isinstance(found := reply.get("results"), list) else []
    if failure is None and len(results) != len(measures):
        failure = Crashed(f"its reply has not one result for each of {len(measures)} measures", _text(reply, "stderr"))
    if failure is not None:
        return [failed(question, measure, failure, text, reply) for measure, text in zip(measures, calls, strict=True)]
    order = _order_file(question, reply)
    return [
        failed(question, measure, order, text, reply)
        if isinstance(order, Crashed)
        else _answer(question, _Call(measure, text), result, order, reply)
        for measure, text, result in zip(measures, calls, results, strict=True)
    ]


def failed(question: Question, measure: Measure, outcome: Outcome, call: str, reply: Reply | None = None) -> Answer:
    """The answer of an evaluator that gave nothing: the same outcome for every query and the mean."""
    return Answer(
        question.evaluator,
        measure,
        dict.fromkeys(question.asked, outcome),
        outcome,
        python=_text(reply or {}, "python"),
        called=call,
        captured=_captured(reply or {}),
    )


def _answer(question: Question, call: _Call, given: object, order: Path | None, reply: Reply) -> Answer:
    result = table_of(given)
    found = None if result is None else table_of(result.get("queries"))
    if result is None or found is None:
        outcome = outcome_of(given)
        if isinstance(outcome, Value):
            outcome = Crashed("its reply has a number for a whole measure and no queries")
        return failed(question, call.measure, outcome, call.text, reply)
    rows = {str(query): outcome_of(each) for query, each in found.items()}
    others = outcome_of(result["others"]) if "others" in result else Missing()
    queries: Mapping[str, Outcome] = {query: rows.get(query, others) for query in question.asked}
    aggregate = None if result.get("aggregate") is None else outcome_of(result["aggregate"])
    decimals: object = result.get("decimals")
    return Answer(
        evaluator=question.evaluator,
        measure=call.measure,
        queries=queries,
        aggregate=aggregate_of(aggregate, queries, rows_for_missing=question.prints_missing),
        decimals=decimals if isinstance(decimals, int) and not isinstance(decimals, bool) else None,
        order_file=order,
        versions=versions_of(reply),
        python=_text(reply, "python"),
        called=call.text,
        seconds=Seconds(_seconds(reply.get("load")), _seconds(reply.get("evaluate"))),
        captured=_captured(reply),
        unasked={query: outcome for query, outcome in rows.items() if query not in queries},
    )


def _text(reply: Reply, key: str) -> str:
    value = reply.get(key)
    return value if isinstance(value, str) else ""


def _captured(reply: Reply) -> Captured:
    return Captured(_text(reply, "stdout"), _text(reply, "stderr"))


def _seconds(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) and math.isfinite(value) and value >= 0 else 0.0


def _order_file(question: Question, reply: Reply) -> Path | Crashed | None:
    """The file with the order that it showed; a foreign one is read through first."""
    name = reply.get("order_file")
    if name is None:
        return None
    if not isinstance(name, str):
        return Crashed("its reply names an order file that is no path")
    path = Path(name)
    if question.trusted:
        return path
    try:
        wrong = first_wrong_line(path)
    except (OSError, ValueError) as error:
        return Crashed(f"its order file cannot be read: {error}")
    return (
        path
        if wrong is None
        else Crashed(f"line {wrong} of its order file is not a query and its documents, one space between")
    )
