"""Qrels and runs from files to a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ndcgauge.data import detection
from ndcgauge.data.assembly import assemble
from ndcgauge.data.blocks import has_mark
from ndcgauge.data.collection import DEFAULT_NEEDS, Collection, Needs, RunLine
from ndcgauge.data.columns import RunColumns
from ndcgauge.data.ids import decode
from ndcgauge.data.judgments import Judgments
from ndcgauge.data.options import Progress, ReadingOptions, silent
from ndcgauge.data.qrels_reading import ReadQrels, read_judgments
from ndcgauge.data.run_reading import ReadRun, read_run_parts
from ndcgauge.data.sources import Source
from ndcgauge.errors import InputError

if TYPE_CHECKING:
    from ndcgauge.data.forms import QrelsForm, RunForm


@dataclass(frozen=True)
class InputFile:
    """What a report says of a file that was read."""

    name: str
    """As the user named it; `<stdin>` for standard input."""
    format: str
    """`trec qrels`, `trec run`, or another format with the fields that were read, as `forms` titles it."""
    packing: str
    """`none`, `gzip` or `zstd`."""
    size: int
    """Bytes, packed as they are."""
    lines: int
    """Lines with a judgment or a retrieved document."""
    queries: int
    comments: tuple[str, ...]
    """The first thousand lines that begin with `#`."""
    source: Source = field(repr=False, compare=False)
    writer: Callable[[BinaryIO], None] | None = field(default=None, repr=False, compare=False)
    """Writes the file as TREC columns; None where it has them."""

    @property
    def written(self) -> bool:
        """Whether evaluators read a TREC file that was written from this one."""
        return self.writer is not None

    def for_evaluators(self) -> Path:
        """A plain TREC file: the user's own, its unpacked bytes, or one written from it into a private folder.

        Raises InputError where none can be written: for an id with white space, or a full disk.
        """
        if self.writer is None:
            return self.source.unpacked_path()
        return self.source.written(f"written.{self.format.split(' ')[1]}", self.writer)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the user's bytes, made when it is asked for."""
        return self.source.sha256

    @cached_property
    def unpacked_sha256(self) -> str:
        """SHA-256 of the unpacked bytes, made when it is asked for."""
        return self.source.unpacked_sha256


@dataclass(frozen=True, eq=False)
class Qrels:
    """Qrels that were read, for one run or several."""

    judgments: Judgments
    file: InputFile
    warnings: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Loaded:
    """Qrels and a run that were read."""

    collection: Collection
    qrels_file: InputFile
    run_file: InputFile
    warnings: tuple[str, ...]
    """Short sentences on what the reader took notice of and went on."""


def read_qrels(
    source: Source,
    *,
    on_duplicate: str = "error",
    on_nul: str = "error",
    progress: Progress = silent,
    form: str = "auto",
) -> Qrels:
    """Reads qrels: TREC's (query, iteration, document, grade) or, if the file shows it, another format.

    `form`: one of `detection.QRELS_FORMATS`. Raises InputError with file, line, text and fix for
    anything that is not what it should be.
    """
    return qrels_with(source, ReadingOptions(DEFAULT_NEEDS, on_duplicate, on_nul, progress, qrels_format=form))


def read_run(
    qrels: Qrels,
    source: Source,
    *,
    needs: Needs = DEFAULT_NEEDS,
    on_duplicate: str = "error",
    on_nul: str = "error",
    progress: Progress = silent,
    form: str = "auto",
) -> Loaded:
    """Reads a run, TREC's (query, Q0, document, rank, score, tag) or another format, against qrels.

    `form`: one of `detection.RUN_FORMATS`. Raises InputError with file, line, text and fix for
    anything that is not what it should be.
    """
    return run_with(qrels, source, ReadingOptions(needs, on_duplicate, on_nul, progress, run_format=form))


def read_collection(
    qrels: Source,
    run: Source,
    *,
    needs: Needs = DEFAULT_NEEDS,
    on_duplicate: str = "error",
    on_nul: str = "error",
    progress: Progress = silent,
) -> Loaded:
    """Reads qrels and a run; see `read_qrels` and `read_run`."""
    options = ReadingOptions(needs, on_duplicate, on_nul, progress)
    return run_with(qrels_with(qrels, options), run, options)


def qrels_with(source: Source, options: ReadingOptions) -> Qrels:
    """`read_qrels` with all options."""
    form = detection.qrels_form(source, options.qrels_format)
    noted: tuple[str, ...] = ()
    if form is None:
        read = read_judgments(source, options, _qrels_reader(source, options))
    else:
        # Imported late, as all that TREC files do without.
        from ndcgauge.data import foreign

        read, noted = foreign.read_qrels(form, source, options)
    if not read.lines:
        raise _empty(source, "judgment")
    file = InputFile(
        name=source.name,
        format="trec qrels" if form is None else form.title,
        packing=source.packing,
        size=source.size,
        lines=read.lines,
        queries=len(read.judgments.queries),
        comments=tuple(map(decode, read.comments)),
        source=source,
        writer=None if form is None else _qrels_writer(form, source, options),
    )
    return Qrels(read.judgments, file, (*_warnings(source), *noted))


def run_with(qrels: Qrels, source: Source, options: ReadingOptions) -> Loaded:
    """`read_run` with all options."""
    form = detection.run_form(source, options.run_format)
    noted: tuple[str, ...] = ()
    if form is None:
        read = read_run_parts(source, qrels.judgments, options, _run_reader(source, options))
    else:
        from ndcgauge.data import foreign

        read, noted = foreign.read_run(form, source, qrels.judgments, options)
        noted += _made_up(form, source)
    if not read.lines:
        raise _empty(source, "retrieved document")

    # The rows of the parts are let go once they are assembled: with them, a run would be held twice.
    # Another format than TREC's is read again as a whole, and has no extents.
    extents = zip(read.parts, read.extents, strict=True) if form is None else ()
    places = [(part.queries, extent) for part, extent in extents]

    def lists(queries: Sequence[str]) -> Mapping[str, Sequence[RunLine]]:
        if form is not None:
            from ndcgauge.data import foreign

            return foreign.read_lists(form, source, options, queries)
        from ndcgauge.data.lists import read_lists

        return read_lists(source, places, queries)

    kept = read.complete

    def complete() -> Iterator[RunColumns]:
        if kept is not None:
            return kept()
        if form is not None:
            from ndcgauge.data import foreign

            return foreign.complete_queries(form, source, options)
        from ndcgauge.data.lists import complete_queries

        return complete_queries(source, [extent for _, extent in places], _run_reader(source, options))

    file = InputFile(
        name=source.name,
        format="trec run" if form is None else form.title,
        packing=source.packing,
        size=source.size,
        lines=read.lines,
        queries=sum(len(part.queries) for part in read.parts),
        comments=tuple(map(decode, read.comments)),
        source=source,
        writer=None if form is None else _run_writer(form, source, options),
    )
    collection = assemble(qrels.judgments, read.parts, options.needs, lists, complete)
    if form is not None and not form.has_scores:
        collection = replace(collection, has_scores=False)
    return Loaded(collection, qrels.file, file, (*qrels.warnings, *_warnings(source), *noted))


def _qrels_writer(form: QrelsForm, source: Source, options: ReadingOptions) -> Callable[[BinaryIO], None]:
    def write(out: BinaryIO) -> None:
        from ndcgauge.data.foreign import qrels_blocks
        from ndcgauge.data.trec_writing import write_qrels

        write_qrels(out, qrels_blocks(form, source, options), source.name)

    return write


def _run_writer(form: RunForm, source: Source, options: ReadingOptions) -> Callable[[BinaryIO], None]:
    def write(out: BinaryIO) -> None:
        from ndcgauge.data.foreign import run_blocks
        from ndcgauge.data.trec_writing import write_run

        write_run(out, run_blocks(form, source, options), source.name, has_ranks=form.has_ranks)

    return write


def _made_up(form: RunForm, source: Source) -> tuple[str, ...]:
    """What the file does not say and is read into it."""
    if not form.has_scores:
        return (f"{source.name} has ranks and no scores: the score of a document is 1/rank",)
    return ()


def _small(source: Source, options: ReadingOptions) -> bool:
    """Whether to read line by line; packed text is about four times as long as its file."""
    return source.size <= (options.small if source.packing == "none" else options.small // 4)


def _qrels_reader(source: Source, options: ReadingOptions) -> ReadQrels:
    # Each imported late: what reads blocks costs as much time as some thousand lines read one by one.
    if _small(source, options):
        from ndcgauge.data import plain

        return plain.read_qrels
    from ndcgauge.data import fast

    return fast.read_qrels


def _run_reader(source: Source, options: ReadingOptions) -> ReadRun:
    if _small(source, options):
        from ndcgauge.data import plain

        return plain.read_run
    from ndcgauge.data import fast

    return fast.read_run


def _warnings(source: Source) -> tuple[str, ...]:
    if not has_mark(source):
        return ()
    return (
        f"{source.name} begins with a byte-order mark, which was removed; trec_eval and most other tools "
        "take it for part of the first query id",
    )


def _empty(source: Source, what: str) -> InputError:
    return InputError(
        f"the file has no line with a {what}" if source.size else "the file is empty",
        file=source.name,
        fix="check that it was written completely",
    )
