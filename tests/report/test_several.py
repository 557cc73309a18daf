from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.cells import cell_len
from tests.report.several_runs import A, several

from ndcgauge.report import FORMS, render
from ndcgauge.report.labels import shortest
from ndcgauge.report.several import (
    group_tables,
    order_table,
    perturbation_lines,
    perturbation_table,
    run_table,
    winner_lines,
)
from ndcgauge.report.tables import Table
from ndcgauge.report.terminal import render_terminal


def texts(table: Table | None) -> list[list[str]]:
    assert table is not None
    return [[cell.text for cell in row] for row in table.rows]


def test_the_sentence_that_an_auditor_looks_for() -> None:
    assert winner_lines(several()) == [
        "The evaluator changes the winner by ndcg@10: trec_eval puts a.run first; tied puts b.run first."
    ]


def test_where_no_pair_swaps_it_is_said_and_ties_are_named() -> None:
    assert winner_lines(several(swap=False)) == [
        "The winner by ndcg@10 is a.run for every evaluator; no pair of runs changes places, though prints cannot tell "
        "some apart."
    ]


def test_a_swap_below_the_winner_is_told_as_such() -> None:
    document = several()
    base, prints, tied = document.orders
    tied = tied.model_copy(update={"changes_winner": False, "swapped": [["runs/b.run", "other/c.run"]]})
    assert winner_lines(document.model_copy(update={"orders": [base, prints, tied]})) == [
        "The winner by ndcg@10 is a.run for every evaluator, and the order of others changes: 1 pair of runs for tied."
    ]


def test_runs_stand_in_the_baselines_order_with_their_places() -> None:
    assert texts(run_table(several(), "ndcg@10")) == [
        ["a.run", "0.500000 (1)", "0.500000 (1)", "0.400000 (2)"],
        ["b.run", "0.400000 (2)", "0.350000 (2)", "0.500000 (1)"],
        ["c.run", "0.300000 (3)", "0.350000 (2)", "0.300000 (3)"],
    ]


def test_orders_beside_the_baselines() -> None:
    assert texts(order_table(several(), "ndcg@10")) == [
        ["prints", "0.8165", "none", "1: b.run > c.run", "✓ a.run"],
        ["tied", "0.3333", "1: a.run > b.run", "none", "✗ b.run"],
    ]


def test_groups_say_over_how_many_queries() -> None:
    (table,) = group_tables(several())
    assert texts(table) == [
        ["head | short", "2", "0.500000", "–", "-0.250000"],
        ["(in no group)", "2", "0.500000", "–", "-0.250000 (on 1)"],
    ]


def test_changed_labels_under_each_gain() -> None:
    assert texts(perturbation_table(several())) == [
        ["a.run", "linear", "0.500000", "0.450000", "-0.050000", "2", "301: +0.250000"],
        ["a.run", "exponential", "0.500000", "0.375000", "-0.125000", "2", "301: +0.250000"],
    ]
    assert perturbation_lines(several()) == [
        "Label sensitivity: if grade 3 were 2, in all 232 judgments",
        "ndcg@10, gain linear: no pair of runs would change places",
        "ndcg@10, gain exponential: the labels change the winner, from a.run to b.run",
    ]


@pytest.mark.parametrize("form", sorted(set(FORMS) - {"trec", "ir_metadata", "junit"}))
def test_every_form_for_readers_has_the_order_of_runs(form: str) -> None:
    text = render(several(), form)
    assert "a.run" in text
    assert "changes_winner" in text if form == "json" else "Order of the runs by" in text


def test_the_page_of_a_report_is_no_wider_with_several_runs() -> None:
    assert max(map(cell_len, render_terminal(several(), width=80).split("\n"))) <= 80


def test_recorded(recorded: Callable[[str, str], None]) -> None:
    recorded("several.md", render(several(), "md"))


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        ([A], ["a.run"]),
        (["x/run", "y/run"], ["x/run", "y/run"]),
        (["run", "a/run"], ["run", "a/run"]),
        (["a/x/run", "b/x/run", "c.run"], ["a/x/run", "b/x/run", "c.run"]),
        (["folder/"], ["folder/"]),
    ],
)
def test_labels_are_as_short_as_they_can_be(names: list[str], labels: list[str]) -> None:
    assert list(shortest(names).values()) == labels
