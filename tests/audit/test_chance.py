"""The chance of an accidental match: by hand, and held against random claims on random data."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from tests.audit.files import inquirer, random_pair

from ndcgauge.audit.chance import cells, chance, share_near
from ndcgauge.audit.claim import parse_claim
from ndcgauge.audit.finding import Verdict
from ndcgauge.audit.printed import parse_printed


def test_a_value_on_a_half_gives_both_neighbours() -> None:
    assert cells(np.array([0.125, 0.3, np.nan, np.inf]), 2).tolist() == [12, 13, 30]


def test_by_hand() -> None:
    values = np.array([0.50, 0.52, 0.53, 0.90])
    # The truth is 0.50. Windows that hold 0.53: within 3 steps are 6 other numbers, 2 of them given.
    # Within 40 steps are 80, 3 of them given.
    assert chance(values, parse_printed("0.53"), 0.5) == pytest.approx(2 / 6)
    # Within 2 steps: 1 of 4; within 3: 2 of 6, which is more.
    assert chance(values, parse_printed("0.48"), 0.5) == pytest.approx(2 / 6)
    # The window of 45 steps ends at 0.05 and 0.95.
    assert chance(values, parse_printed("0.05"), 0.5) == pytest.approx(3 / 90)


def test_numbers_beyond_the_bounds_are_no_claims() -> None:
    # About 0.95, within 10 steps: 0.85 to 1.00 without the truth itself, 15 numbers, of which 1 is given.
    assert share_near(np.array([0.95, 0.86]), parse_printed("0.94"), 0.95, reach=0.1) == pytest.approx(1 / 15)
    assert share_near(np.array([0.95, 0.86]), parse_printed("0.94"), 0.95, reach=0.1, bounded=False) == pytest.approx(
        1 / 20
    )


def test_nothing_is_given_by_chance_where_nothing_is_given() -> None:
    assert chance(np.array([0.5]), parse_printed("0.7"), 0.5) == 0.0


def test_random_claims_are_not_reproduced_more_often_than_the_chance_told(tmp_path: Path) -> None:
    """600 claims that scatter about the truth, on six random pairs: all that are called reproduced are accidents."""
    chosen = random.Random(20261130)
    called: list[bool] = []
    told: list[float] = []
    for seed, (measure, queries) in enumerate(
        [("ndcg@5", 1), ("ndcg@10", 3), ("map", 8), ("P_5", 25), ("recall_5", 8), ("rr", 25)]
    ):
        asked = inquirer(tmp_path / str(seed), *random_pair(seed, queries))
        truth = asked.inquire(parse_claim(f"{measure}=0.5")).value
        assert truth is not None
        for _ in range(100):
            decimals, reach = chosen.choice([2, 3, 4, 5]), chosen.choice([0.002, 0.01, 0.05, 0.2])
            value = min(1.0, max(0.0, truth + chosen.uniform(-reach, reach)))
            found = asked.inquire(parse_claim(f"{measure}={value:.{decimals}f}"))
            called.append(found.verdict is Verdict.OTHERWISE)
            told.append(found.chance)
    assert len(called) == 600
    # Some are called so: a test of no case would prove nothing.
    assert sum(called) > 20
    assert sum(called) <= sum(told)
