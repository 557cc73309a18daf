"""The whole lists of a run: as they were kept while it was read, as they are read again, and as the file has them."""

from __future__ import annotations

import gc
import gzip
import json
from codecs import BOM_UTF8
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcgauge.data import keeping
from ndcgauge.data.collection import DEFAULT_NEEDS, Collection
from ndcgauge.data.extraction import Part
from ndcgauge.data.memory import collection_from_lines
from ndcgauge.data.options import ReadingOptions
from ndcgauge.data.reading import qrels_with, run_with
from ndcgauge.data.sources import open_source
from ndcgauge.errors import InputError

Lists = dict[str, list[tuple[str, float, float, int]]]


def collection_of(folder: Path, text: str | bytes, *, lists: bool, suffix: str = "run") -> Collection:
    qrels, run = folder / "x.qrels", folder / f"x.{suffix}"
    qrels.write_text("q0 0 D0 1\n", encoding="utf-8")
    run.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    needs = DEFAULT_NEEDS._replace(lists=lists)
    options = ReadingOptions(needs, "all", block=80, small=0)
    return run_with(qrels_with(open_source(qrels), options), open_source(run), options).collection


def lists_of(collection: Collection) -> Lists:
    """Query to (document, rank, score, line), and that each query comes once, in one piece."""
    found: Lists = {}
    for columns in collection.complete():
        for row in range(len(columns.score)):
            query = columns.queries[int(columns.query[row])].decode()
            lines = found.setdefault(query, [])
            last = columns.query[row - 1] if row else -1
            assert not lines or columns.query[row] == last
            line = (columns.doc.raw(row).decode(), float(columns.rank[row]), float(columns.score[row]))
            lines.append((*line, int(columns.line[row])))
    return found


@st.composite
def runs(draw: st.DrawFn) -> list[str]:
    """Lines of a run with comments, blank lines, long ids, ranks beyond single precision, in some order."""
    lines: list[str] = []
    for query in range(draw(st.integers(1, 5))):
        for doc in range(draw(st.integers(1, 6))):
            name = f"D{doc}" + "x" * draw(st.sampled_from((0, 0, 7, 70)))
            rank = draw(st.sampled_from(("1", "2.5", "16777217", "0.1")))
            lines.append(f"q{query} Q0 {name} {rank} {draw(st.integers(0, 3))}.5 t\n")
    if draw(st.booleans()):
        lines = draw(st.permutations(lines))
    for extra in draw(st.lists(st.sampled_from(("\n", "# a comment\n")), max_size=2)):
        lines.insert(draw(st.integers(1, len(lines))), extra)
    return lines


@given(runs(), st.sampled_from(("run", "run.gz")), st.booleans(), st.sampled_from(("\n", "\r\n")))
def test_kept_read_again_and_written_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], suffix: str, mark: bool, end: str
) -> None:
    folder = tmp_path_factory.mktemp("run")
    expected: Lists = {}
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            query, _, doc, rank, score, _ = line.split()
            expected.setdefault(query, []).append((doc, float(rank), float(score), number))
    text = (BOM_UTF8 if mark else b"") + "".join(lines).replace("\n", end).encode()
    written = gzip.compress(text, mtime=0) if suffix == "run.gz" else text
    for lists in (True, False):
        collection = collection_of(folder, written, lists=lists, suffix=suffix)
        # Twice: what is kept is not used up.
        assert lists_of(collection) == lists_of(collection) == expected


@given(runs())
def test_in_memory_and_in_another_format(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    run = [(query, doc, float(rank), float(score)) for query, _, doc, rank, score, _ in rows]
    expected: dict[str, list[tuple[str, float]]] = {}
    for query, doc, _, score in run:
        expected.setdefault(query, []).append((doc, score))
    held = collection_from_lines([("q0", "D0", 1.0)], run, on_duplicate="all")
    table = json.dumps({query: dict(docs) for query, docs in expected.items()})
    foreign = collection_of(tmp_path_factory.mktemp("json"), table, lists=True, suffix="json")
    for collection in (held, foreign):
        found = {query: [(doc, score) for doc, _, score, _ in each] for query, each in lists_of(collection).items()}
        assert found == expected


@pytest.mark.parametrize("scattered", [False, True])
@pytest.mark.parametrize("lists", [False, True])
def test_the_parts_of_a_run_are_let_go(tmp_path: Path, *, scattered: bool, lists: bool) -> None:
    text = [f"q{query} Q0 D{doc} 1 1.0 t\n" for query in range(9) for doc in range(9)]
    gc.collect()
    before = sum(isinstance(each, Part) for each in gc.get_objects())
    collection = collection_of(tmp_path, "".join(text[::-2] + text[::2] if scattered else text), lists=lists)
    gc.collect()
    assert len(collection.queries) == 9
    assert sum(isinstance(each, Part) for each in gc.get_objects()) == before


@pytest.mark.parametrize("scattered", [False, True])
def test_what_is_kept_is_not_read_again_and_what_is_too_large_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, scattered: bool
) -> None:
    lines = [f"q{query} Q0 D{doc} 1 1.0 t\n" for query in range(9) for doc in range(9)]
    text = "".join(lines[::-2] + lines[::2] if scattered else lines)
    kept = collection_of(tmp_path, text, lists=True)
    monkeypatch.setattr(keeping, "MOST", 100)
    large = collection_of(tmp_path, text, lists=True)
    assert lists_of(kept) == lists_of(large)
    (tmp_path / "x.run").write_text("gone\n", encoding="utf-8")
    assert len(lists_of(kept)) == 9
    with pytest.raises(InputError):
        lists_of(large)
