"""Files to collections, for every command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ndcgauge.data.collection import Collection
from ndcgauge.data.common_queries import require_common_queries
from ndcgauge.data.detection import QRELS_FORMATS, RUN_FORMATS
from ndcgauge.data.inputs import open_input
from ndcgauge.data.options import Progress, silent
from ndcgauge.data.packing import MAX_BYTES
from ndcgauge.data.reading import Loaded, Qrels, read_qrels, read_run
from ndcgauge.data.sources import Source
from ndcgauge.errors import UsageError
from ndcgauge.jobs.request import Request


@dataclass(frozen=True)
class Inputs:
    """Qrels, opened and read, and the runs that are read against them one after another."""

    qrels: Qrels
    qrels_source: Source
    run_sources: tuple[Source, ...]
    run_format: str = "auto"


def open_inputs(
    qrels: str | Source,
    runs: Sequence[str | Source],
    request: Request,
    *,
    qrels_format: str = "auto",
    run_format: str = "auto",
    progress: Progress = silent,
    max_bytes: int = MAX_BYTES,
) -> Inputs:
    """Opens all files and reads the qrels.

    A folder, or a split of one, stands for the files in it (see `data.hub_folder`). `max_bytes`: unpacked bytes
    beyond which an input is refused.

    Raises InputError for what cannot be read, UsageError for an unknown format or for standard input
    named twice.
    """
    for flag, form, known in (
        ("--qrels-format", qrels_format, QRELS_FORMATS),
        ("--run-format", run_format, RUN_FORMATS),
    ):
        if form not in known:
            raise UsageError(f"{flag} {form}: there is no such format", fix=f"one of {', '.join(known)}")
    if [qrels, *runs].count("-") > 1:
        raise UsageError("standard input can be one file only")
    names = [run.name if isinstance(run, Source) else run for run in runs]
    if len(set(names)) < len(names):
        raise UsageError("a run is given twice", fix="name each run once: reports tell runs apart by their names")
    qrels_source = open_input(qrels, "qrels", max_bytes)
    run_sources = tuple(open_input(run, "run", max_bytes) for run in runs)
    read = read_qrels(
        qrels_source,
        on_duplicate=request.on_duplicate,
        on_nul=request.on_nul,
        progress=progress,
        form=qrels_format,
    )
    return Inputs(read, qrels_source, run_sources, run_format)


def load_run(inputs: Inputs, source: Source, request: Request, progress: Progress = silent) -> Loaded:
    """Reads a run against the qrels. Raises InputError also where no query is in both files."""
    loaded = read_run(
        inputs.qrels,
        source,
        needs=request.needs(),
        on_duplicate=request.on_duplicate,
        on_nul=request.on_nul,
        progress=progress,
        form=inputs.run_format,
    )
    require_common_queries(loaded.collection)
    return loaded


def judged_queries(collection: Collection) -> tuple[str, ...]:
    """The ids of the queries in the qrels, in byte order."""
    return tuple(str(query) for query, here in zip(collection.queries, collection.in_qrels, strict=True) if here)
