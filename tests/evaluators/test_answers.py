from __future__ import annotations

import math

from ndcgauge.evaluators.answers import aggregate_of
from ndcgauge.evaluators.outcomes import Crashed, Missing, Outcome, Refused, Value


def test_the_evaluators_own_mean_is_the_aggregate_whatever_its_rows_are() -> None:
    assert aggregate_of(Value(0.3), {"q1": Refused("no"), "q2": Missing()}) == Value(0.3)
    assert aggregate_of(Refused("no mean"), {"q1": Value(1.0)}) == Refused("no mean")


def test_without_one_it_is_the_mean_of_the_rows_where_all_have_values() -> None:
    # One by one in the byte order of the ids, q10 before q2 before q3: another order has another last bit.
    rows: dict[str, Outcome] = {"q3": Value(0.3), "q10": Value(0.1), "q2": Value(0.2)}
    assert aggregate_of(None, rows) == Value(((0.1 + 0.2) + 0.3) / 3)
    assert aggregate_of(None, {"q1": Value(0.0)}) == Value(0.0)


def test_a_nan_among_the_rows_makes_the_mean_nan_and_not_an_outcome_without_value() -> None:
    mean = aggregate_of(None, {"q1": Value(math.nan), "q2": Value(1.0)})
    assert isinstance(mean, Value)
    assert math.isnan(mean.number)


def test_otherwise_it_is_the_first_outcome_that_is_no_value_with_counts() -> None:
    rows = {"q1": Value(0.5), "q2": Refused("too short"), "q3": Crashed("died", "x"), "q4": Refused("negative")}
    assert aggregate_of(None, rows) == Refused("too short (2 of 4 queries)")


def test_an_expected_missing_row_stands_behind_what_tells_more() -> None:
    rows: dict[str, Outcome] = {"q1": Missing(), "q2": Refused("too short")}
    assert aggregate_of(None, rows) == Missing()
    assert aggregate_of(None, rows, rows_for_missing=False) == Refused("too short (1 of 2 queries)")
    assert aggregate_of(None, {"q1": Missing()}, rows_for_missing=False) == Missing()


def test_no_query_at_all_is_missing_and_not_zero() -> None:
    assert aggregate_of(None, {}) == Missing()
