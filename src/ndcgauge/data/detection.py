"""Which format a file is in: told by its first bytes, or forced.

The first line that is neither blank nor a comment decides: a header with known names, a JSON object,
three columns with a whole number last (MS MARCO); all else is taken for TREC columns. What other formats need
is imported where the line is not plainly TREC's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ndcgauge.data.blocks import BOM
from ndcgauge.data.sources import Source
from ndcgauge.errors import InputError

if TYPE_CHECKING:
    from ndcgauge.data.forms import QrelsForm, RunForm

QRELS_FORMATS = ("auto", "trec", "beir", "json", "jsonl", "parquet")
RUN_FORMATS = ("auto", "trec", "beir", "msmarco", "json", "jsonl", "parquet")
_HEAD = 1 << 16
_PARQUET = b"PAR1"


_NUMBERS = {"qrels": (4, (3,)), "run": (6, (3, 4))}
"""TREC columns of each role, and those that hold numbers."""


class _Head(NamedTuple):
    """What the beginning of a file shows."""

    data: bytes
    line: bytes
    """The first line that is neither blank nor a comment."""
    number: int


def qrels_form(source: Source, wanted: str = "auto") -> QrelsForm | None:
    """How these qrels are to be read; None for TREC columns.

    wanted: one of QRELS_FORMATS. Raises InputError where a forced format cannot be meant.
    """
    head = _head(source)
    form = _sniffed(head, source, "qrels") if wanted == "auto" else wanted
    _require_one_file(source, form)
    match form:
        case "beir":
            from ndcgauge.data import beir

            return beir.qrels_form(beir.header_of(head.line, head.number), source.name)
        case "json":
            from ndcgauge.data import nested_json

            return nested_json.qrels_form()
        case "jsonl":
            from ndcgauge.data import json_lines
            from ndcgauge.data.cells import Where

            where = Where(source.name, head.number, text=head.line)
            return json_lines.qrels_form(json_lines.record(head.line, where), where) if head.line else None
        case "parquet":
            from ndcgauge.data import parquet

            return parquet.qrels_form(source)
        case _:
            return None


def run_form(source: Source, wanted: str = "auto") -> RunForm | None:
    """How this run is to be read; None for TREC columns.

    wanted: one of RUN_FORMATS. Raises InputError where a forced format cannot be meant.
    """
    head = _head(source)
    form = _sniffed(head, source, "run") if wanted == "auto" else wanted
    _require_one_file(source, form)
    match form:
        case "beir":
            from ndcgauge.data import beir

            return beir.run_form(beir.header_of(head.line, head.number), source.name)
        case "msmarco":
            from ndcgauge.data import msmarco

            return msmarco.run_form()
        case "json":
            from ndcgauge.data import nested_json

            return nested_json.run_form()
        case "jsonl":
            from ndcgauge.data import json_lines
            from ndcgauge.data.cells import Where

            where = Where(source.name, head.number, text=head.line)
            return json_lines.run_form(json_lines.record(head.line, where), where) if head.line else None
        case "parquet":
            from ndcgauge.data import parquet

            return parquet.run_form(source)
        case _:
            return None


def _head(source: Source) -> _Head:
    with source.parts[0].open() as stream:
        data = stream.read(_HEAD).removeprefix(BOM)
    lines: Iterator[tuple[int, bytes]] = enumerate(data.split(b"\n"), 1)
    number, line = next(((n, each) for n, each in lines if each.strip() and not each.startswith(b"#")), (1, b""))
    return _Head(data, line, number)


def _sniffed(head: _Head, source: Source, role: str) -> str:
    if head.data.startswith(_PARQUET):
        return "parquet"
    if _plainly_trec(head.line, role):
        return "trec"
    from ndcgauge.data import beir, msmarco
    from ndcgauge.data.cells import Where
    from ndcgauge.data.fields import qrels_fields, run_fields

    if head.line.lstrip().startswith(b"{"):
        return "json" if _nested(head, source.name) else "jsonl"
    if head.line.lstrip().startswith(b"["):
        raise Where(source.name, head.number, text=head.line).refusal(
            "the file holds a list in JSON",
            "write {query: {document: number}}, or one object a line without the brackets",
        )
    names = beir.header_of(head.line, head.number).names
    if (qrels_fields(names) if role == "qrels" else run_fields(names)) is not None:
        return "beir"
    if role == "run" and msmarco.looks_like(head.line):
        return "msmarco"
    return "trec"


def _plainly_trec(line: bytes, role: str) -> bool:
    """Whether a line has TREC's columns, and digits where a header or an object in JSON has names."""
    columns, numbers = _NUMBERS[role]
    fields = line.split()
    if len(fields) != columns or fields[0][:1] in (b"{", b"["):
        return False
    return all(fields[each].lstrip(b"+-")[:1].isdigit() for each in numbers)


def _require_one_file(source: Source, form: str) -> None:
    if len(source.parts) > 1 and form != "parquet":
        raise InputError(
            f"the input is {len(source.parts)} files that are no Parquet, and only such are read together",
            file=source.name,
            fix="name one of them, or join them",
        )


def _nested(head: _Head, file: str) -> bool:
    """Whether JSON is {query: {…}}: not, where the first line is an object whose first member is none."""
    from ndcgauge.data import json_lines
    from ndcgauge.data.cells import Where
    from ndcgauge.data.json_values import Members

    try:
        first = json_lines.record(head.line.strip(), Where(file, head.number))
    except InputError:
        return True
    return not first or isinstance(first[0][1], Members)
