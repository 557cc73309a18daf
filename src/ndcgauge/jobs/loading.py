"""Files to collections, for every command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ndcgauge.data.collection import Collection
from ndcgauge.data.common_queries import require_common_queries
from ndcgauge.data.options import Progress, silent
from ndcgauge.data.reading import Loaded, Qrels, read_qrels, read_run
from ndcgauge.data.sources import Source, open_source
from ndcgauge.errors import UsageError
from ndcgauge.jobs.request import Request

FORMATS = ("auto", "trec")


@dataclass(frozen=True)
class Inputs:
    """Qrels, opened and read, and the runs that are read against them one after another."""

    qrels: Qrels
    qrels_source: Source
    run_sources: tuple[Source, ...]


def open_inputs(
    qrels: str,
    runs: Sequence[str],
    request: Request,
    *,
    qrels_format: str = "auto",
    run_format: str = "auto",
    progress: Progress = silent,
) -> Inputs:
    """Opens all files and reads the qrels.

    Raises InputError for what cannot be read, UsageError for an unknown format or for standard
    input named twice.
    """
    for flag, form in (("--qrels-format", qrels_format), ("--run-format", run_format)):
        if form not in FORMATS:
            raise UsageError(f"{flag} {form}: there is no such format", fix=f"one of {', '.join(FORMATS)}")
    if [qrels, *runs].count("-") > 1:
        raise UsageError("standard input can be one file only")
    if len(set(runs)) < len(runs):
        raise UsageError("a run is given twice", fix="name each run once: reports tell runs apart by their names")
    qrels_source = open_source(qrels)
    run_sources = tuple(open_source(run) for run in runs)
    read = read_qrels(qrels_source, on_duplicate=request.on_duplicate, on_nul=request.on_nul, progress=progress)
    return Inputs(read, qrels_source, run_sources)


def load_run(inputs: Inputs, source: Source, request: Request, progress: Progress = silent) -> Loaded:
    """Reads a run against the qrels. Raises InputError also where no query is in both files."""
    loaded = read_run(
        inputs.qrels,
        source,
        needs=request.needs(),
        on_duplicate=request.on_duplicate,
        on_nul=request.on_nul,
        progress=progress,
    )
    require_common_queries(loaded.collection)
    return loaded


def judged_queries(collection: Collection) -> tuple[str, ...]:
    """The ids of the queries in the qrels, in byte order."""
    return tuple(str(query) for query, here in zip(collection.queries, collection.in_qrels, strict=True) if here)
