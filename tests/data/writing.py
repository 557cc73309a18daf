"""Files for tests of the readers."""

from __future__ import annotations

import gzip
from pathlib import Path

import zstandard

from ndcgauge.data.collection import DEFAULT_NEEDS, Collection, Needs
from ndcgauge.data.options import ReadingOptions
from ndcgauge.data.reading import Loaded, qrels_with, run_with
from ndcgauge.data.sources import Source, open_source

LINE_BY_LINE = 1 << 40
"""`small` so large that every file is read line by line."""


def source(folder: Path, name: str, data: bytes) -> Source:
    path = folder / name
    if name.endswith(".gz"):
        data = gzip.compress(data)
    elif name.endswith(".zst"):
        data = zstandard.ZstdCompressor().compress(data)
    path.write_bytes(data)
    return open_source(path)


def load(
    qrels: Source,
    run: Source,
    *,
    needs: Needs = DEFAULT_NEEDS,
    on_duplicate: str = "error",
    on_nul: str = "error",
    block: int = 4 << 20,
    small: int = LINE_BY_LINE,
) -> Loaded:
    options = ReadingOptions(needs, on_duplicate, on_nul, block=block, small=small)
    return run_with(qrels_with(qrels, options), run, options)


def contents(collection: Collection) -> dict[str, object]:
    """Everything in a collection, as values that can be compared."""
    result: dict[str, object] = {
        "queries": list(collection.queries),
        "in_qrels": collection.in_qrels.tolist(),
        "in_run": collection.in_run.tolist(),
        "judged": [
            collection.judged.query.tolist(),
            list(collection.judged.doc),
            collection.judged.line.tolist(),
            {k: (v.judged.tolist(), v.grade.tolist()) for k, v in collection.judged.grades.items()},
        ],
        "ties": {k: [v.query.tolist(), v.start.tolist(), v.length.tolist()] for k, v in collection.ties.items()},
    }
    for rule, rows in collection.rows.items():
        result[rule] = [each.tolist() for each in (rows.query, rows.judged, rows.own, rows.line, rows.inserted)]
        result[f"{rule} rankings"] = {
            key: [each.tolist() for each in (r.start, r.length, r.by_docid, r.by_line, r.ranked)]
            for key, r in rows.rankings.items()
        }
    return result
