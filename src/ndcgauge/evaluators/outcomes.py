"""What an evaluator said for a query, or for the mean: a closed set, never a bare float (DESIGN §5.3).

0.0, NaN, nothing, a refusal and a crash are five different answers; none of them becomes another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never


@dataclass(frozen=True)
class Value:
    """It gave a number; NaN and infinities are numbers that it gave."""

    number: float


@dataclass(frozen=True)
class Missing:
    """It gave nothing for a query that it was asked about, and said nothing either."""


@dataclass(frozen=True)
class Refused:
    """It said no, in its own words: scikit-learn on a query with one document, trec_eval on a repeated one."""

    message: str


@dataclass(frozen=True)
class Unsupported:
    """It has no such measure, or no such value of an axis; it was not called."""

    axis: str
    """The axis that it lacks a value of; `measure` where it lacks the whole measure."""
    message: str


@dataclass(frozen=True)
class Unstable:
    """The same bytes gave several values."""

    values: tuple[float, ...]


@dataclass(frozen=True)
class Crashed:
    """It ended, raised, or spoke garbage instead of an answer."""

    message: str
    stderr_tail: str = ""


@dataclass(frozen=True)
class TimedOut:
    """It gave no answer within its time limit and was killed with its children."""

    seconds: float


@dataclass(frozen=True)
class Unavailable:
    """It is not installed here."""

    how_to_install: str


Outcome = Value | Missing | Refused | Unsupported | Unstable | Crashed | TimedOut | Unavailable


def outcome_name(outcome: Outcome) -> str:
    """The word that reports and the protocol use for it: `value`, `refused`, `timed-out` …"""
    match outcome:
        case Value():
            return "value"
        case Missing():
            return "missing"
        case Refused():
            return "refused"
        case Unsupported():
            return "unsupported"
        case Unstable():
            return "unstable"
        case Crashed():
            return "crashed"
        case TimedOut():
            return "timed-out"
        case Unavailable():
            return "unavailable"
        case _:
            assert_never(outcome)


def explain(outcome: Outcome) -> str:
    """One sentence for a reader who sees no code."""
    match outcome:
        case Value(number):
            return f"gave {number!r}"
        case Missing():
            return "gave nothing"
        case Refused(message):
            return f"refused: {message}"
        case Unsupported(_, message):
            return f"unsupported: {message}"
        case Unstable(values):
            return f"gave different values for the same files: {', '.join(map(repr, values))}"
        case Crashed(message, _):
            return f"crashed: {message}"
        case TimedOut(seconds):
            return f"gave no answer within {seconds:g} s"
        case Unavailable(how_to_install):
            return f"is not available here; to install it: {how_to_install}"
        case _:
            assert_never(outcome)


def with_counts(outcome: Outcome, concerned: int, asked: int) -> Outcome:
    """An outcome of single queries as the outcome of their mean: the message says how many queries it concerns."""
    counts = f" ({concerned} of {asked} queries)"
    match outcome:
        case Refused(message):
            return Refused(message + counts)
        case Unsupported(axis, message):
            return Unsupported(axis, message + counts)
        case Crashed(message, tail):
            return Crashed(message + counts, tail)
        case Value() | Missing() | Unstable() | TimedOut() | Unavailable():
            return outcome
        case _:
            assert_never(outcome)
