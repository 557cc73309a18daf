"""What is kept of a run takes few bytes: places have 32 bits, and what is one number all over is held once."""

from __future__ import annotations

import numpy as np

from ndcgauge.data.collection import Collection, RankingKey
from ndcgauge.data.memory import collection_from_lines

BY_LINE, BY_SCORE = RankingKey("line"), RankingKey()


def collection(*, tied: bool) -> Collection:
    qrels = [(f"q{q}", f"d{d}", 1.0) for q in range(3) for d in range(0, 20, 2)]
    run = [(f"q{q}", f"d{d}", d + 1.0, 50.0 - (d // 2 if tied else d)) for q in range(3) for d in range(20)]
    return collection_from_lines(qrels, run)


def test_places_have_32_bits() -> None:
    for ranking in collection(tied=True).rows["all"].rankings.values():
        for column in (ranking.start, ranking.length, ranking.by_docid, ranking.by_line):
            assert column.dtype == np.int32


def test_a_column_of_one_number_is_held_once() -> None:
    ranking = collection(tied=True).rows["all"].rankings[BY_LINE]
    assert ranking.length.tolist() == [1] * 30
    assert ranking.by_docid.tolist() == ranking.by_line.tolist() == [0] * 30
    assert ranking.length.strides == ranking.by_docid.strides == ranking.by_line.strides == (0,)


def test_ties_are_still_told_apart() -> None:
    ranking = collection(tied=True).rows["all"].rankings[BY_SCORE]
    # d0 ties with d1, which is the greater id and stands first; d10 ties with d11, and so on.
    assert set(ranking.length.tolist()) == {2}
    assert set(ranking.by_docid.tolist()) == {1}
    assert set(ranking.by_line.tolist()) == {0}
    assert ranking.start.tolist() == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19] * 3


def test_keys_that_rank_alike_share_one_object() -> None:
    rankings = collection(tied=False).rows["all"].rankings
    assert rankings[RankingKey("rank")] is rankings[BY_LINE]
    assert rankings[RankingKey("score", "float32")] is rankings[BY_SCORE]
