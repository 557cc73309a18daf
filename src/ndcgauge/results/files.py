"""Documents to bytes and back; files are written whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from ndcgauge.errors import InputError
from ndcgauge.results.model import REPORT_SCHEMA, Document, Report


def to_json(document: Document) -> str:
    """The canonical JSON of a document: sorted keys, shortest floats, one final newline."""
    values = document.model_dump(mode="json", by_alias=True)
    return json.dumps(values, sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def load_report(path: Path) -> Report:
    """Reads a saved report.

    Raises InputError where the file is missing, cut off, no report, or of a newer version.
    """
    name = str(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", file=name) from None
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"is not complete JSON: {error.msg}",
            file=name,
            line=error.lineno,
            fix="the file was cut off, or is no report",
        ) from None
    schema = cast(dict[str, Any], values).get("schema") if isinstance(values, dict) else None
    if schema != REPORT_SCHEMA:
        raise InputError(
            f"is no report that this version reads: schema {schema!r} instead of {REPORT_SCHEMA!r}",
            file=name,
            fix="a newer ndcgauge may have written it",
        )
    try:
        return Report.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(each) for each in first["loc"])
        raise InputError(f"is no valid report: {where}: {first['msg']}", file=name) from None


def check_writable(path: Path) -> None:
    """Raises InputError where a file could not be written: before work is done for it."""
    folder = path.parent
    if not folder.is_dir():
        raise InputError(f"the folder {str(folder)!r} does not exist", file=str(path), fix="make the folder first")
    if path.is_dir():
        raise InputError("is a folder", file=str(path), fix="name a file")
    if not os.access(folder, os.W_OK):
        raise InputError(f"no permission to write into {str(folder)!r}", file=str(path))


def write_whole(path: Path, content: str) -> None:
    """Writes a file whole or not at all: an existing one stays as it is until the new one is complete.

    Raises InputError where the folder is missing or may not be written to, or the disk is full.
    """
    check_writable(path)
    temporary = None
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", errors="surrogateescape", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            temporary = Path(file.name)
            file.write(content)
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise InputError(f"cannot be written: {error.strerror or error}", file=str(path)) from None
