"""Guards of speed that need no clock: passes over a file, and Python calls that do not grow with its lines."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from ndcgauge.data.options import ReadingOptions
from ndcgauge.data.packing import Unpacked
from ndcgauge.data.reading import qrels_with, run_with
from ndcgauge.data.sources import open_source

QUERIES = 4


def tidy(query: int, doc: int) -> str:
    return f"q{query} Q0 d{doc} {doc} {9999 - doc // 3}.5 t\n"


def untidy(query: int, doc: int) -> str:
    return f" q{query}\tQ0  d{doc} {doc} {9999 - doc // 3}.5 t\r\n"


def hard(query: int, doc: int) -> str:
    return f"q{query} Q0 d{doc} {doc} {9999 - doc // 3}.123456789012345678 t\n"


def files(folder: Path, line: Callable[[int, int], str], docs: int, *, shuffled: bool = False) -> tuple[Path, Path]:
    lines = [line(query, doc) for query in range(QUERIES) for doc in range(1, docs + 1)]
    if shuffled:
        random.Random(1).shuffle(lines)
    run, qrels = folder / f"run-{docs}", folder / f"qrels-{docs}"
    run.write_text("".join(lines))
    # Every fifth document is judged, so that matching is looked at as well.
    qrels.write_text("".join(f"q{query} 0 d{doc} {doc % 3}\n" for query in range(QUERIES) for doc in range(1, docs, 5)))
    return qrels, run


def calls(qrels: Path, run: Path) -> int:
    """Calls, of Python and of C, while a pair of files is read."""
    options = ReadingOptions(block=1 << 22, small=0)
    sources = open_source(qrels), open_source(run)
    run_with(qrels_with(sources[0], options), sources[1], options)
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        run_with(qrels_with(sources[0], options), sources[1], options)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    ("line", "shuffled"), [(tidy, False), (untidy, False), (hard, False), (tidy, True), (untidy, True)]
)
def test_no_call_is_made_for_a_line(tmp_path: Path, line: Callable[[int, int], str], shuffled: bool) -> None:
    few = calls(*files(tmp_path, line, 1500, shuffled=shuffled))
    many = calls(*files(tmp_path, line, 6000, shuffled=shuffled))
    # 18,000 lines and 3,600 judgments more; a call for one in a hundred of them would show.
    assert many - few < 36


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes that are read, call by call."""
    sizes: list[int] = []
    original = Unpacked.read_into

    def note(self: Unpacked, room: memoryview) -> int:
        sizes.append(original(self, room))
        return sizes[-1]

    monkeypatch.setattr(Unpacked, "read_into", note)
    return sizes


@pytest.mark.parametrize(("shuffled", "passes"), [(False, 1), (True, 2)])
def test_passes_over_a_file(tmp_path: Path, read: list[int], shuffled: bool, passes: int) -> None:
    qrels, run = files(tmp_path, tidy, 2000, shuffled=shuffled)
    options = ReadingOptions(block=1 << 15, small=0)
    run_with(qrels_with(open_source(qrels), options), open_source(run), options)
    total = qrels.stat().st_size + run.stat().st_size
    assert total - 6 <= sum(read) <= qrels.stat().st_size + passes * run.stat().st_size
    # What is out of order is noticed early: the first pass ends there.
    assert passes == 1 or sum(read) < total + 4 * options.block


def test_block_sizes_change_nothing(tmp_path: Path) -> None:
    qrels, run = files(tmp_path, tidy, 700)
    kept = []
    for block in (1 << 12, 1 << 14, 1 << 22):
        options = ReadingOptions(block=block, small=0)
        collection = run_with(qrels_with(open_source(qrels), options), open_source(run), options).collection
        rows = collection.rows["all"]
        rankings = {
            key: [
                each.start.tolist(),
                each.length.tolist(),
                each.by_docid.tolist(),
                each.by_line.tolist(),
                each.ranked.tolist(),
            ]
            for key, each in rows.rankings.items()
        }
        kept.append([rows.query.tolist(), rows.judged.tolist(), rows.line.tolist(), rankings])
    assert kept[0] == kept[1] == kept[2]
