"""Pyserini's wrapper really does what its catalogue entries say: each claim on a file of a few lines.

Expected numbers are by hand, to the four decimals that are printed: 1/log2(3) is 0.6309.
"""

from __future__ import annotations

import pytest
from tests.evaluators.asking import WORKED_QRELS, WORKED_RUN, Ask, mean, values

from ndcgauge.evaluators.outcomes import Crashed, Missing, Refused, Unsupported, Value


@pytest.mark.parametrize(
    ("evaluator", "measure", "expected"),
    [
        ("pyserini", "ndcg@10", 0.7683),
        ("pyserini", "ndcg", 0.7683),
        ("pyserini-c", "ndcg@10", 0.7683),
        ("pyserini-judged", "ndcg@10", 0.8645),
        ("pyserini", "map", 0.6167),  # (1 + 2/3 + 3/4 + 4/6) / 5
        ("pyserini", "map@3", 0.3333),  # (1 + 2/3) / 5
        ("pyserini", "mrr", 1.0),
        ("pyserini", "P@10", 0.4),
        ("pyserini", "precision", 0.6667),  # set_P: 4 of 6
        ("pyserini", "recall@3", 0.4),
        ("pyserini", "recall", 0.8),  # set_recall
        ("pyserini", "hit_rate@1", 1.0),
        ("pyserini", "judged@10", 0.6667),
    ],
)
def test_worked_example(evaluator: str, measure: str, expected: float, ask: Ask) -> None:
    answer = ask(evaluator, measure, WORKED_QRELS, WORKED_RUN)
    assert mean(answer) == expected
    assert answer.decimals == 4
    assert values(answer) == ({} if measure.startswith("judged") else {"a": expected})


def test_the_trec_eval_inside_says_its_version(ask: Ask) -> None:
    versions = ask("pyserini", "ndcg@10", WORKED_QRELS, WORKED_RUN).versions
    assert versions["trec_eval"] == "9.0.4"
    assert versions["pyserini"]


def test_scores_are_compared_as_floats_and_ties_fall_to_the_higher_id(ask: Ask) -> None:
    run = "a Q0 D0 1 16777217 t\na Q0 D1 2 16777216 t\n"
    assert mean(ask("pyserini", "mrr", "a 0 D1 1\n", run)) == 1.0
    assert mean(ask("pyserini", "mrr", "a 0 D1 1\n", "a Q0 D0 1 16777218 t\na Q0 D1 2 16777216 t\n")) == 0.5


def test_the_rank_column_is_not_read_and_negative_scores_rank(ask: Ask) -> None:
    assert mean(ask("pyserini", "mrr", "a 0 D1 1\n", "a Q0 D1 1 -50 t\na Q0 D2 2 -9 t\n")) == 0.5


def test_grades_are_cut_to_whole_numbers(ask: Ask) -> None:
    # 1.9 is 1 and -0.5 is 0: (1 + 0) / (3 + 1/log2(3)), since D3 is not retrieved.
    qrels, run = "a 0 D1 1.9\na 0 D2 -0.5\na 0 D3 3\n", "a Q0 D1 1 5 t\na Q0 D2 2 4 t\n"
    assert mean(ask("pyserini", "ndcg@10", qrels, run)) == 0.2754


@pytest.mark.parametrize("measure", ["ndcg@10", "ndcg"])
def test_negative_grades_gain_nothing_at_their_rank(measure: str, ask: Ask) -> None:
    # Only D1 (rank 3) and D5 (rank 5) gain: (3/2 + 1/log2(6)) / (3 + 1/log2(3)).
    qrels = "a 0 D1 3\na 0 D2 -1\na 0 D3 -2\na 0 D4 -5\na 0 D5 1\n"
    run = "a Q0 D2 1 6 t\na Q0 D3 2 5 t\na Q0 D1 3 4 t\na Q0 D4 4 3 t\na Q0 D5 5 2 t\n"
    assert mean(ask("pyserini", measure, qrels, run)) == 0.5197


def test_remove_unjudged_keeps_a_document_with_a_negative_grade_at_its_rank(ask: Ask) -> None:
    qrels, run = "a 0 D1 1\na 0 D2 -1\n", "a Q0 X 1 6 t\na Q0 D2 2 5 t\na Q0 D1 3 4 t\n"
    assert mean(ask("pyserini-judged", "mrr", qrels, run)) == 0.5


def test_queries_without_and_with_c(ask: Ask) -> None:
    qrels, run = "a 0 D1 1\nb 0 D1 1\nc 0 D1 0\n", "a Q0 D1 1 5 t\nc Q0 D1 1 5 t\nz Q0 D1 1 5 t\n"
    answer = ask("pyserini", "ndcg@10", qrels, run)
    assert answer.queries == {"a": Value(1.0), "b": Missing(), "c": Value(0.0)}
    assert mean(answer) == 0.5
    complete = ask("pyserini-c", "ndcg@10", qrels, run)
    assert complete.queries == answer.queries
    assert mean(complete) == 0.3333


def test_judged_is_one_ratio_over_all_queries_of_the_run_in_the_order_of_lines(ask: Ask) -> None:
    # a: X, D1 of which D1 is judged; b: D2, D1 both; z is not judged at all: 3 of 6, and 1 of 3 at cutoff 1.
    qrels = "a 0 D1 3\nb 0 D1 1\nb 0 D2 -1\n"
    run = "a Q0 X 1 5 t\na Q0 D1 2 9 t\nb Q0 D2 1 4 t\nb Q0 D1 2 3 t\nz Q0 D1 1 1 t\nz Q0 D2 2 1 t\n"
    for evaluator in ("pyserini", "pyserini-c"):
        answer = ask(evaluator, "judged@10", qrels, run)
        assert mean(answer) == 0.5
        assert set(answer.queries.values()) == {Missing()}
        assert mean(ask(evaluator, "judged@1", qrels, run)) == 0.3333
    assert mean(ask("pyserini-judged", "judged@10", qrels, run)) == 1.0


def test_levels_act_on_binary_measures_only(ask: Ask) -> None:
    qrels, run = "a 0 D1 1\na 0 D2 2\n", "a Q0 D1 1 5 t\na Q0 D2 2 4 t\n"
    answer = ask("pyserini", "AP(rel=2)", qrels, run)
    assert mean(answer) == 0.5
    assert "-l 2" in answer.called


@pytest.mark.parametrize("measure", ["mrr@10", "dcg@10", "judged"])
def test_what_it_lacks_is_not_asked_for(measure: str, ask: Ask) -> None:
    assert isinstance(ask("pyserini", measure, WORKED_QRELS, WORKED_RUN).aggregate, Unsupported)


REFUSALS = [
    ("a 0 D1 1\n", "z Q0 D1 1 5 t\n", "No queries with both results and relevance info"),
    ("a 0 D1 1\n", "a Q0 D1 1 5\n", "Malformed line 1"),
    ("a 0 D1 1\n\n", "a Q0 D1 1 5 t\n", "trec_eval.get_qrels: Malformed line 2"),
    ("a 0 D1 1\n", "a Q0 D1 1 5 t\na Q0 D1 2 4 t\n", "duplicate docs D1; trec_eval: Can't calculate measure"),
    ("a 0 D1 1\na 0 D1 2\n", "a Q0 D1 1 5 t\n", "duplicate docs D1"),
    ("a 0 D1 -1\n", "a Q0 D1 1 5 t\n", "Can't calculate measure"),
]


@pytest.mark.parametrize(("qrels", "run", "words"), REFUSALS)
def test_refusals_keep_the_words_of_trec_eval(qrels: str, run: str, words: str, ask: Ask) -> None:
    answer = ask("pyserini", "ndcg@10", qrels, run)
    assert isinstance(answer.aggregate, Refused)
    assert words in answer.aggregate.message
    assert answer.answered == 0


def test_rows_before_a_refusal_are_values_and_all_else_is_refused(ask: Ask) -> None:
    qrels = "a 0 D1 1\nb 0 D1 1\nc 0 D1 1\n"
    run = "a Q0 D1 1 5 t\nb Q0 D1 1 5 t\nb Q0 D1 2 4 t\nc Q0 D1 1 5 t\n"
    answer = ask("pyserini", "ndcg@10", qrels, run)
    assert answer.queries["a"] == Value(1.0)
    assert {type(answer.queries[query]) for query in "bc"} == {Refused}
    assert isinstance(answer.aggregate, Refused)


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ("a 0 D1 1\n", "a Q0 D\0 1 5 t\n"),  # a NUL inside a line
        ("a 0 D1 1\nb 0 D1 -2\nb 0 D2 -2\n", "a Q0 D1 1 5 t\nb Q0 D1 1 5 t\n"),  # all grades -2
    ],
)
def test_a_silent_death_that_reports_success_is_a_crash(qrels: str, run: str, ask: Ask) -> None:
    aggregate = ask("pyserini", "ndcg@10", qrels, run).aggregate
    assert isinstance(aggregate, Crashed)
    assert "printed nothing" in aggregate.message


def test_a_nul_at_the_start_of_a_line_ends_the_file(ask: Ask) -> None:
    answer = ask("pyserini", "ndcg@10", "a 0 D1 1\nb 0 D1 1\n", "a Q0 D1 1 4 t\n\0b Q0 D1 1 4 t\n")
    assert answer.queries == {"a": Value(1.0), "b": Missing()}
    assert mean(answer) == 1.0


@pytest.mark.parametrize("run", ["# comment\na Q0 D1 1 5 t\n", "a 0 D1 1 5 t\na 0 D2 2 4 t\n"])
def test_a_first_line_without_q0_is_taken_for_ms_marco(run: str, ask: Ask) -> None:
    answer = ask("pyserini", "ndcg@10", "a 0 D1 1\n", run)
    assert isinstance(answer.aggregate, Crashed)
    assert "msmarco run detected" in answer.captured.stdout + answer.aggregate.stderr_tail


def test_remove_unjudged_loses_leading_zeros(ask: Ask) -> None:
    answer = ask("pyserini-judged", "ndcg@10", "a 0 007 1\n", "a Q0 7 1 5 t\na Q0 007 2 4 t\n")
    assert isinstance(answer.aggregate, Refused)
    assert "duplicate docs 7" in answer.aggregate.message
    assert mean(ask("pyserini", "ndcg@10", "a 0 007 1\n", "a Q0 7 1 5 t\na Q0 007 2 4 t\n")) == 0.6309
