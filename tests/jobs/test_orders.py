"""Orders of runs: every tau is counted by hand, pair by pair."""

from __future__ import annotations

import math

import pytest
from tests.report.documents import PLAIN, Texts, evaluator

from ndcgauge.jobs.orders import agreement, order_entries, ordered
from ndcgauge.results.model import ReferenceEntry

BASE = {"A": 0.9, "B": 0.5, "C": 0.1}


def test_the_same_order_has_tau_one() -> None:
    found = agreement(BASE, {"A": 0.3, "B": 0.2, "C": 0.1})
    assert (found.tau, found.swapped, found.undecided, found.changes_winner) == (1.0, [], [], False)


def test_one_swapped_pair_of_three() -> None:
    # Two pairs agree, one does not: (2 - 1) / 3.
    found = agreement(BASE, {"A": 0.4, "B": 0.5, "C": 0.1})
    assert found.tau == pytest.approx(1 / 3, abs=1e-15)
    assert found.swapped == [["A", "B"]]
    assert found.changes_winner


def test_a_swap_below_the_winner_does_not_change_it() -> None:
    found = agreement(BASE, {"A": 0.4, "B": 0.1, "C": 0.2})
    assert found.swapped == [["B", "C"]]
    assert not found.changes_winner


def test_the_reversed_order_has_tau_minus_one() -> None:
    found = agreement(BASE, {"A": 0.1, "B": 0.2, "C": 0.3})
    assert found.tau == -1.0
    assert found.swapped == [["A", "B"], ["A", "C"], ["B", "C"]]


def test_tied_means_are_no_swap_and_lower_tau() -> None:
    # A and B tie: two of the three pairs agree; tau-b = 2 / sqrt(3 * 2).
    found = agreement(BASE, {"A": 0.5, "B": 0.5, "C": 0.1})
    assert found.tau == pytest.approx(2 / math.sqrt(6), abs=1e-15)
    assert (found.swapped, found.undecided) == ([], [["A", "B"]])
    assert not found.changes_winner


def test_one_of_two_winners_alone_is_no_change_of_the_winner() -> None:
    assert not agreement({"A": 0.5, "B": 0.5, "C": 0.1}, {"A": 0.1, "B": 0.5, "C": 0.2}).changes_winner


def test_a_run_without_a_mean_is_left_out_on_both_sides() -> None:
    found = agreement({"A": None, "B": 0.5, "C": 0.1}, {"A": 0.9, "B": 0.2, "C": 0.1})
    assert (found.tau, found.changes_winner) == (1.0, False)


@pytest.mark.parametrize("other", [{"A": 0.2, "B": 0.2, "C": 0.2}, {"A": 0.2}, {}])
def test_tau_is_undefined_where_nothing_is_ordered(other: dict[str, float | None]) -> None:
    assert agreement(BASE, other).tau is None


def test_means_that_differ_by_the_noise_of_adding_are_equal() -> None:
    assert ordered({"B": 0.1 + 0.2, "A": 0.3, "C": 0.2}) == [["B", "A"], ["C"]]


def reference(run: str, mean: float) -> ReferenceEntry:
    return ReferenceEntry(run=run, measure="ndcg@10", baseline="trec_eval", mean=mean, queries={"301": mean})


def test_entries_of_two_runs_begin_with_the_baseline() -> None:
    runs = [Texts(run="one.run"), Texts(run="two.run")]
    found = order_entries(
        [reference("one.run", 0.6), reference("two.run", 0.5)],
        [evaluator(runs[0], "x", 0.4, (0.4, 0.4, 0.4)), evaluator(runs[1], "x", 0.7, (0.7, 0.7, 0.7))],
    )
    assert [each.evaluator for each in found] == ["trec_eval", "x"]
    assert found[0].order == [["one.run"], ["two.run"]]
    assert found[1].swapped == [["one.run", "two.run"]]
    assert found[1].changes_winner


def test_a_single_run_has_no_order() -> None:
    assert order_entries([reference(PLAIN.run, 0.5)], []) == []
