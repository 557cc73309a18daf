"""The files of a report."""

from __future__ import annotations

from typing import Any

from ndcgauge.data.collection import Collection
from ndcgauge.data.reading import InputFile
from ndcgauge.jobs.document import safe
from ndcgauge.results.model import Accounting
from ndcgauge.results.model import InputFile as InputEntry


def qrels_entry(file: InputFile) -> InputEntry:
    """The qrels file; its relevance scale is told beside the runs' accounting."""
    return _entry("qrels", file)


def run_entry(file: InputFile, collection: Collection, accounting: Any) -> InputEntry:
    """A run file with how it meets the qrels."""
    del collection, accounting
    return _entry("run", file)


def _entry(role: str, file: InputFile, accounting: Accounting | None = None) -> InputEntry:
    return InputEntry(
        role="qrels" if role == "qrels" else "run",
        name=safe(file.name),
        sha256=file.sha256,
        lines=file.lines,
        queries=file.queries,
        format=file.format,
        unpacked=file.packing != "none",
        accounting=accounting,
    )
