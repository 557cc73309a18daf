"""The same qrels and runs in every format, written by hand and by the formats' own libraries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

Judgment = tuple[str, str, int]
Retrieved = tuple[str, str, float]


def trec_qrels(lines: Sequence[Judgment]) -> bytes:
    return "".join(f"{query} 0 {doc} {grade}\n" for query, doc, grade in lines).encode()


def trec_run(lines: Sequence[Retrieved]) -> bytes:
    return "".join(f"{query} Q0 {doc} {n} {score!r} t\n" for n, (query, doc, score) in enumerate(lines, 1)).encode()


def beir(lines: Sequence[tuple[str, str, float]]) -> bytes:
    body = "".join(f"{query}\t{doc}\t{number!r}\n" for query, doc, number in lines)
    return b"query-id\tcorpus-id\tscore\n" + body.encode()


def nested(lines: Sequence[tuple[str, str, float]]) -> bytes:
    """Queries' lines must stand together."""
    found: dict[str, dict[str, float]] = {}
    for query, doc, number in lines:
        found.setdefault(query, {})[doc] = number
    return json.dumps(found).encode()


def json_lines(lines: Sequence[tuple[str, str, float]]) -> bytes:
    records = [{"query-id": query, "corpus-id": doc, "score": number} for query, doc, number in lines]
    return "".join(json.dumps(each) + "\n" for each in records).encode()


def parquet(
    path: Path, lines: Sequence[tuple[str, str, float]], names: Sequence[str] = ("query-id", "corpus-id", "score")
) -> bytes:
    columns = list(zip(*lines, strict=True)) if lines else [[], [], []]
    pq.write_table(pa.table(dict(zip(names, map(list, columns), strict=True))), path)
    return path.read_bytes()
