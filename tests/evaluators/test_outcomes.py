from __future__ import annotations

from typing import get_args

import pytest

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
    outcome_name,
)

ONE_OF_EACH: list[tuple[Outcome, str, str]] = [
    (Value(0.0), "value", "gave 0.0"),
    (Missing(), "missing", "gave nothing"),
    (Refused("one document"), "refused", "refused: one document"),
    (Unsupported("measure", "it has ndcg"), "unsupported", "unsupported: it has ndcg"),
    (Unsupported("cutoff", "none here"), "unsupported", "unsupported: none here"),
    (Unstable((0.5, 0.25)), "unstable", "gave different values for the same files: 0.5, 0.25"),
    (Crashed("died", "tail"), "crashed", "crashed: died"),
    (TimedOut(2.5), "timed-out", "gave no answer within 2.5 s"),
    (Unavailable("pip install x"), "unavailable", "is not available here; to install it: pip install x"),
]


@pytest.mark.parametrize(("outcome", "name", "sentence"), ONE_OF_EACH)
def test_every_outcome_has_a_name_and_a_sentence(outcome: Outcome, name: str, sentence: str) -> None:
    assert outcome_name(outcome) == name
    assert explain(outcome) == sentence


def test_the_table_above_is_the_closed_set() -> None:
    assert {type(outcome) for outcome, _, _ in ONE_OF_EACH} == set(get_args(Outcome))
