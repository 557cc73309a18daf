"""The lattice evaluated from shared parts, against the reference, one specification after another."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from tests.audit.files import collection, random_pair

from ndcgauge.data.collection import Collection, Needs
from ndcgauge.data.memory import collection_from_lines
from ndcgauge.reference import Evaluation
from ndcgauge.search.anchors import anchors
from ndcgauge.search.domains import domains
from ndcgauge.search.lattice import Lattice, evaluate_lattice
from ndcgauge.search.space import full_count
from ndcgauge.spec import MetricSpec, parse_measure

EXTRA = "q90 0 d1 1\nq91 0 d1 0\n"
"""A judged query that the run lacks, and one without a relevant document that it lacks as well."""
UNJUDGED = "q95 Q0 d1 1 2 t\nq95 Q0 d2 2 1 t\n"


def lattice_of(data: Collection, measure: str) -> Lattice:
    asked = parse_measure(measure)
    listed = anchors(asked)
    return evaluate_lattice(data, listed[0].spec, listed)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    """Ties, negative and half grades, missing and unjudged queries, repeated and own documents."""
    qrels, run = random_pair(11, 4)
    qrels += EXTRA + "q0 0 q0 2\nq1 0 n 0.5\nq1 0 m -1\n"
    run += UNJUDGED + "q0 Q0 q0 90 5.5 t\nq1 Q0 m 91 4 t\nq2 Q0 d1 92 -1 t\nq2 Q0 d1 93 7 t\n"
    return collection(tmp_path_factory.mktemp("lattice"), qrels, run)


@pytest.mark.parametrize("measure", ["ndcg@3", "ndcg", "dcg@5", "map@5", "rr", "P_5", "recall@5", "judged@5"])
def test_every_sampled_point_has_the_references_mean(measure: str, data: Collection) -> None:
    lattice = lattice_of(data, measure)
    evaluation = Evaluation(data, {})
    chosen = random.Random(5).sample(range(len(lattice.codes)), min(250, len(lattice.codes)))
    for place in chosen:
        spec = lattice.spec(int(lattice.codes[place]), lattice.anchors[0])
        mean, found = evaluation.score(spec)[2], float(lattice.means[lattice.kind[place]])
        assert math.isclose(mean, found, rel_tol=1e-10, abs_tol=1e-10) or (math.isnan(mean) and math.isnan(found)), spec


def test_a_specification_that_puts_missing_documents_at_a_score_keeps_its_value() -> None:
    """No cut list is known to hold them: its value must come from the whole one, which is longer than k here."""
    qrels = [("q", "a", 1.0), ("q", "m", 2.0)]
    run = [("q", doc, float(rank), 9.0 - rank) for rank, doc in enumerate(("x", "a", "y", "z"), start=1)]
    data = collection_from_lines(qrels, run, Needs(frozenset(), frozenset({7.5})))
    stated = MetricSpec.of("ndcg", {"cutoff": "3", "unretrieved": "score:7.5"})
    listed = anchors(parse_measure("ndcg@3"), stated)
    lattice = evaluate_lattice(data, stated, listed)
    place = np.flatnonzero(lattice.codes == lattice.code_of(stated))
    # x (8), m (7.5), a (7): 2/log2(3) + 1/log2(4) over 2 + 1/log2(3).
    assert lattice.means[lattice.kind[place]] == pytest.approx([1.7618595071429148 / 2.6309297535714575], abs=1e-12)


def test_a_class_is_equal_on_every_query(data: Collection) -> None:
    lattice = lattice_of(data, "ndcg@3")
    evaluation = Evaluation(data, {})
    chosen = random.Random(6)
    sizes = np.bincount(lattice.kind)
    for kind in chosen.sample(np.flatnonzero(sizes > 1).tolist(), 20):
        members = np.flatnonzero(lattice.kind == kind)
        first, *others = chosen.sample(members.tolist(), min(4, len(members)))
        own, counted = evaluation.per_query(lattice.spec(int(lattice.codes[first]), lattice.anchors[0]))
        for place in others:
            values, here = evaluation.per_query(lattice.spec(int(lattice.codes[place]), lattice.anchors[0]))
            assert (here == counted).all()
            assert np.allclose(values, own, rtol=0, atol=1e-9, equal_nan=True)


def test_the_whole_lattice_is_counted_by_hand() -> None:
    """Precision from the `trec_eval` preset alone: sums of products of the numbers of other values."""
    base = anchors(parse_measure("P_5"))[0]
    others = [len(values) - 1 for values in domains("precision").values()]
    by_hand = [1, 0, 0, 0, 0]
    for number in others:
        by_hand = [by_hand[d] + (by_hand[d - 1] * number if d else 0) for d in range(5)]
    assert full_count("precision", [base]) == sum(by_hand)


def test_points_are_no_more_than_four_axes_away(data: Collection) -> None:
    lattice = lattice_of(data, "P_5")
    assert int(lattice.distance.max()) <= 4
    near = np.minimum.reduce(
        [np.where(lattice.anchor_distance(lattice.codes, each) <= each.axes, 0, 1) for each in lattice.anchors]
    )
    assert not near.any()
    for place in range(0, len(lattice.codes), 97):
        code = np.array([lattice.codes[place]])
        away = min(int(lattice.anchor_distance(code, each)[0]) for each in lattice.anchors)
        assert away == lattice.distance[place]
    assert lattice.searched > len(lattice.codes) > lattice.classes


def test_a_specification_is_found_where_it_stands(data: Collection) -> None:
    lattice = lattice_of(data, "ndcg@3")
    spec = MetricSpec.of(
        "ndcg", {"cutoff": "3", "gain": "exponential", "run_duplicates": "last", "qrels_duplicates": "last"}
    )
    place = int(np.searchsorted(lattice.codes, lattice.code_of(spec)))
    assert lattice.codes[place] == lattice.code_of(spec)
    assert lattice.means[lattice.kind[place]] == pytest.approx(Evaluation(data, {}).score(spec)[2])
