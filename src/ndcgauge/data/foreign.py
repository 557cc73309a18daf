"""Qrels and runs in other formats than TREC's: to the same judgments and judged rows as `fast` and `plain` make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ndcgauge.data.blocks import at_line, blocks
from ndcgauge.data.collection import RunLine
from ndcgauge.data.columns import QrelsColumns, RunColumns
from ndcgauge.data.extraction import extract
from ndcgauge.data.forms import QrelsForm, RunForm
from ndcgauge.data.ids import decode, encode
from ndcgauge.data.judgments import Judgments, Repeat, judgments_of
from ndcgauge.data.lists import together
from ndcgauge.data.options import ReadingOptions, silent
from ndcgauge.data.qrels_reading import QrelsRead, read_judgments
from ndcgauge.data.refusals import shown
from ndcgauge.data.run_reading import RunParts, read_run_parts
from ndcgauge.data.sources import Source
from ndcgauge.errors import InputError


def read_qrels(form: QrelsForm, source: Source, options: ReadingOptions) -> tuple[QrelsRead, tuple[str, ...]]:
    """The judgments, and warnings. Raises InputError for anything that they cannot be read as."""
    if form.by_line is not None:
        return read_judgments(source, options, form.by_line), ()
    assert form.whole is not None
    columns, warnings = form.whole(source, options)
    judgments = judgments_of(columns)
    if judgments.repeat is not None and options.on_duplicate == "error":
        raise _repeated(source, judgments.repeat, form.unit)
    return QrelsRead(judgments, len(columns.query), ()), warnings


def read_run(
    form: RunForm, source: Source, judgments: Judgments, options: ReadingOptions
) -> tuple[RunParts, tuple[str, ...]]:
    """The judged rows, and warnings. Raises InputError for anything that they cannot be read as."""
    if form.by_line is not None:
        return read_run_parts(source, judgments, options, form.by_line), ()
    assert form.whole is not None
    columns, warnings = form.whole(source, options)
    if not len(columns.query):
        return RunParts((), (), 0, ()), warnings
    part = extract(columns, judgments, options.needs)
    if part.repeat is not None and options.on_duplicate == "error":
        raise _repeated(source, part.repeat, form.unit)
    return RunParts((part,), (), part.lines, ()), warnings


def qrels_blocks(form: QrelsForm, source: Source, options: ReadingOptions) -> Iterator[QrelsColumns]:
    """The judgments once more, in the order of the file."""
    if form.whole is not None:
        yield form.whole(source, options)[0]
        return
    assert form.by_line is not None
    line = 1
    for block in blocks(source, at_line, size=options.block, on_nul=options.on_nul):
        yield form.by_line(block.data, line, source.name)
        line += block.newlines


def run_blocks(form: RunForm, source: Source, options: ReadingOptions) -> Iterator[RunColumns]:
    """The documents once more, in the order of the file."""
    if form.whole is not None:
        yield form.whole(source, options)[0]
        return
    assert form.by_line is not None
    line = 1
    for block in blocks(source, at_line, size=options.block, on_nul=options.on_nul):
        yield form.by_line(block.data, line, source.name)
        line += block.newlines


def read_lists(
    form: RunForm, source: Source, options: ReadingOptions, queries: Sequence[str]
) -> Mapping[str, Sequence[RunLine]]:
    """As `lists.read_lists`: every document of some queries. Without ranks, places in the file stand in."""
    wanted = {encode(query): list[RunLine]() for query in queries}
    for columns in run_blocks(form, source, _quiet(options)):
        found = [wanted.get(query) for query in columns.queries]
        rows = zip(
            columns.query.tolist(), columns.rank.tolist(), columns.score.tolist(), columns.line.tolist(), strict=True
        )
        for row, (query, rank, score, line) in enumerate(rows):
            listed = found[query]
            if listed is not None:
                place = f"{rank:g}" if form.has_ranks else str(len(listed) + 1)
                listed.append(RunLine(decode(columns.doc.raw(row)), place, score, line))
    return {query: wanted[encode(query)] for query in queries}


def complete_queries(form: RunForm, source: Source, options: ReadingOptions) -> Iterator[RunColumns]:
    """As `lists.complete_queries`."""
    return together(run_blocks(form, source, _quiet(options)))


def _quiet(options: ReadingOptions) -> ReadingOptions:
    return ReadingOptions(options.needs, options.on_duplicate, options.on_nul, silent, options.block, options.small)


def _repeated(source: Source, repeat: Repeat, unit: str) -> InputError:
    return InputError(
        f"document {shown(repeat.doc)} of query {shown(repeat.query)} stands in {unit} {repeat.first} already",
        file=source.name,
        place=f"{unit} {repeat.again}",
        fix="keep one of them, or choose with --on-duplicate first, last or all (trec_eval refuses such a file)",
    )
