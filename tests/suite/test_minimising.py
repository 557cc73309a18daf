from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ndcgauge.suite.minimising import Line, files_of, neutral, renamed, smallest

LINES = [Line("q", f"d{number}", rank=str(number), score=str(-number)) for number in range(40)]


@given(st.sets(st.integers(0, 39), min_size=1, max_size=6))
def test_what_is_needed_is_left_and_nothing_else(needed: set[int]) -> None:
    wanted = {LINES[number] for number in needed}
    rounds: list[int] = []

    def keeps(candidates: Sequence[Sequence[Line]]) -> list[bool]:
        rounds.append(len(candidates))
        return [wanted <= set(each) for each in candidates]

    assert set(smallest(LINES, keeps)) == wanted
    assert len(rounds) < 60


def test_ids_are_neutral_and_keep_their_order_and_scores_their_ties() -> None:
    lines = [
        Line("topic 7".replace(" ", "-"), "zebra", grade="2"),
        Line("topic-7", "zebra", rank="3", score="0.25"),
        Line("topic-7", "topic-7", rank="1", score="0.5"),
        Line("topic-7", "ant", rank="2", score="0.25"),
    ]
    plain, plainer = neutral(lines)
    assert [(each.query, each.doc) for each in plain] == [("q1", "D3"), ("q1", "D3"), ("q1", "q1"), ("q1", "D1")]
    assert [each.score for each in plainer[0]] == ["", "1.0", "2.0", "1.0"]
    assert [each.rank for each in plainer[0]] == ["", "1", "2", "3"]
    assert [each.rank for each in plainer[1]] == ["", "3", "1", "2"]


def test_the_files_of_lines() -> None:
    lines = renamed([Line("a", "a", grade="1"), Line("a", "x", rank="1", score="2.5")], "q1")
    assert files_of(lines) == (b"q1 0 q1 1\n", b"q1 Q0 x 1 2.5 demo\n")
