"""TREC files for evaluators that read files, written from qrels and runs in other formats.

Order, ids, grades, ranks and scores are those that were read; grades and scores are written with as
many digits as tell them from every other double, a whole grade without a fraction. The iteration is 0, the
tag `ndcgauge`. A run without ranks gets the places of its documents in the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from ndcgauge.data.columns import QrelsColumns, RunColumns
from ndcgauge.data.refusals import shown
from ndcgauge.errors import InputError


def write_qrels(file: BinaryIO, blocks: Iterable[QrelsColumns], name: str) -> None:
    """Writes judgments, a line each. Raises InputError for an id that no TREC file can hold."""
    for columns in blocks:
        queries = [_query(each, name) for each in columns.queries]
        for row, (query, grade) in enumerate(zip(columns.query.tolist(), columns.grade.tolist(), strict=True)):
            doc = _one_word(columns.doc.raw(row), "document", name)
            file.write(b"%b 0 %b %b\n" % (queries[query], doc, _number(grade)))


def write_run(file: BinaryIO, blocks: Iterable[RunColumns], name: str, *, has_ranks: bool) -> None:
    """Writes retrieved documents, a line each. Raises InputError for an id that no TREC file can hold."""
    places: dict[bytes, int] = {}
    for columns in blocks:
        queries = [_query(each, name) for each in columns.queries]
        rows = zip(columns.query.tolist(), columns.rank.tolist(), columns.score.tolist(), strict=True)
        for row, (code, rank, score) in enumerate(rows):
            doc, query = _one_word(columns.doc.raw(row), "document", name), queries[code]
            place = places[query] = places.get(query, 0) + 1
            number = _number(rank) if has_ranks else b"%d" % place
            file.write(b"%b Q0 %b %b %b ndcgauge\n" % (query, doc, number, repr(score).encode()))


def _number(value: float) -> bytes:
    return b"%d" % value if value == int(value) and abs(value) < 1 << 53 else repr(value).encode()


def _query(raw: bytes, name: str) -> bytes:
    if raw.startswith(b"#"):
        raise InputError(
            f"the query id {shown(raw)!r} begins with #, which opens a comment in the TREC files that evaluators read",
            file=name,
            fix="choose another id; `ndcgauge score` reads it as it is",
        )
    return _one_word(raw, "query", name)


def _one_word(raw: bytes, what: str, name: str) -> bytes:
    if len(raw.split()) != 1 or raw != raw.strip():
        raise InputError(
            f"the {what} id {shown(raw)!r} has white space in it; evaluators read TREC files, which cannot hold it",
            file=name,
            fix="replace the white space; `ndcgauge score` reads the id as it is",
        )
    return raw
