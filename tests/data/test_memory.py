"""Collections from lines: every ranking against one made in the plainest way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.data.by_hand import QrelsLine, RunLine, rows

from ndcgauge.data.collection import Collection, Needs, RankingKey
from ndcgauge.data.memory import collection_from_lines
from ndcgauge.errors import InputError

NEEDS = Needs(frozenset({0.0, 1.5}), frozenset({-1.0, 1.0}))

IDS = st.sampled_from(["a", "b", "ab", "a\0", "é", "\udcff", "d" * 8, "d" * 8 + "\0", "d" * 9, "z" * 70, "z" * 71, "1"])
SCORES = st.sampled_from([2.0, 1.0, 1.0 + 2**-40, 1.0 + 2**-41, 0.0, -0.0, -1.0, 1e300, 1e308, -1e300, 5e-324, 1.5])
QRELS = st.lists(st.tuples(IDS, IDS, st.sampled_from([0.0, 1.0, 2.0, -1.0, 0.5])), max_size=25)
RUN = st.lists(st.tuples(IDS, IDS, st.sampled_from([1.0, 2.0, 2.5, -1.0]), SCORES), max_size=40)


def places(collection: Collection, rule: str, key: RankingKey) -> dict[tuple[str, str, int], tuple[int, ...]]:
    """The rows that are ranked under a key, named by query, document and line."""
    found = collection.rows[rule]
    ranking = found.rankings[key]
    result: dict[tuple[str, str, int], tuple[int, ...]] = {}
    for row in np.flatnonzero(ranking.start > 0).tolist():
        query = collection.queries[int(found.query[row])]
        pair = int(found.judged[row])
        doc = collection.judged.doc[pair] if pair >= 0 else query
        assert bool(found.own[row]) == (doc == query)
        assert bool(found.inserted[row]) == (found.line[row] == 0)
        columns = (ranking.start, ranking.length, ranking.by_docid, ranking.by_line)
        result[query, doc, int(found.line[row])] = tuple(int(each[row]) for each in columns)
    return result


@settings(max_examples=150, deadline=None)
@given(QRELS, RUN)
def test_every_ranking_is_the_one_made_by_hand(qrels: list[QrelsLine], run: list[RunLine]) -> None:
    collection = collection_from_lines(qrels, run, NEEDS, on_duplicate="first")
    for rule, found in collection.rows.items():
        assert (np.diff(found.query) >= 0).all()
        assert set(found.rankings) == set(NEEDS.keys())
        for key, ranking in found.rankings.items():
            places_by_hand, ranked = rows(qrels, run, rule, key)
            assert places(collection, rule, key) == places_by_hand
            counts = dict(zip(collection.queries, ranking.ranked.tolist(), strict=True))
            assert {query: count for query, count in counts.items() if count} == {
                query: count for query, count in ranked.items() if count
            }


@settings(max_examples=100, deadline=None)
@given(QRELS)
def test_judgments_count_as_their_rule_says(qrels: list[QrelsLine]) -> None:
    collection = collection_from_lines(qrels, [("q", "d", 1.0, 1.0)], on_duplicate="last")
    judged = collection.judged
    pairs = [(collection.queries[int(q)], doc) for q, doc in zip(judged.query, judged.doc, strict=True)]
    in_order = sorted(
        dict.fromkeys(line[:2] for line in qrels), key=lambda pair: pair[0].encode("utf-8", "surrogateescape")
    )
    assert pairs == in_order
    assert judged.line.tolist() == [1 + [line[:2] for line in qrels].index(pair) for pair in pairs]
    grades = {pair: [grade for query, doc, grade in qrels if (query, doc) == pair] for pair in pairs}
    read = {
        rule: [(pairs[int(i)], grade) for i, grade in zip(each.judged, each.grade.tolist(), strict=True)]
        for rule, each in judged.grades.items()
    }
    assert read["first"] == [(pair, grades[pair][0]) for pair in pairs]
    assert read["last"] == [(pair, grades[pair][-1]) for pair in pairs]
    assert read["all"] == [(pair, grade) for pair in pairs for grade in grades[pair]]
    assert ("error" in read) == (len(pairs) == len(qrels))


def test_without_repeats_all_rules_are_one_object() -> None:
    collection = collection_from_lines([("q", "a", 1)], [("q", "a", 1, 2.0), ("q", "b", 2, 1.0)])
    assert set(collection.rows) == {"error", "first", "last", "all"} == set(collection.judged.grades)
    assert len({id(each) for each in collection.rows.values()}) == 1
    assert len({id(each) for each in collection.judged.grades.values()}) == 1


def test_min_score_that_cuts_nothing_shares_the_ranking() -> None:
    collection = collection_from_lines([("q", "a", 1)], [("q", "a", 1, 2.0), ("q", "b", 2, 1.0)])
    rankings = collection.rows["error"].rankings
    for order, precision in (("score", "float64"), ("score", "float32"), ("rank", "float64"), ("line", "float64")):
        assert rankings[RankingKey(order, precision, 0.0)] is rankings[RankingKey(order, precision)]
    cut = collection_from_lines([("q", "a", 1)], [("q", "a", 1, 2.0), ("q", "b", 2, 0.0)]).rows["error"].rankings
    assert cut[RankingKey(min_score=0.0)] is not cut[RankingKey()]


@pytest.mark.parametrize(
    ("qrels", "run", "file", "line"),
    [
        ([("q", "a", 1), ("q", "b", 0), ("q", "a", 1)], [("q", "a", 1, 1.0)], "qrels", 3),
        ([("q", "a", 1)], [("q", "a", 1, 1.0), ("p", "a", 1, 1.0), ("q", "a", 2, 0.5)], "run", 3),
        ([("q", "a", float("nan"))], [("q", "a", 1, 1.0)], "qrels", 1),
        ([("q", "a", 1)], [("q", "a", 1, float("inf"))], "run", 1),
        ([("q", "a", 1)], [("q", "a", float("nan"), 1.0)], "run", 1),
    ],
)
def test_bad_lines_are_named(qrels: list[QrelsLine], run: list[RunLine], file: str, line: int) -> None:
    with pytest.raises(InputError) as caught:
        collection_from_lines(qrels, run)
    assert (caught.value.file, caught.value.line) == (file, line)


def test_an_id_that_no_file_can_hold_is_refused() -> None:
    with pytest.raises(InputError, match="UTF-8"):
        collection_from_lines([("q", "\ud800", 1)], [("q", "a", 1, 1.0)])


def test_lists_have_the_lines_of_the_queries_asked_for() -> None:
    collection = collection_from_lines([("q", "a", 1)], [("q", "b", 1, 3.0), ("p", "a", 1, 9.0), ("q", "a", 2, 2.5)])
    lists = collection.lists(["q"])
    assert list(lists) == ["q"]
    assert [(each.doc, each.rank, each.score, each.line) for each in lists["q"]] == [
        ("b", "1", 3.0, 1),
        ("a", "2", 2.5, 3),
    ]


def test_ties_of_the_run_are_kept_with_unjudged_documents() -> None:
    run = [("q", "a", 1, 2.0), ("q", "b", 2, 2.0), ("q", "c", 3, 1.0), ("p", "a", 1, 1e-60), ("p", "b", 1, 2e-60)]
    ties = collection_from_lines([("q", "z", 1)], run).ties
    assert {k: (v.query.tolist(), v.start.tolist(), v.length.tolist()) for k, v in ties.items()} == {
        "float64": ([1], [1], [2]),
        "float32": ([0, 1], [1, 1], [2, 2]),
    }
