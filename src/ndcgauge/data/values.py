"""Qrels and runs that are values of Python, or a data set of ir_datasets, written into a private temporary file.

A mapping is written as JSON, a frame as Parquet; they are read from there as any file is, so that what is refused,
and how, is the same.
"""

from __future__ import annotations

import json
import numbers
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, cast

from ndcgauge.data.fields import qrels_fields, run_fields, wanted_fields
from ndcgauge.data.sources import Source, written_source
from ndcgauge.errors import InputError, UsageError


def from_value(given: object, role: str, name: str | None, max_bytes: int) -> Source:
    """The source of a mapping {query: {document: number}}, a frame, or `Qrels` or `Run` of ranx, as `open_input`."""
    if isinstance(given, Mapping):
        return _from_mapping(cast("Mapping[Any, Any]", given), name or f"<{role}>", max_bytes)
    return _from_library(given, role, name, max_bytes)


def _from_library(given: Any, role: str, name: str | None, max_bytes: int) -> Source:
    # By name, so that no library is imported to look at a value that is not its own.
    kind = f"{type(given).__module__.partition('.')[0]}.{type(given).__name__}"
    match kind:
        case "ranx.Qrels" | "ranx.Run":
            if kind != f"ranx.{role.capitalize()}":
                raise UsageError(f"this is a {kind} where the {role} must be", fix="the qrels come first, then the run")
            return _from_mapping(given.to_dict(), name or given.name or f"<{role}>", max_bytes)
        case "pandas.DataFrame" | "polars.DataFrame" | "polars.LazyFrame" | "pyarrow.Table":
            return _from_frame(given, kind, role, name or f"<{role}>", max_bytes)
        case _:
            raise UsageError(
                f"the {role} is a {kind}",
                fix="give a path, {query: {document: number}}, a frame of pandas or polars, or a Qrels or Run of ranx",
            )


def _from_mapping(queries: Mapping[Any, Any], name: str, max_bytes: int) -> Source:
    def pieces() -> Iterator[str]:
        yield "{"
        for first, (query, documents) in enumerate(queries.items()):
            if not isinstance(documents, Mapping):
                raise InputError(
                    f"the query {query!r} has a {type(documents).__name__} where its documents must be",
                    file=name,
                    fix="give {query: {document: number}}",
                )
            yield (",\n" if first else "") + _key(query, name) + ": {"
            rows = cast("Mapping[Any, Any]", documents).items()
            yield ",\n".join(f"{_key(doc, name)}: {_number(value, query, doc, name)}" for doc, value in rows)
            yield "}"
        yield "}\n"

    def write(file: BinaryIO) -> None:
        for piece in pieces():
            file.write(piece.encode())

    return written_source(name, write, max_bytes)


def _key(value: object, name: str) -> str:
    match value:
        case str():
            return json.dumps(value)
        case bool():
            pass
        case numbers.Integral():
            return f'"{int(value)}"'
        case _:
            pass
    raise InputError(
        f"the id {value!r} is a {type(value).__name__}", file=name, fix="give ids as str (or as whole numbers)"
    )


def _number(value: object, query: object, doc: object, name: str) -> str:
    match value:
        case bool():
            pass
        case numbers.Integral():
            return str(int(value))
        case numbers.Real():
            return json.dumps(float(value))
        case _:
            pass
    raise InputError(
        f"the number of document {doc!r} of query {query!r} is a {type(value).__name__}: {value!r}",
        file=name,
        fix="give int or float",
    )


def _from_frame(frame: Any, kind: str, role: str, name: str, max_bytes: int) -> Source:
    import pyarrow as pa
    from pyarrow import parquet

    if kind == "polars.LazyFrame":
        frame = frame.collect()
    columns = [str(each) for each in (frame.column_names if kind == "pyarrow.Table" else frame.columns)]
    fields = qrels_fields(columns) if role == "qrels" else run_fields(columns)
    if fields is None:
        raise InputError(
            f"the frame lacks a column; it has {', '.join(map(repr, columns)) or 'none'}",
            file=name,
            fix=wanted_fields(role),
        )
    # Other columns, such as texts of queries, may hold what no table of Arrow can.
    wanted = [each for each in vars(fields).values() if each is not None]
    try:
        if kind == "pandas.DataFrame":
            table = pa.Table.from_pandas(frame[wanted], preserve_index=False)
        else:
            table = (frame if kind == "pyarrow.Table" else frame.select(wanted).to_arrow()).select(wanted)
    except (pa.ArrowException, TypeError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"a column holds values of several types ({reason})", file=name, fix="give ids as str, numbers as float"
        ) from None

    def write(file: BinaryIO) -> None:
        parquet.write_table(table, file)

    return written_source(name, write, max_bytes)


def from_ir_datasets(name: str, role: str, max_bytes: int) -> Source:
    """The source of a data set that `irds:` and its name stand for, as `open_input`."""
    try:
        import ir_datasets  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise InputError("ir_datasets is not installed", file=name, fix="pip install ir_datasets") from None
    try:
        data: Any = ir_datasets.load(name.partition(":")[2])
    except KeyError:
        raise InputError(
            "ir_datasets has no data set of that name", file=name, fix="names are listed on ir-datasets.com"
        ) from None
    has, what = (data.has_qrels, "qrels") if role == "qrels" else (data.has_scoreddocs, "scored documents")
    if not has():
        raise InputError(f"the data set has no {what}", file=name, fix="name another, or a file")
    records: Iterable[Any] = data.qrels_iter() if role == "qrels" else data.scoreddocs_iter()
    number = "relevance" if role == "qrels" else "score"

    def write(file: BinaryIO) -> None:
        for each in records:
            record = {"query_id": each.query_id, "doc_id": each.doc_id, number: getattr(each, number)}
            file.write(json.dumps(record).encode() + b"\n")

    try:
        return written_source(name, write, max_bytes)
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(
            f"ir_datasets could not read or fetch it: {error}",
            file=name,
            fix="see what ir_datasets says of this data set",
        ) from None
