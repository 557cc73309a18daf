"""The split over axes: by hand, as invariants over random games, and on specifications."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.reference.strategies import NEEDS, Qrels, Run, collections, specs

from ndcgauge.data.collection import Bools, Floats
from ndcgauge.data.memory import collection_from_lines
from ndcgauge.diff.attribution import Game, minimal_explanations, play, shapley
from ndcgauge.errors import NdcgaugeError
from ndcgauge.reference import Evaluation
from ndcgauge.spec import MetricSpec

AXES = ("gain", "order", "ties", "unjudged")


def game(means: dict[tuple[str, ...], float], players: tuple[str, ...]) -> Game:
    """A game of one query, whose value is the mean."""
    worth = {frozenset(chosen): value for chosen, value in means.items()}
    values = {each: np.array([value]) for each, value in worth.items()}
    return Game(players, values, {each: np.array([True]) for each in worth}, worth)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Up to four players with any worths, also such as make a player useless."""
    players = draw(st.permutations(AXES))[: draw(st.integers(0, 4))]
    worth = st.sampled_from([0.0, 0.25, 0.5, 0.7, 1.0])
    means = {
        chosen: draw(worth) for size in range(len(players) + 1) for chosen in itertools.combinations(players, size)
    }
    return game(means, tuple(players))


def the_mean(values: Floats, counted: Bools, mean: float) -> float:
    return mean


def test_two_axes_by_hand() -> None:
    # gain first: 1, then ties adds 4; ties first: 2, then gain adds 3.
    found = shapley(game({(): 0.0, ("gain",): 1.0, ("ties",): 2.0, ("gain", "ties"): 5.0}, ("gain", "ties")))
    assert found.contributions == {"gain": 2.0, "ties": 3.0}
    assert found.per_query["gain"].tolist() == [2.0]
    assert found.touched == {"gain": 1, "ties": 1}


@given(games())
def test_contributions_add_up_to_the_difference(played: Game) -> None:
    found = shapley(played)
    whole = played.means[frozenset(played.players)] - played.means[frozenset()]
    assert math.fsum(found.contributions.values()) == pytest.approx(whole, abs=1e-12)


@given(games(), st.data())
def test_the_order_of_axes_changes_nothing(played: Game, data: st.DataObject) -> None:
    other = Game(tuple(data.draw(st.permutations(played.players))), played.values, played.counted, played.means)
    one, two = shapley(played).contributions, shapley(other).contributions
    assert one.keys() == two.keys()
    assert all(one[axis] == pytest.approx(two[axis], abs=1e-12) for axis in one)


@given(games())
def test_left_out_is_what_never_moves_anything(played: Game) -> None:
    left_out = set(played.players) - set(shapley(played).contributions)
    for axis in played.players:
        moves = any(played.means[each | {axis}] != played.means[each] for each in played.means)
        assert (axis in left_out) == (not moves)


@given(games(), st.floats(0.0, 1.0))
def test_the_smallest_sets_that_match_are_all_listed(played: Game, observed: float) -> None:
    def matches(values: Floats, counted: Bools, mean: float) -> bool:
        return abs(mean - observed) <= 0.25

    found = minimal_explanations(played, matches)
    matching = [each for each, mean in played.means.items() if abs(mean - observed) <= 0.25]
    smallest = min((len(each) for each in matching), default=0)
    assert {frozenset(each) for each in found} == {each for each in matching if len(each) == smallest}


def test_two_axes_that_act_only_together_share_the_difference() -> None:
    # Alone neither does anything: in double precision nothing ties, and the rule of float32's tie agrees with the
    # scores. Together they put the relevant document second: 1/log2(3) in place of 1.
    collection = collection_from_lines([("q", "b", 1.0)], [("q", "b", 1.0, 16777217.0), ("q", "a", 2.0, 16777216.0)])
    base = MetricSpec.of("ndcg", {"cutoff": "10"})
    other = base.replace(score_precision="float32", ties="docid-asc")
    found = shapley(play(Evaluation(collection, {}), base, other, the_mean))
    half = (0.6309297535714575 - 1.0) / 2
    assert found.contributions == pytest.approx({"score_precision": half, "ties": half}, abs=1e-15)
    assert found.touched == {"score_precision": 1, "ties": 1}


def test_rounding_and_the_cutoff_are_no_players() -> None:
    collection = collection_from_lines([("q", "a", 1.0)], [("q", "b", 1.0, 2.0), ("q", "a", 2.0, 1.0)])
    base = MetricSpec.of("ndcg", {"cutoff": "10"})
    played = play(Evaluation(collection, {}), base, base.replace(rounding="4", gain="exponential"), the_mean)
    assert played.players == ("gain",)


@settings(max_examples=60, deadline=None)
@given(collections(), specs(), st.data())
def test_every_query_adds_up_too(lines: tuple[Qrels, Run], base: MetricSpec, data: st.DataObject) -> None:
    qrels, run = lines
    assume(qrels and run)
    # Of whatever measure: what it shares with the base's. To wait for the same one would throw most draws away.
    wanted = data.draw(specs()).axes
    shared = [axis for axis in base.axes if axis in wanted and wanted[axis] != base[axis]]
    axes = [axis for axis in shared if axis not in ("cutoff", "rounding")][:3]
    other = base.with_axes({axis: wanted[axis] for axis in axes})
    try:
        played = play(Evaluation(collection_from_lines(qrels, run, NEEDS), {}), base, other, the_mean)
    except NdcgaugeError:
        assume(False)
        raise
    found = shapley(played)
    everywhere = np.all(list(played.counted.values()), axis=0)
    whole = played.values[frozenset(played.players)] - played.values[frozenset()]
    split = sum(found.per_query.values(), np.zeros_like(whole))
    # A query that is undefined on a side has no difference that could be split.
    numbers = everywhere & ~np.isnan(whole)
    assert split[numbers] == pytest.approx(whole[numbers], abs=1e-9)


def test_a_query_that_is_undefined_on_both_sides_has_nothing_to_split() -> None:
    collection = collection_from_lines([("q", "a", 0.0)], [("q", "a", 1.0, 2.0), ("q", "b", 2.0, 2.0)])
    base = MetricSpec.of("ap", {"zero_ideal": "nan"})
    played = play(Evaluation(collection, {}), base, base.replace(ties="docid-asc", unjudged="drop"), the_mean)
    assert np.isnan(played.values[frozenset()]).all()
    assert shapley(played).per_query == {}
