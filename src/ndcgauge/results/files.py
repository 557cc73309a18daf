"""Documents to bytes and back; files are written whole or not at all."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import cast

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from ndcgauge.errors import InputError
from ndcgauge.results.checks import CheckReport
from ndcgauge.results.model import CHECK_SCHEMA, REPORT_SCHEMA, Document, Report

_FIX = "name a .json file that `ndcgauge compare -o` or `ndcgauge check -o` wrote"
_MODELS: dict[str, type[Report] | type[CheckReport]] = {REPORT_SCHEMA: Report, CHECK_SCHEMA: CheckReport}


def to_json(document: Document) -> str:
    """The canonical JSON of a document: sorted keys, shortest floats, one final newline."""
    return "".join(json_pieces(document))


def json_pieces(document: Document) -> Iterator[str]:
    """The canonical JSON piece by piece: at no time is the whole text, or a copy of all values, in memory."""
    yield from _pieces(document, "")
    yield "\n"


def _pieces(document: Document, margin: str) -> Iterator[str]:
    """A document as an object whose lines, but for the first, begin with the margin."""
    named = {name: getattr(document, name) for name in type(document).model_fields}
    parts = {name: value for name, value in named.items() if isinstance(value, Document) or _are_documents(value)}
    plain = document.model_dump(mode="json", by_alias=True, exclude=set(parts))
    between = "{"
    for key in sorted({*parts, *plain}):
        yield f"{between}\n{margin} {json.dumps(key)}: "
        between = ","
        part = parts.get(key)
        if isinstance(part, Document):
            yield from _pieces(part, margin + " ")
        elif part is not None:
            for place, each in enumerate(part):
                yield f"{',' if place else '['}\n{margin}  "
                yield _indented(each.model_dump(mode="json", by_alias=True), margin + "  ")
            yield f"\n{margin} ]"
        else:
            yield _indented(plain[key], margin + " ")
    yield "{}" if between == "{" else f"\n{margin}}}"


def _are_documents(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Document)


def _indented(values: object, margin: str) -> str:
    # No string of JSON has a line end in it: every one of these is a line's.
    text = json.dumps(values, sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False)
    return text.replace("\n", "\n" + margin)


def compact_json(document: Document) -> str:
    """The same content without white space, on one line, keys as the model has them: where nobody reads it."""
    try:
        return document.model_dump_json(by_alias=True, ensure_ascii=True)
    except PydanticSerializationError:
        # A lone half of a surrogate pair in an id: JSON can escape it, while pydantic writes UTF-8 first.
        values = document.model_dump(mode="json", by_alias=True)
        return json.dumps(values, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def load_report(path: Path) -> Report:
    """Reads a saved report.

    Raises InputError where the file is missing, cut off, no report, or of a newer version.
    """
    document = _load(path, REPORT_SCHEMA)
    assert isinstance(document, Report)
    return document


def load_document(path: Path) -> Report | CheckReport:
    """Reads a saved report, or the saved document of a check, as its `schema` says.

    Raises InputError as `load_report`.
    """
    return _load(path, REPORT_SCHEMA, CHECK_SCHEMA)


def _load(path: Path, *schemas: str) -> Report | CheckReport:
    name = str(path)
    try:
        values = json.loads(_text(path, name))
    except json.JSONDecodeError as error:
        raise InputError(
            f"is not complete JSON: {error.msg}",
            file=name,
            line=error.lineno,
            fix="the file was cut off, or is no report: " + _FIX,
        ) from None
    except RecursionError:
        raise InputError("is no report: it is nested too deeply", file=name, fix=_FIX) from None
    schema = _known_schema(values, name, schemas)
    try:
        return _MODELS[schema].model_validate(values, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the document"
        raise InputError(f"is no valid report: {where}: {first['msg']}", file=name, fix=_FIX) from None


def _text(path: Path, name: str) -> str:
    """The text of a saved document, unpacked where it is gzip, whatever its name says."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=name) from None
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (EOFError, OSError, zlib.error):
            raise InputError(
                "is not a complete gzip file", file=name, fix="the file was cut off; copy it again"
            ) from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("is no report: it is not UTF-8 text", file=name, fix=_FIX) from None


def _known_schema(values: object, name: str, schemas: Sequence[str]) -> str:
    """The schema that a document names. Raises InputError unless it is one of these, at this version."""
    schema = cast("dict[str, object]", values).get("schema") if isinstance(values, dict) else None
    if isinstance(schema, str) and schema in schemas:
        return schema
    kind, _, version = schema.rpartition("/") if isinstance(schema, str) else ("", "", "")
    for known in schemas:
        own, _, number = known.rpartition("/")
        if kind == own and version.isascii() and version.isdigit() and int(version) > int(number):
            raise InputError(
                f"is a report of a newer version: {schema}, while this ndcgauge reads {known}",
                file=name,
                fix="update ndcgauge, or make the report again",
            )
    told = "it names no schema" if schema is None else f"its schema is {schema!r}"
    raise InputError(f"is no report: {told}, not {' or '.join(map(repr, schemas))}", file=name, fix=_FIX)


def check_writable(path: Path) -> None:
    """Raises InputError where a file could not be written: before work is done for it."""
    folder = path.parent
    if not folder.is_dir():
        raise InputError(f"the folder {str(folder)!r} does not exist", file=str(path), fix="make the folder first")
    if path.is_dir():
        raise InputError("is a folder", file=str(path), fix="name a file")
    if not os.access(folder, os.W_OK):
        raise InputError(f"no permission to write into {str(folder)!r}", file=str(path))


def write_whole(path: Path, content: str | Iterable[str]) -> None:
    """Writes a file, given as one text or piece by piece, whole or not at all.

    An existing one stays as it is until the new one is complete.

    Raises InputError where the folder is missing or may not be written to, or the disk is full.
    """
    check_writable(path)
    # A link stays a link: what it names is replaced.
    target = path.resolve()
    temporary: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            temporary = Path(file.name)
            for piece in (content,) if isinstance(content, str) else content:
                file.write(piece.encode("utf-8", "surrogateescape"))
        temporary.chmod(_mode(target))
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", file=str(path)) from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced; of a new file, what the umask leaves."""
    if target.exists():
        return target.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
