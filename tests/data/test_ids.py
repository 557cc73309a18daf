"""Ids: hashes never decide, order is that of bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.data.writing import contents

from ndcgauge.data import judgments
from ndcgauge.data.collection import Ints
from ndcgauge.data.ids import Ids, IdTexts, Words, joined, same
from ndcgauge.data.memory import collection_from_lines

COLUMN = st.lists(st.binary(max_size=20) | st.sampled_from([b"x" * 64, b"x" * 65, b"x" * 65 + b"\0"]), max_size=20)


@given(COLUMN)
def test_descending_keys_order_as_bytes_do(column: list[bytes]) -> None:
    ids = Ids.of(column)
    order = np.lexsort(tuple(reversed(ids.descending_keys())))
    assert [column[each] for each in order.tolist()] == sorted(column, reverse=True)


@given(COLUMN, st.integers(0, 3))
def test_equal_ids_have_equal_hashes_wherever_they_stand(column: list[bytes], seed: int) -> None:
    ids = joined([Ids.of(column), Ids.of([b"between"]), Ids.of(column)])
    assert [ids.raw(each) for each in range(len(ids))] == [*column, b"between", *column]
    hashes = ids.hashes(seed).tolist()
    assert hashes[: len(column)] == hashes[len(column) + 1 :]


@given(COLUMN)
def test_same_compares_every_byte(column: list[bytes]) -> None:
    left, right = Ids.of(column), Ids.of([*column[1:], *column[:1]])
    assert same(left, right).tolist() == [a == b for a, b in zip(column, [*column[1:], *column[:1]], strict=True)]


def test_ids_of_few_bytes_pack_from_anywhere() -> None:
    ids = Ids.of([b"one", b"two", b"three"])
    assert ids.packed().tobytes() == b"onetwothree"
    assert ids.take(np.array([2, 0])).packed().tobytes() == b"threeone"


def test_texts_are_a_sequence() -> None:
    texts = IdTexts(Ids.of([b"a", b"\xff", "é".encode()]))
    assert list(texts) == ["a", "\udcff", "é"]
    assert (texts[-1], texts[1:]) == ("é", ["\udcff", "é"])
    with pytest.raises(IndexError):
        texts[3]


QRELS = [("q", "a", 1.0), ("q", "b", 2.0), ("p", "a", 1.0), ("q", "a", 2.0)]
RUN = [("q", "c", 1.0, 4.0), ("q", "b", 2.0, 3.0), ("p", "b", 1.0, 3.0), ("q", "c", 3.0, 2.0), ("p", "p", 2.0, 2.0)]


def test_a_hash_that_never_tells_pairs_apart_costs_time_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    right = contents(collection_from_lines(QRELS, RUN, on_duplicate="first"))
    rounds = 0

    def poor(doc: Words, query: Ints, queries: int) -> Words:
        nonlocal rounds
        rounds += 1
        # Every pair alike while the qrels' repetitions are looked for and in the first try of a match.
        return np.zeros(len(doc), np.uint64) if rounds < 4 else pair_hashes(doc, query, queries)

    pair_hashes = judgments.pair_hashes
    monkeypatch.setattr(judgments, "pair_hashes", poor)
    assert contents(collection_from_lines(QRELS, RUN, on_duplicate="first")) == right
    assert rounds > 4


def test_lines_with_one_hash_are_compared_by_their_ids() -> None:
    query, doc = np.array([0, 0, 1, 0]), Ids.of([b"a", b"b", b"a", b"a"])
    original = judgments.originals(query, doc, np.zeros(4, np.uint64))
    assert original is not None
    assert original.tolist() == [0, 1, 2, 0]
    assert judgments.originals(query[:3], doc.take(np.arange(3)), np.zeros(3, np.uint64)) is None
