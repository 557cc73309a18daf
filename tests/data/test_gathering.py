"""Lines that are gathered come back whole, query by query, each query's in the order of the file."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcgauge.data import gathering, plain
from ndcgauge.data.gathering import DRAWERS, Gathered

Line = tuple[bytes, bytes, float, float, int]

QUERY = st.integers(0, 2 * DRAWERS).map(lambda n: b"q%d" % n)
DOC = st.one_of(
    st.binary(min_size=1, max_size=20).filter(lambda raw: not any(byte <= 32 for byte in raw)),
    st.sampled_from([b"d" * 64, b"e" * 65, b"f" * 300]),
)
RANK = st.sampled_from([1.0, 2.0, 0.1, 16777217.0, -3.0, 1e300])


@st.composite
def files(draw: st.DrawFn) -> list[list[Line]]:
    """Blocks of lines; line numbers go on, with gaps, from one block to the next."""
    number = 0
    blocks: list[list[Line]] = []
    for _ in range(draw(st.integers(0, 4))):
        block: list[Line] = []
        for _ in range(draw(st.integers(0, 12))):
            number += draw(st.integers(1, 3))
            block.append((draw(QUERY), draw(DOC), draw(RANK), draw(st.floats(-9, 9)), number))
        blocks.append(block)
    return blocks


def gathered(blocks: list[list[Line]]) -> list[dict[bytes, list[Line]]]:
    """The lines of each query, slice by slice."""
    kept = Gathered()
    for block in blocks:
        text = b"".join(b"%s Q0 %s 1 1 t\n" % (query, doc) for query, doc, *_ in block)
        read = plain.read_run(text, 1, "run")
        numbers = (np.array([line[place] for line in block], dtype=np.float64) for place in (2, 3))
        rank, score = numbers
        kept.add(read._replace(rank=rank, score=score, line=np.array([line[4] for line in block], dtype=np.int64)))
    slices: list[dict[bytes, list[Line]]] = []
    for found in kept.complete_queries():
        lines: defaultdict[bytes, list[Line]] = defaultdict(list)
        for row in range(len(found.query)):
            query = found.queries[int(found.query[row])]
            numbers = float(found.rank[row]), float(found.score[row]), int(found.line[row])
            lines[query].append((query, found.doc.raw(row), *numbers))
        # A query without a line is none.
        assert set(found.queries) == set(lines)
        slices.append(dict(lines))
    return slices


@given(blocks=files())
def test_every_query_comes_back_whole(blocks: list[list[Line]]) -> None:
    expected: defaultdict[bytes, list[Line]] = defaultdict(list)
    for line in (line for block in blocks for line in block):
        expected[line[0]].append(line)
    found: dict[bytes, list[Line]] = {}
    for part in gathered(blocks):
        assert found.keys().isdisjoint(part)
        found |= part
    assert found == expected


def test_many_lines_come_back_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "SLICE", 50)
    block = [(b"q%d" % (n % 90), b"d%d" % n, 1.0, 1.0, n + 1) for n in range(900)]
    slices = gathered([block[:500], block[500:]])
    sizes = [sum(map(len, part.values())) for part in slices]
    assert len(slices) > 10
    assert sum(sizes) == 900
    # A drawer has one query or two of ten lines each, and a slice ends with the drawer that fills it.
    assert all(50 <= size < 70 for size in sizes[:-1])
