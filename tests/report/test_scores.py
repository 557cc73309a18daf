from __future__ import annotations

from tests.report.documents import scores

from ndcgauge.report.scores import render_scores


def test_means_in_full_precision_and_an_undefined_one() -> None:
    rows = [line.split() for line in render_scores(scores(), per_query=False).splitlines()]
    assert ["bm25.run", "ndcg@10", "all", "0.4375", "3"] in rows
    assert ["bm25.run", "ap", "all", "undefined", "0"] in rows
    assert not any("301" in row for row in rows)


def test_queries_before_the_mean() -> None:
    rows = [line.split() for line in render_scores(scores(), per_query=True).splitlines()]
    queries = [row[2] for row in rows if row[:2] == ["bm25.run", "ndcg@10"]]
    assert queries == ["301", "302", "303", "all"]


def test_every_digit_of_a_value_is_shown() -> None:
    document = scores()
    exact = document.scores[0].model_copy(update={"mean": 0.1 + 0.2})
    assert "0.30000000000000004" in render_scores(document.model_copy(update={"scores": [exact]}), per_query=False)
