"""Parquet tables with a row a judgment or a retrieved document; the columns are found by their names.

The numbers of the column `line` count the rows from 1, over all files of the input.
"""

# pyarrow has no types; what comes out of it is given one here.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ndcgauge.data.cells import Where, id_of, rank_of
from ndcgauge.data.collection import Floats
from ndcgauge.data.columns import QrelsColumns, RunColumns
from ndcgauge.data.entries import QrelsEntries, RunEntries
from ndcgauge.data.fields import QrelsFields, RunFields, qrels_fields, run_fields, wanted_fields
from ndcgauge.data.forms import QrelsForm, RunForm
from ndcgauge.data.options import ReadingOptions
from ndcgauge.data.packing import too_large
from ndcgauge.data.sources import Source
from ndcgauge.errors import InputError

MAGIC = b"PAR1"
_ROWS = 1 << 16
"""Rows that are read at a time."""


def qrels_form(source: Source) -> QrelsForm:
    """How the qrels of this table are read. Raises InputError where a column is missing."""
    names = _opened(source.parts[0]).schema_arrow.names
    fields = qrels_fields(names)
    if fields is None:
        raise _lacks(source, names, "qrels")
    return QrelsForm(f"parquet qrels ({fields})", whole=partial(_read_qrels, fields), unit="row")


def run_form(source: Source) -> RunForm:
    """How the run of this table is read. Raises InputError where a column is missing."""
    names = _opened(source.parts[0]).schema_arrow.names
    fields = run_fields(names)
    if fields is None:
        raise _lacks(source, names, "run")
    return RunForm(
        f"parquet run ({fields})",
        has_scores=fields.score is not None,
        has_ranks=fields.rank is not None,
        whole=partial(_read_run, fields),
        unit="row",
    )


def _lacks(source: Source, names: Sequence[str], role: str) -> InputError:
    return InputError(
        f"the table lacks a column; it has {', '.join(map(repr, names)) or 'none'}",
        file=source.name,
        fix=wanted_fields(role),
    )


def _read_qrels(fields: QrelsFields, source: Source, options: ReadingOptions) -> tuple[QrelsColumns, tuple[str, ...]]:
    entries = QrelsEntries()
    for part, batch, first in _batches(source, [fields.query, fields.doc, fields.grade], options):
        queries = _ids(batch.column(0), "query", part.name, first)
        docs = _ids(batch.column(1), "document", part.name, first)
        grades = _numbers(batch.column(2), "grade", part.name, first)
        for query, doc, grade in zip(queries, docs, grades.tolist(), strict=True):
            entries.add(query, doc, grade, len(entries) + 1)
    return entries.columns(), ()


def _read_run(fields: RunFields, source: Source, options: ReadingOptions) -> tuple[RunColumns, tuple[str, ...]]:
    entries = RunEntries()
    names = [each for each in (fields.query, fields.doc, fields.score, fields.rank) if each is not None]
    for part, batch, first in _batches(source, names, options):
        queries = _ids(batch.column(0), "query", part.name, first)
        docs = _ids(batch.column(1), "document", part.name, first)
        none = [None] * len(queries)
        scores = ranks = cast("list[float | None]", none)
        if fields.score is not None:
            scores = _numbers(batch.column(2), "score", part.name, first).tolist()
        if fields.rank is not None:
            ranks = _numbers(batch.column(len(names) - 1), "rank", part.name, first).tolist()
        for row, (query, doc, rank, score) in enumerate(zip(queries, docs, ranks, scores, strict=True)):
            if score is None:
                rank_of(f"{rank:g}".encode(), _row(part.name, first + row))
            entries.add(query, doc, rank, score, len(entries) + 1)
    return entries.columns(), ()


def _opened(part: Source) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(part.unpacked_path(), memory_map=True)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _damaged(part, error) from None


def _damaged(part: Source, error: Exception) -> InputError:
    reason = str(error).strip().splitlines() or [type(error).__name__]
    return InputError(
        f"the Parquet file is cut short or damaged ({reason[0]})",
        file=part.name,
        fix="get the file again, or write it again from the original",
    )


def _batches(
    source: Source, names: Sequence[str], options: ReadingOptions
) -> Iterator[tuple[Source, pa.RecordBatch, int]]:
    """Some rows at a time, their columns in the order of `names`: the file, the rows, the first one's number in it."""
    size = 0
    for part in source.parts:
        file = _opened(part)
        here = file.schema_arrow.names
        for name in names:
            if here.count(name) != 1:
                problem = f"the table has {here.count(name)} columns {name!r}"
                raise InputError(
                    problem, file=part.name, fix="write each column once, and all files with the same columns"
                )
        first = 1
        try:
            for batch in file.iter_batches(batch_size=_ROWS, columns=list(names)):
                size += batch.nbytes
                if size > source.max_bytes:
                    raise too_large(part.name, source.max_bytes)
                # The file's own order is not that of the names.
                yield part, batch.select(list(names)), first
                first += batch.num_rows
                options.progress(part.name, size)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise _damaged(part, error) from None


def _row(file: str, row: int) -> Where:
    return Where(file, place=f"row {row}")


def _without_nulls(column: Any, what: str, file: str, first: int) -> None:
    if column.null_count:
        row = first + int(np.flatnonzero(np.asarray(column.is_null().to_pylist()))[0])
        raise _row(file, row).refusal(f"the {what} is missing (null)", "leave no cell empty")


def _ids(column: Any, what: str, file: str, first: int) -> list[bytes]:
    """Texts as they are, whole numbers in decimal digits. Raises InputError for anything else."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.dictionary_decode(), kind.value_type
    _without_nulls(column, f"{what} id", file, first)
    if pa.types.is_integer(kind):
        column = column.cast(pa.string())
    elif not (_is_text(kind)):
        raise _row(file, first).refusal(
            f"the {what} ids are of type {kind}: {column[0].as_py()!r}"
            if len(column)
            else f"the {what} ids are {kind}",
            "write ids as text (or as whole numbers)",
        )
    ids = column.cast(pa.large_binary()).to_pylist()
    for row, each in enumerate(ids, first):
        if not each.strip() or b"\0" in each:
            id_of(what, each, _row(file, row))
            raise _row(file, row).refusal(
                f"the {what} id has a NUL in it", "take the NUL out: no TREC file can hold it"
            )
    return ids


def _is_text(kind: Any) -> bool:
    return any(
        is_kind(kind)
        for is_kind in (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    )


def _numbers(column: Any, what: str, file: str, first: int) -> Floats:
    """(rows,) finite numbers. Raises InputError for anything else."""
    kind = column.type
    _without_nulls(column, what, file, first)
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise _row(file, first).refusal(
            f"the column of {what}s is of type {kind}, not a number", f"write {what}s as numbers"
        )
    try:
        # float16 has no cast of its own to float64.
        wide = column.cast(pa.float32()) if pa.types.is_float16(kind) else column
        values = np.asarray(pc.cast(wide, pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
    except pa.ArrowInvalid as error:
        raise _row(file, first).refusal(
            f"a {what} cannot be held as a double: {error}", "write smaller numbers"
        ) from None
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        row = int(bad[0])
        raise _row(file, first + row).refusal(
            f"the {what} {values[row]} is not finite", f"write the {what} as a finite number"
        )
    return values
