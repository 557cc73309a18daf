"""Malformed files of every kind in every format: what is in them, and where the error must point.

`where`: the line (`:3:`), the row of a table, or a word that must be said where there is no line.
Lines 1 and 2 of a generated file are good, so that an error there is a wrong one.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard


@dataclass(frozen=True)
class Malformed:
    """A file that must be refused."""

    name: str
    role: str
    data: bytes
    where: str
    suffix: str = ""
    flags: tuple[str, ...] = ()


BAD_NUMBERS = (
    "high",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "Infinity",
    "1e400",
    "-1e400",
    "1_000",
    "0x10",
    "0,5",
    "١",
    "1.2.3",
    "--1",
    "1e",
)
BAD_RANKS = (*BAD_NUMBERS, "0", "-1", "1.5")
BAD_JSON_NUMBERS = (
    '"1"',
    '"high"',
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    "-1e400",
    "null",
    "true",
    "false",
    "[]",
    "[1]",
    "{}",
    '{"a": 1}',
)
NO_JSON = ("01", "1.", ".5", "+1", "0x10", "1_000", "nan", "1,", "tru", "'1'", "\x01")


def all_of_them() -> list[Malformed]:
    """Every file, with a name of its own."""
    found = [*_trec(), *_beir(), *_msmarco(), *_nested(), *_json_lines(), *_parquet(), *_bytes()]
    assert len({(each.role, each.name) for each in found}) == len(found)
    return found


def _trec() -> Iterator[Malformed]:
    qrels, run = "q1 0 d1 1\nq1 0 d2 0\n", "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\n"
    for text in BAD_NUMBERS:
        yield Malformed(f"trec grade {text}", "qrels", f"{qrels}q1 0 d3 {text}\n".encode(), ":3:")
        yield Malformed(f"trec score {text}", "run", f"{run}q1 Q0 d3 3 {text} t\n".encode(), ":3:")
        yield Malformed(f"trec rank {text}", "run", f"{run}q1 Q0 d3 {text} 0.5 t\n".encode(), ":3:")
    for columns in (1, 2, 3, 5, 6, 7):
        line = " ".join(["q1", "0", "d3", "1", "0.5", "t", "more"][:columns])
        yield Malformed(f"trec qrels of {columns} columns", "qrels", f"{qrels}{line}\n".encode(), ":3:")
    for columns in (1, 2, 3, 4, 5):
        line = " ".join(["q1", "Q0", "d3", "3", "0.5"][:columns])
        yield Malformed(f"trec run of {columns} columns", "run", f"{run}{line}\n".encode(), ":3:")
    for again, what in (("q1 0 d1 1", "identical"), ("q1 0 d1 2", "conflicting")):
        yield Malformed(f"trec {what} repeat", "qrels", f"{qrels}{again}\n".encode(), ":3:")
    for again, what in (("q1 Q0 d1 1 2.0 t", "identical"), ("q1 Q0 d1 3 0.1 t", "conflicting")):
        yield Malformed(f"trec {what} repeat", "run", f"{run}{again}\n".encode(), ":3:")
    yield Malformed(
        "trec repeat far behind", "run", f"{run}q2 Q0 d1 1 1 t\nq3 Q0 d1 1 1 t\nq1 Q0 d2 9 9 t\n".encode(), ":5:"
    )
    yield Malformed("trec id with a space", "run", f"{run}q1 Q0 Big Report 3 0.5 t\n".encode(), ":3:")
    yield Malformed("trec commas", "run", f"{run}q1,Q0,d3,3,0.5,t\n".encode(), ":3:")
    yield Malformed("trec commas", "qrels", f"{qrels}q1,0,d3,1\n".encode(), ":3:")
    yield Malformed("trec JSON within", "run", run.encode() + b'{"q1": {"d3": 1}}\n', ":3:")
    yield Malformed("trec NUL", "run", run.encode() + b"q1 Q0 d\x003 3 0.5 t\n", ":3:")
    yield Malformed("trec NUL", "qrels", qrels.encode() + b"q1 0 d\x003 1\n", ":3:")
    yield Malformed("trec line of 2 MB", "run", run.encode() + b"q1 Q0 " + b"x" * (2 << 20) + b" 3 0.5 t\n", ":3:")
    yield Malformed("trec no query in common", "run", b"other Q0 d1 1 2.0 t\n", "other")
    yield Malformed("trec after blank lines", "run", f"{run}\n\n \t\nq1 Q0 d3 3 high t\n".encode(), ":6:")
    yield Malformed("trec after a comment", "qrels", f"# note\n{qrels}q1 0 d3 high\n".encode(), ":4:")
    yield Malformed("trec with CRLF", "qrels", b"q1 0 d1 1\r\nq1 0 d2 high\r\n", ":2:")


def _beir() -> Iterator[Malformed]:
    head = "query-id\tcorpus-id\tscore\nq1\td1\t1\n"
    for role in ("qrels", "run"):
        for text in (*BAD_NUMBERS, ""):
            yield Malformed(f"beir score {text!r}", role, f"{head}q1\td3\t{text}\n".encode(), ":3:")
        for line, what in (
            ("q1\td3", "two columns"),
            ("q1\td3\t1\t1", "four columns"),
            ("q1 d3 1", "spaces"),
            ("\td3\t1", "no query"),
            ("q1\t\t1", "no document"),
            ('"q1"\td3\t1', "quotes"),
            ("q1\t \t1", "a blank document"),
            ("q1,d3,1", "commas"),
            ("q1\td1\t1", "an identical repeat"),
            ("q1\td1\t2", "a conflicting repeat"),
            ("q1\td\x003\t1", "NUL"),
        ):
            yield Malformed(f"beir {what}", role, f"{head}{line}\n".encode(), ":3:")
        yield Malformed("beir header alone", role, b"query-id\tcorpus-id\tscore\n", "no line")
        yield Malformed("beir no header, forced", role, b"q1\td1\t1\n", ":1:", flags=(f"--{role}-format", "beir"))
    yield Malformed("beir ranks from 0", "run", b"qid\tdocno\trank\nq1\td1\t0\n", ":2:")


def _msmarco() -> Iterator[Malformed]:
    head = "q1\td1\t1\nq1\td2\t2\n"
    for text in BAD_RANKS:
        yield Malformed(f"msmarco rank {text}", "run", f"{head}q1\td3\t{text}\n".encode(), ":3:")
    for line, what in (
        ("q1\td3", "two columns"),
        ("q1\td3\t3\tx", "four columns"),
        ("q1 Q0 d3 3 1 t", "six columns"),
        ("q1\td1\t3", "a repeat"),
    ):
        yield Malformed(f"msmarco {what}", "run", f"{head}{line}\n".encode(), ":3:")
    yield Malformed(
        "msmarco forced on a TREC run", "run", b"q1 Q0 d1 1 2.0 t\n", ":1:", flags=("--run-format", "msmarco")
    )
    yield Malformed("msmarco as qrels", "qrels", b"q1\td1\t1\n", ":1:")


def _nested() -> Iterator[Malformed]:
    for role in ("qrels", "run"):
        for text in (*BAD_JSON_NUMBERS, *NO_JSON):
            data = f'{{"q1": {{\n"d1": 1,\n"d3": {text}}}}}'
            yield Malformed(f"json number {text!r}", role, data.encode(), ":3", ".json")
        for text, what, line in (
            ('{"q1": {"d1": 1,\n\n"d1": 1}}', "a document twice", 3),
            ('{"q1": {"d1": 1},\n"q1": {"d2": 1}}', "a query twice", 2),
            ('{"q1": {"d1": 1,\n"": 1}}', "an empty document id", 2),
            ('{"q1": {"d1": 1},\n"": {"d": 1}}', "an empty query id", 2),
            ('{"q1": {"d1": 1,\n"\\ud800": 1}}', "half a surrogate pair", 2),
            ('{"q1": {"d1": 1,\n"\\u0000": 1}}', "an escaped NUL", 2),
            ('{"q1": {"d1": 1},\n"q2": 1}', "a number for a query", 2),
            ('{"q1": {"d1": 1},\n"q2": ["d1"]}', "a list for a query", 2),
            ('{"q1": {"d1": 1},\n"q2": null}', "null for a query", 2),
            ('{"q1": {"d1": 1}\n', "cut short", 2),
            ('{"q1": {"d1": 1,\n', "cut short in a query", 2),
            ('{"q1": {"d1": 1},\n}', "a comma at the end", 2),
            ('{"q1": {"d1": 1}}\n{"q2": {"d1": 1}}', "two objects", 2),
            ('{"q1": {"d1": 1}}\nq1 0 d1 1', "TREC behind", 2),
            ('{"q1": {"d1" 1}}', "no colon", 1),
            ("{'q1': {'d1': 1}}", "single quotes", 1),
            ('{"q1": {"d1": 1\n"d2": 1}}', "no comma", 2),
            ('{"q1": {"d1": ' + "[" * 100_000 + "}}", "deep lists", 1),
            ('{"q1": {"d\n1": 1}}', "a line end in a text", 1),
        ):
            yield Malformed(f"json {what}", role, text.encode(), f":{line}", ".json")
        yield Malformed("json not UTF-8", role, b'{"q1": {"d1": 1,\n"\xff": 1}}', ":2:", ".json")
        yield Malformed("json without a query", role, b"{}", "no line", ".json")
        yield Malformed("json without a document", role, b'{"q1": {}}', "no line", ".json")
        yield Malformed("json list", role, b'[{"qid": "q1", "docno": "d1", "score": 1}]', ":1:", ".json")
        yield Malformed("json forced on TREC", role, b"q1 0 d1 1\n", ":1:", flags=(f"--{role}-format", "json"))


def _json_lines() -> Iterator[Malformed]:
    head = '{"query-id": "q1", "corpus-id": "d1", "score": 1}\n{"query-id": "q1", "corpus-id": "d2", "score": 1}\n'
    for role in ("qrels", "run"):
        for text in (*BAD_JSON_NUMBERS, *NO_JSON):
            line = f'{{"query-id": "q1", "corpus-id": "d3", "score": {text}}}'
            yield Malformed(f"jsonl score {text!r}", role, f"{head}{line}\n".encode(), ":3:", ".jsonl")
        for text in ("1.0", "1e5", "null", "true", "[]", '""', '" "', "NaN"):
            line = f'{{"query-id": {text}, "corpus-id": "d3", "score": 1}}'
            yield Malformed(f"jsonl query id {text}", role, f"{head}{line}\n".encode(), ":3:", ".jsonl")
            line = f'{{"query-id": "q1", "corpus-id": {text}, "score": 1}}'
            yield Malformed(f"jsonl document id {text}", role, f"{head}{line}\n".encode(), ":3:", ".jsonl")
        for line, what in (
            ('{"query-id": "q1", "corpus-id": "d3"}', "without score"),
            ('{"corpus-id": "d3", "score": 1}', "without query"),
            ('{"query-id": "q1", "score": 1}', "without document"),
            ("[1]", "a list"),
            ("1", "a number"),
            ('"q1"', "a text"),
            ("{", "cut short"),
            ('{"query-id": "q1", "query-id": "q2", "corpus-id": "d3", "score": 1}', "a member twice"),
            ('{"query-id": "q1", "corpus-id": "d3", "score": 1} x', "text behind"),
            ("q1 0 d3 1", "TREC"),
            ('{"query-id": "q1", "corpus-id": "d1", "score": 1}', "an identical repeat"),
            ('{"query-id": "q1", "corpus-id": "d1", "score": 2}', "a conflicting repeat"),
        ):
            yield Malformed(f"jsonl {what}", role, f"{head}{line}\n".encode(), ":3:", ".jsonl")
        yield Malformed("jsonl not UTF-8", role, head.encode() + b'{"query-id": "\xff"}\n', ":3:", ".jsonl")
        yield Malformed("jsonl NUL", role, head.encode() + b'{"query-id": "\0"}\n', ":3:", ".jsonl")
        yield Malformed("jsonl unknown members", role, b'{"a": 1, "b": 2}\n', ":1:", ".jsonl")
    yield Malformed("jsonl ranks from 0", "run", b'{"qid": "q1", "docno": "d1", "rank": 0}\n', ":1:", ".jsonl")


def _table(**columns: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


def _parquet() -> Iterator[Malformed]:
    query, doc, score = ["q1"] * 3, ["d1", "d2", "d3"], [1.0, 0.5, 0.25]
    whole = _table(qid=query, docno=doc, score=score)
    for role in ("qrels", "run"):
        for data, what, where in (
            (_table(qid=query, docno=doc, score=[1.0, float("nan"), 1.0]), "NaN", "row 2"),
            (_table(qid=query, docno=doc, score=[1.0, 1.0, float("inf")]), "infinity", "row 3"),
            (_table(qid=query, docno=doc, score=[1.0, None, 1.0]), "null score", "row 2"),
            (_table(qid=["q1", "q1", None], docno=doc, score=score), "null query", "row 3"),
            (_table(qid=query, docno=["d1", None, "d3"], score=score), "null document", "row 2"),
            (_table(qid=query, docno=["d1", "", "d3"], score=score), "empty document", "row 2"),
            (_table(qid=query, docno=["d1", "d\0", "d3"], score=score), "NUL", "row 2"),
            (_table(qid=query, docno=["d1", "d2", "d1"], score=score), "repeat", "row 3"),
            (_table(qid=query, docno=doc, score=["1", "2", "3"]), "text for scores", "row 1"),
            (_table(qid=query, docno=doc, score=[True, False, True]), "truth for scores", "row 1"),
            (_table(qid=[1.0, 2.0, 3.0], docno=doc, score=score), "fractions for ids", "row 1"),
            (_table(qid=[True, True, False], docno=doc, score=score), "truth for ids", "row 1"),
            (_table(qid=query, docno=[["d1"], ["d2"], ["d3"]], score=score), "lists for ids", "row 1"),
            (_table(qid=query, docno=doc, score=[1 << 62, (1 << 62) + 1, 1]), "inexact whole numbers", "row 1"),
            (_table(qid=query, docno=doc), "no score", "lacks a column"),
            (_table(qid=query, score=score), "no document", "lacks a column"),
            (_table(docno=doc, score=score), "no query", "lacks a column"),
            (_table(a=[1]), "other columns", "lacks a column"),
            (_table(qid=[], docno=[], score=pa.array([], pa.float64())), "no row", ""),
            (whole[: len(whole) // 2], "cut short", "damaged"),
            (whole[:4], "magic alone", "damaged"),
            (whole[:-20] + bytes(20), "broken footer", "damaged"),
            (whole[:4] + bytes(reversed(whole[4:-200])) + whole[-200:], "broken pages", "damaged"),
        ):
            yield Malformed(f"parquet {what}", role, data, where, ".parquet")
    yield Malformed("parquet ranks from 0", "run", _table(qid=query, docno=doc, rank=[0, 1, 2]), "row 1", ".parquet")


def _bytes() -> Iterator[Malformed]:
    line = {"qrels": b"q1 0 d1 1\n", "run": b"q1 Q0 d1 1 2.0 t\n"}
    for role, good in line.items():
        packed = gzip.compress(good * 1)
        frame = zstandard.ZstdCompressor().compress(good)
        for data, what, where, suffix in (
            (b"", "empty", "empty", ""),
            (b"\n\n \n", "blank", "no line", ""),
            (b"# only a comment\n", "comment", "no line", ""),
            (packed[:-6], "cut gzip", "cut short", ".gz"),
            (packed[:-8] + b"\0\0\0\0" + packed[-4:], "gzip with a wrong sum", "damaged", ".gz"),
            (good, "plain text named gz", "the bytes do not", ".gz"),
            (good, "plain text named zst", "the bytes do not", ".zst"),
            (frame[:-3], "cut zstd", "damaged", ".zst"),
            (frame[:6] + b"\xff\xff\xff" + frame[9:], "broken zstd", "damaged", ".zst"),
            (gzip.compress(b""), "empty gzip", "no line", ".gz"),
            (b"PK\x03\x04" + bytes(100), "zip", "ZIP", ""),
            (b"BZh91AY&SY" + bytes(100), "bzip2", "bzip2", ""),
            (b"\xfd7zXZ\x00" + bytes(100), "xz", "xz", ""),
            (b"\x04\x22\x4d\x18" + bytes(100), "lz4", "lz4", ""),
            (b"ARROW1" + bytes(100), "arrow", "Arrow", ""),
            (good.decode().encode("utf-16"), "UTF-16", "UTF-16", ""),
            (bytes(range(1, 256)) * 30, "binary", ":", ""),
            (b"<html><body>404 Not Found</body></html>\n", "a web page", ":1:", ""),
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n", "a Git LFS pointer", ":1:", ""),
        ):
            yield Malformed(what, role, data, where, suffix)
