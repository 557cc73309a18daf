"""ranx really does what its catalogue entries say: each claim on a file of a few lines.

Expected numbers are by hand: discounts 1, 1/log2(3), 1/2 of ranks 1 to 3.
"""

from __future__ import annotations

from math import isnan, log2

import pytest
from tests.evaluators.asking import WORKED_QRELS, WORKED_RUN, Ask, mean, values

from ndcgauge.evaluators.outcomes import Crashed, Value

ABOUT = {"abs": 1e-12}
SECOND = 1 / log2(3)


@pytest.mark.parametrize(("evaluator", "expected"), [("ranx", 0.7683428854275793), ("ranx-burges", 0.7136783887047222)])
def test_worked_example(evaluator: str, expected: float, ask: Ask) -> None:
    answer = ask(evaluator, "ndcg@10", WORKED_QRELS, WORKED_RUN)
    assert mean(answer) == pytest.approx(expected, **ABOUT)
    assert set(answer.versions) >= {"ranx", "numba"}
    assert answer.decimals is None


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("recall@3", 0.4),
        ("recall@100", 0.8),
        ("mrr", 1.0),
        ("hit_rate@1", 1.0),
        ("P@10", 0.4),
        ("precision", 4 / 6),
        ("map", (1 + 2 / 3 + 3 / 4 + 4 / 6) / 5),
        ("map@3", (1 + 2 / 3) / 5),
        ("dcg@3", 2 + 3 / 2),
    ],
)
def test_other_measures_of_the_worked_example(measure: str, expected: float, ask: Ask) -> None:
    assert mean(ask("ranx", measure, WORKED_QRELS, WORKED_RUN)) == pytest.approx(expected, **ABOUT)


def test_precision_divides_by_k_even_where_fewer_are_retrieved(ask: Ask) -> None:
    assert mean(ask("ranx", "P@10", "a 0 D1 1\n", "a Q0 D1 1 5 t\na Q0 D2 2 4 t\n")) == pytest.approx(0.1)


def test_the_rank_column_is_not_read_and_negative_scores_rank(ask: Ask) -> None:
    assert mean(ask("ranx", "mrr", "a 0 D1 1\n", "a Q0 D1 1 -50 t\na Q0 D2 2 -9 t\n")) == 0.5


def test_scores_are_compared_as_doubles(ask: Ask) -> None:
    run = "a Q0 D1 1 16777216 t\na Q0 D2 2 16777216.5 t\n"
    assert mean(ask("ranx", "mrr", "a 0 D1 1\n", run)) == 0.5


def test_every_judged_query_has_a_row_and_no_other(ask: Ask) -> None:
    qrels, run = "a 0 D1 1\nb 0 D1 1\nc 0 D1 0\n", "a Q0 D1 1 5 t\nc Q0 D1 1 5 t\nz Q0 D1 1 5 t\n"
    answer = ask("ranx", "ndcg@10", qrels, run)
    assert answer.queries == {"a": Value(1.0), "b": Value(0.0), "c": Value(0.0)}
    assert mean(answer) == pytest.approx(1 / 3)
    assert answer.unasked == {}


def test_no_query_in_common_is_zero_without_a_word(ask: Ask) -> None:
    answer = ask("ranx", "ndcg@10", "a 0 D1 1\n", "z Q0 D1 1 5 t\n")
    assert values(answer) == {"a": 0.0}
    assert mean(answer) == 0.0


def test_negative_grades_gain_nothing_at_their_rank(ask: Ask) -> None:
    qrels, run = "a 0 D1 -1\na 0 D2 1\n", "a Q0 D1 1 5 t\na Q0 D2 2 4 t\n"
    assert mean(ask("ranx", "ndcg@10", qrels, run)) == pytest.approx(SECOND, **ABOUT)


@pytest.mark.parametrize("grade", ["1.5", "1.0"])
def test_a_grade_that_is_no_whole_number_stops_it(grade: str, ask: Ask) -> None:
    aggregate = ask("ranx", "ndcg@10", f"a 0 D1 {grade}\n", "a Q0 D1 1 5 t\n").aggregate
    assert isinstance(aggregate, Crashed)
    assert f"invalid literal for int() with base 10: '{grade}'" in aggregate.message
    assert "from_file" in aggregate.stderr_tail


@pytest.mark.parametrize(
    "run", ["a Q0 D1 1 5\n", "a Q0 D1 1 5 t more\n", "\na Q0 D1 1 5 t\n", "# c\na Q0 D1 1 5 t\n", ""]
)
def test_a_line_of_another_number_of_columns_stops_it(run: str, ask: Ask) -> None:
    assert isinstance(ask("ranx", "ndcg@10", "a 0 D1 1\n", run).aggregate, Crashed)


def test_ids_that_are_no_utf8_stop_it(ask: Ask) -> None:
    aggregate = ask("ranx", "ndcg@10", b"a 0 D\xff 1\n", b"a Q0 D\xff 1 5 t\n").aggregate
    assert isinstance(aggregate, Crashed)
    assert "UnicodeDecodeError" in aggregate.message


def test_the_last_of_repeated_lines_counts(ask: Ask) -> None:
    qrels, run = "a 0 D1 3\na 0 D1 1\n", "a Q0 D1 1 5 t\na Q0 D2 2 4 t\na Q0 D1 3 3 t\n"
    assert mean(ask("ranx", "dcg@10", qrels, run)) == pytest.approx(SECOND, **ABOUT)


def test_levels(ask: Ask) -> None:
    qrels, run = "a 0 D1 1\na 0 D2 2\n", "a Q0 D1 1 5 t\na Q0 D2 2 4 t\n"
    answer = ask("ranx", "AP(rel=2)", qrels, run)
    assert mean(answer) == 0.5
    assert "'map-l2'" in answer.called


def test_the_gain_of_a_large_grade_overflows_to_nan(ask: Ask) -> None:
    answer = ask("ranx-burges", "ndcg@10", "a 0 D1 2000\n", "a Q0 D1 1 5 t\n")
    assert isnan(mean(answer))
    assert isnan(values(answer)["a"])


def test_the_order_of_ties_is_the_one_that_was_scored(ask: Ask) -> None:
    docs = [f"D{i}" for i in range(40)]
    qrels = "".join(f"a 0 {doc} {i % 3}\n" for i, doc in enumerate(docs))
    run = "".join(f"a Q0 {doc} {i + 1} {i % 2} t\n" for i, doc in enumerate(docs))
    answer = ask("ranx", "dcg@10", qrels, run)
    assert answer.order_file is not None
    ((query, *shown),) = map(str.split, answer.order_file.read_text(encoding="utf-8").splitlines())
    assert query == "a"
    assert sorted(shown) == sorted(docs)
    gains = [int(doc[1:]) % 3 for doc in shown[:10]]
    assert mean(answer) == pytest.approx(sum(gain / log2(i + 2) for i, gain in enumerate(gains)), **ABOUT)
