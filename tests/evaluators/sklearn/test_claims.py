"""scikit-learn really does what its catalogue entries say: each claim on a file of a few lines.

Expected numbers are by hand: discounts 1, 1/log2(3), 1/2 of ranks 1 to 3.
"""

from __future__ import annotations

from math import log2

import pytest
from tests.evaluators.asking import WORKED_QRELS, WORKED_RUN, Ask, mean, values

from ndcgauge.evaluators.outcomes import Missing, Refused, Unsupported, Value

ABOUT = {"abs": 1e-12}
SECOND = 1 / log2(3)


@pytest.mark.parametrize(
    ("evaluator", "expected"),
    [
        ("sklearn", 0.8280865851326172),
        ("sklearn-retrieved", 0.825585742947138),
        ("sklearn-padded", 0.7683428854275793),
        ("sklearn-ignore-ties", 0.8280865851326172),
    ],
)
def test_worked_example(evaluator: str, expected: float, ask: Ask) -> None:
    answer = ask(evaluator, "ndcg@10", WORKED_QRELS, WORKED_RUN)
    assert mean(answer) == pytest.approx(expected, **ABOUT)
    assert set(answer.versions) >= {"scikit-learn", "numpy"}
    assert answer.decimals is None


def test_ties_are_averaged(ask: Ask) -> None:
    assert mean(ask("sklearn", "ndcg@10", "a 0 D1 1\na 0 D2 0\n", "a Q0 D1 1 5 t\na Q0 D2 2 5 t\n")) == pytest.approx(
        (1 + SECOND) / 2, **ABOUT
    )


def test_scores_are_compared_as_doubles(ask: Ask) -> None:
    run = "a Q0 D1 1 0.3 t\na Q0 D2 2 0.300000000001 t\n"
    assert mean(ask("sklearn", "ndcg@10", "a 0 D1 1\na 0 D2 0\n", run)) == pytest.approx(SECOND, **ABOUT)


def test_the_rank_column_is_not_read(ask: Ask) -> None:
    run = "a Q0 D1 1 -50 t\na Q0 D2 2 -9 t\n"
    assert mean(ask("sklearn", "ndcg@10", "a 0 D1 1\na 0 D2 0\n", run)) == pytest.approx(SECOND, **ABOUT)


@pytest.mark.parametrize("evaluator", ["sklearn", "sklearn-retrieved", "sklearn-ignore-ties"])
def test_one_document_is_refused_in_the_librarys_words(evaluator: str, ask: Ask) -> None:
    answer = ask(evaluator, "ndcg@10", "a 0 D1 1\n", "a Q0 D1 1 5 t\n")
    assert isinstance(answer.queries["a"], Refused)
    assert "more than 1 document" in answer.queries["a"].message
    assert isinstance(answer.aggregate, Refused)
    assert "(1 of 1 queries)" in answer.aggregate.message


def test_padding_lets_one_document_through(ask: Ask) -> None:
    assert mean(ask("sklearn-padded", "ndcg@10", "a 0 D1 1\n", "a Q0 X 2 4 t\na Q0 D1 1 3 t\n")) == pytest.approx(
        SECOND
    )
    assert mean(ask("sklearn-padded", "ndcg@10", "a 0 D1 1\n", "a Q0 D1 1 5 t\n")) == 1.0


def test_padding_needs_a_cutoff(ask: Ask) -> None:
    answer = ask("sklearn-padded", "ndcg", "a 0 D1 1\n", "a Q0 D1 1 5 t\n")
    assert isinstance(answer.aggregate, Unsupported)
    assert answer.aggregate.axis == "cutoff"


def test_padding_keeps_what_the_run_lacks_out_of_the_top_k(ask: Ask) -> None:
    # Without padding D2 would stand at rank 2: (0 + 2/log2(3)) / (2 + 0).
    qrels, run = "a 0 D2 2\na 0 D1 0\n", "a Q0 D1 1 -1e308 t\n"
    assert mean(ask("sklearn-padded", "ndcg@2", qrels, run)) == 0.0
    assert mean(ask("sklearn", "ndcg@2", qrels, run)) == pytest.approx(SECOND, **ABOUT)


def test_negative_grades_are_refused_for_ndcg_and_gains_for_dcg(ask: Ask) -> None:
    qrels, run = "a 0 D1 1\na 0 D2 -1\n", "a Q0 D2 1 5 t\na Q0 D1 2 4 t\n"
    refused = ask("sklearn", "ndcg@10", qrels, run).queries["a"]
    assert isinstance(refused, Refused)
    assert "negative" in refused.message
    assert mean(ask("sklearn", "dcg@10", qrels, run)) == pytest.approx(-1 + SECOND, **ABOUT)


def test_grades_are_taken_as_written(ask: Ask) -> None:
    qrels, run = "a 0 D1 0.5\na 0 D2 2\n", "a Q0 D1 1 5 t\na Q0 D2 2 4 t\n"
    assert mean(ask("sklearn", "dcg@10", qrels, run)) == pytest.approx(0.5 + 2 * SECOND, **ABOUT)


def test_a_query_without_a_relevant_document_is_zero_and_counts(ask: Ask) -> None:
    qrels = "a 0 D1 0\na 0 D2 0\nb 0 D1 1\nb 0 D2 0\n"
    run = "a Q0 D1 1 5 t\na Q0 D2 2 4 t\nb Q0 D1 1 5 t\nb Q0 D2 2 4 t\n"
    answer = ask("sklearn", "ndcg@10", qrels, run)
    assert values(answer) == {"a": 0.0, "b": 1.0}
    assert mean(answer) == 0.5


def test_a_judged_query_that_the_run_lacks_has_no_row_and_counts_zero(ask: Ask) -> None:
    qrels, run = "a 0 D1 1\na 0 D2 0\nb 0 D1 1\n", "a Q0 D1 1 5 t\na Q0 D2 2 4 t\nz Q0 D1 1 1 t\n"
    answer = ask("sklearn", "ndcg@10", qrels, run)
    assert answer.queries == {"a": Value(1.0), "b": Missing()}
    assert mean(answer) == 0.5
    assert answer.unasked == {}


def test_the_last_of_repeated_lines_counts(ask: Ask) -> None:
    qrels = "a 0 D1 3\na 0 D1 1\na 0 D2 0\n"
    run = "a Q0 D1 1 5 t\na Q0 D2 2 4 t\na Q0 D1 3 3 t\n"
    assert mean(ask("sklearn", "dcg@10", qrels, run)) == pytest.approx(SECOND, **ABOUT)


@pytest.mark.parametrize("score", ["nan", "inf"])
def test_scores_that_are_no_numbers_are_refused(score: str, ask: Ask) -> None:
    run = f"a Q0 D1 1 {score} t\na Q0 D2 2 1 t\n"
    refused = ask("sklearn", "ndcg@10", "a 0 D1 1\n", run).queries["a"]
    assert isinstance(refused, Refused)
    assert "Input contains" in refused.message


def test_ids_are_the_bytes_of_the_file(ask: Ask) -> None:
    qrels = b"a\xff 0 D\xc2\xa01 1\na\xff 0 D2 0\n"
    run = b"a\xff\tQ0\tD\xc2\xa01\t1\t5\tt\r\na\xff Q0 D2 2 4 t\r\n"
    answer = ask("sklearn", "ndcg@10", qrels, run)
    assert answer.queries == {"a\udcff": Value(1.0)}


def test_the_order_of_ties_is_the_one_that_was_scored(ask: Ask) -> None:
    docs = [f"D{i}" for i in range(40)]
    qrels = "".join(f"a 0 {doc} {i % 3}\n" for i, doc in enumerate(docs))
    run = "".join(f"a Q0 {doc} {i + 1} {i % 2} t\n" for i, doc in enumerate(docs))
    answer = ask("sklearn-ignore-ties", "dcg@10", qrels, run)
    assert answer.order_file is not None
    ((query, *shown),) = map(str.split, answer.order_file.read_text(encoding="utf-8").splitlines())
    assert query == "a"
    assert sorted(shown) == sorted(docs)
    gains = [int(doc[1:]) % 3 for doc in shown[:10]]
    assert mean(answer) == pytest.approx(sum(gain / log2(i + 2) for i, gain in enumerate(gains)), **ABOUT)


def test_ap_counts_what_the_run_lacks_at_the_end(ask: Ask) -> None:
    # Relevant at ranks 1 and 3, then D4 and D5 at 4 and 5: (1 + 2/3 + 3/4 + 4/5) / 4.
    qrels = "a 0 D1 1\na 0 D3 2\na 0 D4 1\na 0 D5 1\n"
    run = "a Q0 D1 1 9 t\na Q0 X 2 8 t\na Q0 D3 3 7 t\n"
    assert mean(ask("sklearn", "map", qrels, run)) == pytest.approx((1 + 2 / 3 + 3 / 4 + 4 / 5) / 4, **ABOUT)


@pytest.mark.parametrize(("relevant", "tied", "expected"), [(1, 2, 1 / 2), (2, 3, 2 / 3)])
def test_ap_takes_a_tie_as_one_threshold_which_is_no_value_of_the_axis(
    relevant: int, tied: int, expected: float, ask: Ask
) -> None:
    qrels = "".join(f"a 0 D{i} 1\n" for i in range(relevant))
    run = "".join(f"a Q0 D{i} 1 5 t\n" for i in range(tied))
    assert mean(ask("sklearn", "map", qrels, run)) == pytest.approx(expected, **ABOUT)


def test_ap_of_a_query_without_a_relevant_document_is_zero(ask: Ask) -> None:
    answer = ask("sklearn", "map", "a 0 D1 0\na 0 D2 -1\n", "a Q0 D1 1 5 t\na Q0 D2 2 4 t\n")
    assert mean(answer) == 0.0
    assert "No positive class" in answer.captured.stderr


def test_ap_at_another_level(ask: Ask) -> None:
    qrels, run = "a 0 D1 1\na 0 D2 2\n", "a Q0 D1 1 5 t\na Q0 D2 2 4 t\n"
    assert mean(ask("sklearn", "AP(rel=2)", qrels, run)) == pytest.approx(1 / 2, **ABOUT)


def test_ap_has_no_cutoff(ask: Ask) -> None:
    answer = ask("sklearn", "map@5", "a 0 D1 1\n", "a Q0 D1 1 5 t\n")
    assert isinstance(answer.aggregate, Unsupported)
    assert answer.aggregate.axis == "cutoff"
