"""Where only the first k ranks matter, the rest of a list is left out: no numerator notices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests.reference.strategies import NEEDS, Qrels, Run, collections, specs

from ndcgauge.data.memory import collection_from_lines
from ndcgauge.errors import InputError, UsageError
from ndcgauge.reference import Evaluation, NoClosedForm
from ndcgauge.reference.numerators import Numerators
from ndcgauge.spec import MetricSpec

TIED: tuple[Qrels, Run] = (
    [("q1", doc, grade) for doc, grade in (("a", 1.0), ("B", -1.0), ("b2", 2.0), ("10", 1.0))],
    [("q1", doc, 1.0, score) for doc, score in (("a", 2.0), ("B", 2.0), ("b2", 1.0), ("é", 1.0), ("10", 1.0))],
)


@given(collections(repeats=True), specs(repeats=True), st.integers(1, 3))
@example(TIED, MetricSpec.of("ndcg", {"cutoff": "2", "negative": "drop", "ties": "average"}), 2)
@example(TIED, MetricSpec.of("ndcg", {"cutoff": "2", "unjudged": "drop", "ties": "average"}), 2)
@example(TIED, MetricSpec.of("dcg", {"cutoff": "3", "unjudged": "drop", "unretrieved": "append"}), 3)
def test_the_first_ranks_gain_the_same(lines: tuple[Qrels, Run], spec: MetricSpec, k: int) -> None:
    assume(spec.measure in ("ndcg", "dcg"))
    spec = spec.replace(cutoff=str(k))
    evaluation = Evaluation(collection_from_lines(*lines, NEEDS, "last"), {})
    try:
        whole, gains = evaluation.standing(spec), evaluation.pair_gains(spec, ideal=False)
    except (InputError, UsageError, NoClosedForm):
        return
    first = evaluation.standing(spec, k)
    assert np.array_equal(first.n_left, whole.n_left)
    assert np.array_equal(first.query, whole.query)
    assert np.array_equal(first.weight, whole.weight)
    here, there = (Numerators(each, k).dcg("gains", gains, spec["ties"], spec["discount"]) for each in (first, whole))
    assert np.array_equal(here, there)


@pytest.mark.parametrize(
    ("changes", "left"),
    [
        # Ranks 1 to 3 of 30, every third document judged: the first one.
        ({}, 1),
        # The first three judged ones.
        ({"unjudged": "drop"}, 3),
        # The first is dropped: rank 4, the next judged one, rises to 3.
        ({"negative": "drop"}, 1),
    ],
)
def test_what_lies_beyond_is_left_out(changes: dict[str, str], left: int) -> None:
    qrels = [("q1", f"d{place:02d}", -1.0 if place == 0 else 2.0) for place in range(0, 30, 3)]
    if changes.get("negative") != "drop":
        qrels[0] = ("q1", "d00", 2.0)
    run = [("q1", f"d{place:02d}", float(place), float(100 - place)) for place in range(30)]
    evaluation = Evaluation(collection_from_lines(qrels, run), {})
    spec = MetricSpec.of("ndcg", {"cutoff": "3", **changes})
    assert len(evaluation.standing(spec).pair) == len(qrels) - (changes.get("negative") == "drop")
    assert len(evaluation.standing(spec, 3).pair) == left
    assert evaluation.standing(spec, 3).n_left.tolist() == evaluation.standing(spec).n_left.tolist()
