"""What callers name as qrels or a run, made a source: files, folders, and values of Python."""

from __future__ import annotations

from pathlib import Path

from ndcgauge.data.packing import MAX_BYTES
from ndcgauge.data.shards import open_path
from ndcgauge.data.sources import Source

IRDS = "irds:"


def open_input(given: object, role: str, max_bytes: int = MAX_BYTES, name: str | None = None) -> Source:
    """The source of qrels or a run (`role`).

    given: a path, `-`, a folder or a split of one; `irds:` and a name of ir_datasets; a mapping
    {query: {document: number}}; a frame of pandas or polars, or a table of pyarrow, with a row a document;
    `Qrels` or `Run` of ranx; a source. `name`: what reports call a value that has none.

    Raises InputError for what cannot be opened or written, UsageError for anything else.
    """
    match given:
        case Source():
            return given
        case str() if given.startswith(IRDS):
            from ndcgauge.data.values import from_ir_datasets

            return from_ir_datasets(given, role, max_bytes)
        case str() | Path():
            return open_path(str(given), role, max_bytes)
        case _:
            # Imported late: files need none of it.
            from ndcgauge.data.values import from_value

            return from_value(given, role, name, max_bytes)
