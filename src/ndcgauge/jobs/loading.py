"""Files to collections, for every command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ndcgauge.data.collection import Collection
from ndcgauge.data.common_queries import require_common_queries
from ndcgauge.data.detection import QRELS_FORMATS, RUN_FORMATS
from ndcgauge.data.inputs import open_input
from ndcgauge.data.options import Progress, silent
from ndcgauge.data.packing import MAX_BYTES
from ndcgauge.data.reading import Loaded, Qrels, read_qrels, read_run
from ndcgauge.data.sources import Source
from ndcgauge.errors import InputError, UsageError
from ndcgauge.jobs.request import Request


@dataclass(frozen=True)
class Unopened:
    """A run that a caller could not make a source of, in its place among the others."""

    name: str
    error: InputError


Run = str | Source | Unopened
"""A run as callers give it: a path, `-`, a source."""


@dataclass(frozen=True)
class Inputs:
    """Qrels, opened and read, and the runs that are read against them one after another."""

    qrels: Qrels
    qrels_source: Source
    run_sources: tuple[Source, ...]
    run_format: str = "auto"
    unread: dict[str, str] = field(default_factory=dict[str, str])
    """Runs that could not be opened, or read, beside others that could: name to what was said."""


def open_inputs(
    qrels: str | Source,
    runs: Sequence[Run],
    request: Request,
    *,
    qrels_format: str = "auto",
    run_format: str = "auto",
    progress: Progress = silent,
    max_bytes: int = MAX_BYTES,
) -> Inputs:
    """Opens all files and reads the qrels.

    A folder, or a split of one, stands for the files in it (see `data.hub_folder`). `max_bytes`: unpacked bytes
    beyond which an input is refused. Of several runs, those that cannot be opened are left to `each_run`.

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
    names = [run if isinstance(run, str) else run.name for run in runs]
    if len(set(names)) < len(names):
        raise UsageError("a run is given twice", fix="name each run once: reports tell runs apart by their names")
    qrels_source = open_input(qrels, "qrels", max_bytes)
    unread: dict[str, str] = {}
    run_sources: list[Source] = []
    for run, name in zip(runs, names, strict=True):
        try:
            if isinstance(run, Unopened):
                raise run.error
            run_sources.append(open_input(run, "run", max_bytes))
        except InputError as error:
            if len(runs) == 1:
                raise
            unread[name] = str(error)
    read = read_qrels(
        qrels_source,
        on_duplicate=request.on_duplicate,
        on_nul=request.on_nul,
        progress=progress,
        form=qrels_format,
    )
    return Inputs(read, qrels_source, tuple(run_sources), run_format, unread)


def each_run(
    inputs: Inputs,
    request: Request,
    progress: Progress = silent,
    *,
    for_evaluators: bool = False,
    lists: bool = False,
) -> Iterator[tuple[Source, Loaded]]:
    """The runs, read one after another; what each leaves in temporary files goes before the next.

    Where there are several, one that cannot be read (or, `for_evaluators`, not be written as they read it) is
    noted in `inputs.unread`, and the others go on. `lists` as in `Needs`. Raises InputError where none can be read.
    """
    last: InputError | None = None
    count = 0
    for source in inputs.run_sources:
        try:
            loaded = load_run(inputs, source, request, progress, lists=lists)
            if for_evaluators:
                loaded.run_file.for_evaluators()
        except InputError as error:
            inputs.unread[source.name] = str(error)
            last = error
            continue
        count += 1
        yield source, loaded
        source.release()
    if not count:
        if last is not None and len(inputs.unread) == 1:
            raise last
        raise InputError("none of the runs can be read:\n" + "\n".join(inputs.unread.values()), fix="see each of them")


def unread_warnings(inputs: Inputs) -> list[str]:
    """A sentence for each run that was left out."""
    return [f"a run was left out: {said.splitlines()[0]}" for said in inputs.unread.values()]


def load_run(
    inputs: Inputs, source: Source, request: Request, progress: Progress = silent, *, lists: bool = False
) -> Loaded:
    """Reads a run against the qrels; `lists` as in `Needs`. Raises InputError also where no query is in both files."""
    loaded = read_run(
        inputs.qrels,
        source,
        needs=request.needs()._replace(lists=lists),
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
