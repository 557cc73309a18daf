"""Counts of small collections, counted by hand."""

from __future__ import annotations

import math

from ndcgauge.data.accounting import Ties, account, grade_text
from ndcgauge.data.memory import collection_from_lines

QRELS = [
    ("a", "1", 2.0),
    ("a", "2", 0.0),
    ("a", "3", -1.0),
    ("b", "1", 0.5),
    ("c", "1", 1.0),
    ("c", "2", 1.0),
    ("a", "1", 1.0),
]
RUN = [
    ("a", "1", 1.0, 9.0),
    ("a", "8", 2.0, 7.0),
    ("a", "9", 3.0, 7.0),
    ("a", "2", 4.0, 1.0),
    ("a", "8", 5.0, 0.5),
    ("b", "b", 1.0, 3.0),
    ("d", "1", 1.0, 1.0),
    ("d", "2", 2.0, 1.0 - 2**-40),
]
COLLECTION = collection_from_lines(QRELS, RUN, on_duplicate="first")


def test_queries_are_counted_on_both_sides() -> None:
    accounting = account(COLLECTION)
    assert (accounting.judged, accounting.retrieved, accounting.both) == (3, 3, 2)
    assert accounting.judged_only == ("c",)
    assert accounting.run_only == ("d",)


def test_relevance_depends_on_the_threshold() -> None:
    assert account(COLLECTION).without_relevant == ("b",)
    assert account(COLLECTION, threshold=2).without_relevant == ("b", "c")
    assert account(COLLECTION, threshold=0.5).without_relevant == ()


def test_judgments_and_documents_are_counted_without_their_repetitions() -> None:
    accounting = account(COLLECTION)
    assert accounting.scale == (("-1", 1), ("0", 1), ("0.5", 1), ("1", 2), ("2", 1))
    assert (accounting.judgments, accounting.negative, accounting.fractional) == (6, 1, 1)
    assert (accounting.documents, accounting.fewest, accounting.most) == (7, 1, 4)
    assert (accounting.repeated_judgments, accounting.repeated_documents) == (1, 1)
    assert accounting.own == 1


def test_judged_documents_among_the_first() -> None:
    # a: 1 | 9, 8 | 2 (ties by descending id); b: its own document, unjudged.
    accounting = account(COLLECTION, (1, 2, 4))
    assert accounting.judged_at == {1: 1 / 2, 2: 1 / 3, 4: 2 / 5}
    nothing = account(collection_from_lines([("a", "1", 1)], [("b", "1", 1, 1.0)]))
    assert math.isnan(nothing.judged_at[10])


def test_ties_near_a_cutoff() -> None:
    ties = account(COLLECTION, (1, 2, 3)).ties
    # a ties at ranks 2 and 3; d at 1 and 2 in single precision only.
    assert ties[1] == Ties(within=0, within_float32=0, across=0, across_float32=1)
    assert ties[2] == Ties(within=0, within_float32=1, across=1, across_float32=0)
    assert ties[3] == Ties(within=1, within_float32=1, across=0, across_float32=0)


def test_grades_are_written_as_qrels_write_them() -> None:
    assert [grade_text(each) for each in (3.0, -0.0, 0.5, 1e20)] == ["3", "0", "0.5", "1" + "0" * 20]


def test_a_run_without_lines_has_no_documents() -> None:
    accounting = account(collection_from_lines([("a", "1", 1)], []))
    assert (accounting.documents, accounting.fewest, accounting.most) == (0, 0, 0)
