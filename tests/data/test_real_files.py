"""Every pair of the shared real data: it reads, both readers agree, and the counts are the recorded ones."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.data.writing import LINE_BY_LINE, contents, load

from ndcgauge.data.accounting import Accounting, account
from ndcgauge.data.reading import Loaded
from ndcgauge.data.sources import open_source
from ndcgauge.errors import InputError

SHARED = Path(__file__).parents[3] / "shared" / "data"

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared real data is not beside this repository")

NUL = {"fed13.ebm25_1.run.gz": 41051, "fed13.elm_1.run.gz": 8219}
"""Runs with NUL bytes, and how many, as the data's own page says."""
REPEATS = {"document_bm25+rm3-tuned.run.gz"}
"""A run with repeated documents: trec_eval refuses it."""


@dataclass(frozen=True)
class Pair:
    folder: str
    run: str
    qrels: str

    @property
    def files(self) -> tuple[Path, Path]:
        return SHARED / self.folder / self.qrels, SHARED / self.folder / self.run


def pairs() -> list[Pair]:
    """The rows of the tables of the data's own page."""
    page = SHARED / "README.md"
    found: list[Pair] = []
    folder = ""
    for line in page.read_text().splitlines() if page.is_file() else ():
        if heading := re.match(r"## ([\w-]+)$", line):
            folder = heading[1]
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 5 and (SHARED / folder / cells[2]).is_file() and (SHARED / folder / cells[3]).is_file():
            found.append(Pair(folder, cells[2], cells[3]))
    return found


def read(pair: Pair, small: int, block: int = 4 << 20, on_nul: str = "error") -> Loaded:
    qrels, run = pair.files
    rule = "first" if pair.run in REPEATS else "error"
    return load(open_source(qrels), open_source(run), on_duplicate=rule, on_nul=on_nul, small=small, block=block)


PAIRS = pairs()


def test_all_pairs_of_the_page_are_found() -> None:
    assert len(PAIRS) == 71


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.folder}-{pair.run}-{pair.qrels}")
def test_both_readers_read_the_same(pair: Pair) -> None:
    on_nul = "stop" if pair.run in NUL else "error"
    slow, fast = read(pair, LINE_BY_LINE, on_nul=on_nul), read(pair, 0, 100_000, on_nul)
    assert contents(slow.collection) == contents(fast.collection)
    assert slow.run_file == fast.run_file
    some = [slow.collection.queries[0], slow.collection.queries[-1]]
    assert slow.collection.lists(some) == fast.collection.lists(some)
    assert slow.warnings == ()


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.run in NUL], ids=lambda pair: pair.run)
@pytest.mark.parametrize("small", [0, LINE_BY_LINE])
def test_nul_bytes_are_refused_with_their_offset(pair: Pair, small: int) -> None:
    with open_source(pair.files[1]).open() as stream:
        data = stream.read(1 << 30)
    assert data.count(b"\0") == NUL[pair.run]
    with pytest.raises(InputError, match=f"offset {data.index(0):,}; trec_eval stops") as caught:
        read(pair, small)
    assert caught.value.line == 1 + data[: data.index(0)].count(b"\n")


@pytest.mark.parametrize("small", [0, LINE_BY_LINE])
def test_the_run_with_repeated_documents_is_refused(small: int) -> None:
    folder = SHARED / "codec"
    [name] = REPEATS
    run = open_source(folder / name)
    with run.open() as stream:
        lines = stream.read(1 << 30).split(b"\n")
    seen: set[tuple[bytes, ...]] = set()
    again = next(n for n, line in enumerate(lines, 1) if (k := (*line.split()[:3:2],)) in seen or seen.add(k))
    with pytest.raises(InputError, match="stands on line") as caught:
        load(open_source(folder / "document_ndcg.qrels.gz"), run, small=small)
    assert (caught.value.line, caught.value.text) == (again, lines[again - 1].decode())


def recorded() -> list[tuple[Pair, dict[str, object]]]:
    found: list[tuple[Pair, dict[str, object]]] = []
    for page in sorted(SHARED.glob("*/expected.json")):
        for each in json.loads(page.read_text())["pairs"].values():
            pair = Pair(page.parent.name, each["run"], each["qrels"])
            # The counts of a run with NULs are over lines that trec_eval never sees.
            if "stats" in each and pair in PAIRS and pair.run not in NUL:
                found.append((pair, each["stats"]))
    return found


def counts(accounting: Accounting) -> dict[str, object]:
    ties = accounting.ties[10]
    return {
        "run_queries": accounting.retrieved,
        "qrels_queries": accounting.judged,
        "queries_in_both": accounting.both,
        "judged_queries_missing_from_run": len(accounting.judged_only),
        "run_queries_without_judgments": len(accounting.run_only),
        "judged_queries_with_no_positive_grade": len(accounting.without_relevant),
        "duplicate_docs": accounting.repeated_documents,
        "queries_tied_at_10_11_boundary": ties.across,
        "queries_tied_at_10_11_boundary_only_in_float32": ties.across_float32,
        "queries_with_a_tie_in_top_10": ties.within,
        "queries_with_extra_float32_tie_in_top_10": ties.within_float32,
        "judged_at_10_trec_eval_order": round(accounting.judged_at[10], 6),
    }


@pytest.mark.parametrize(
    ("pair", "stats"), recorded(), ids=[f"{pair.folder}-{pair.run}-{pair.qrels}" for pair, _ in recorded()]
)
def test_the_accounting_is_the_recorded_one(pair: Pair, stats: dict[str, object]) -> None:
    loaded = read(pair, 2 << 20)
    accounting = account(loaded.collection)
    mine = counts(accounting)
    assert mine == {key: stats[key] for key in mine}
    assert (loaded.run_file.lines, loaded.qrels_file.lines) == (stats["run_lines"], stats["qrels_lines"])
    if pair.run not in REPEATS:
        assert (accounting.fewest, accounting.most) == (stats["min_docs_per_query"], stats["max_docs_per_query"])
    grades = stats["grades"]
    assert isinstance(grades, dict)
    if "distinct" in grades:
        assert len(accounting.scale) == grades["distinct"]
    else:
        assert dict(accounting.scale) == grades
