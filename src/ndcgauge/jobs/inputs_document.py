"""The files of a report."""

from __future__ import annotations

from ndcgauge.data.accounting import Accounting
from ndcgauge.data.reading import InputFile
from ndcgauge.jobs.json_values import safe
from ndcgauge.results.model import Accounting as AccountingEntry
from ndcgauge.results.model import InputFile as InputEntry


def qrels_entry(file: InputFile, accounting: Accounting) -> InputEntry:
    """The qrels file with its relevance scale."""
    return _entry("qrels", file).model_copy(update={"relevance_scale": dict(accounting.scale)})


def run_entry(file: InputFile, accounting: Accounting, k: int) -> InputEntry:
    """A run file with how it meets the qrels."""
    entry = AccountingEntry(
        judged=accounting.judged,
        retrieved=accounting.retrieved,
        both=accounting.both,
        judged_only=[safe(query) for query in accounting.judged_only],
        run_only=len(accounting.run_only),
        without_relevant=[safe(query) for query in accounting.without_relevant],
        judged_at_k=accounting.judged_at.get(k),
        k=k,
        tied_in_top_k=accounting.ties[k].within,
        tied_across_k=accounting.ties[k].across,
        tied_across_k_float32=accounting.ties[k].across_float32,
        own_documents=accounting.own,
    )
    return _entry("run", file).model_copy(update={"accounting": entry})


def _entry(role: str, file: InputFile) -> InputEntry:
    return InputEntry(
        role="qrels" if role == "qrels" else "run",
        name=safe(file.name),
        sha256=file.sha256,
        lines=file.lines,
        queries=file.queries,
        format=file.format,
        unpacked=file.packing != "none" and not file.written,
        written=file.written,
    )
