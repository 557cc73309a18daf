"""The lattice as numbers, against enumeration by hand."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ndcgauge.search.digits import Digits, members
from ndcgauge.search.points import Space, ball, count, union

SPACE = Space(("a", "b", "c"), (("0", "1"), ("0", "1", "2"), ("0", "1", "2", "3")))


def enumerated(space: Space, own: dict[str, int], radius: int) -> dict[int, int]:
    """Every point within the radius with its distance, by looking at all."""
    found: dict[int, int] = {}
    for digits in itertools.product(*(range(len(each)) for each in space.values)):
        away = sum(digit != own[axis] for axis, digit in zip(space.axes, digits, strict=True))
        if away <= radius:
            found[space.code(dict(zip(space.axes, digits, strict=True)))] = away
    return found


def test_layers_of_a_ball_by_hand() -> None:
    layers = ball(SPACE, {"a": 1, "b": 0, "c": 2}, 3)
    # 1 point; 1 + 2 + 3 changes of one axis; 1*2 + 1*3 + 2*3 of two; 1*2*3 of three.
    assert [len(each) for each in layers] == [1, 6, 11, 6]
    assert sum(len(each) for each in layers) == 2 * 3 * 4


centres = st.lists(
    st.tuples(
        st.fixed_dictionaries({"a": st.integers(0, 1), "b": st.integers(0, 2), "c": st.integers(0, 3)}),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=4,
)


@given(centres)
def test_the_union_of_balls(chosen: list[tuple[dict[str, int], int]]) -> None:
    wanted: dict[int, int] = {}
    for own, radius in chosen:
        for code, away in enumerated(SPACE, own, radius).items():
            wanted[code] = min(away, wanted.get(code, away))
    points = union(SPACE, chosen)
    assert dict(zip(points.codes.tolist(), points.distance.tolist(), strict=True)) == wanted
    assert count(SPACE, chosen) == len(wanted)


def test_codes_taken_apart() -> None:
    digits = Digits(SPACE)
    codes = np.arange(24)
    assert (digits.of(codes, "a") + 2 * digits.of(codes, "b") + 6 * digits.of(codes, "c") == codes).all()
    assert digits.values(np.array([7]), "c", "x") == ["1"]
    assert digits.values(np.array([7]), "absent", "x") == ["x"]
    assert digits.has(codes, "b", "1", "2").sum() == 16
    assert not digits.has(codes, "absent", "1").any()
    assert set(digits.without(codes, "a", "c").tolist()) == {0, 2, 4}
    assert set(digits.only(codes, "c").tolist()) == {0, 6, 12, 18}
    assert digits.at(np.array([0, 7]), "c", "3", np.array([True, False])).tolist() == [18, 7]


def test_members_of_groups() -> None:
    codes = np.array([5, 3, 5, 9, 3, 7])
    by = np.array([1, 0, 1, 1, 0, 2])
    found = {group: {code: places.tolist() for code, places in listed} for group, listed in members(codes, by)}
    assert found == {0: {3: [1, 4]}, 1: {5: [0, 2], 9: [3]}, 2: {7: [5]}}
    assert list(members(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))) == []
