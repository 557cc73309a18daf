"""A collection from lines that are in memory already: cases, tests, and callers from Python."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ndcgauge.data.assembly import assemble
from ndcgauge.data.collection import DEFAULT_NEEDS, Collection, Ints, Needs, RunLine
from ndcgauge.data.columns import QrelsColumns, RunColumns
from ndcgauge.data.extraction import extract
from ndcgauge.data.ids import Ids, encode
from ndcgauge.data.judgments import Repeat, judgments_of
from ndcgauge.errors import InputError

RunTuple = tuple[str, str, float, float]


def collection_from_lines(
    qrels: Iterable[tuple[str, str, float]],
    run: Iterable[RunTuple],
    needs: Needs = DEFAULT_NEEDS,
    on_duplicate: str = "error",
) -> Collection:
    """The collection of judgments (query, document, grade) and run lines (query, document, rank, score).

    Line numbers are the positions, from 1. Where a pair is repeated, the collection has the
    variants `first`, `last` and `all`; where none is, `error` as well, and all are one object.

    Raises InputError for a grade, rank or score that is not finite, and for a repeated pair
    where `on_duplicate` is `error`.
    """
    judged, ranked = list(qrels), list(run)
    for number, (query, doc, grade) in enumerate(judged, 1):
        _finite("grade", grade, (query, doc), "qrels", number)
    for number, (query, doc, rank, score) in enumerate(ranked, 1):
        _finite("rank", rank, (query, doc), "run", number)
        _finite("score", score, (query, doc), "run", number)
    queries, query_codes = _coded([line[0] for line in judged])
    judgments = judgments_of(
        QrelsColumns(
            queries,
            query_codes,
            Ids.of(encode(line[1]) for line in judged),
            np.array([line[2] for line in judged], dtype=np.float64),
            np.arange(1, len(judged) + 1, dtype=np.int64),
        )
    )
    queries, query_codes = _coded([line[0] for line in ranked])
    columns = RunColumns(
        queries,
        query_codes,
        Ids.of(encode(line[1]) for line in ranked),
        np.array([line[2] for line in ranked], dtype=np.float64),
        np.array([line[3] for line in ranked], dtype=np.float64),
        np.arange(1, len(ranked) + 1, dtype=np.int64),
    )
    part = extract(columns, judgments, needs)
    if on_duplicate == "error":
        for name, repeat in (("qrels", judgments.repeat), ("run", part.repeat)):
            if repeat is not None:
                raise _repeated(name, repeat)

    def lists(wanted: Sequence[str]) -> Mapping[str, Sequence[RunLine]]:
        found: dict[str, list[RunLine]] = {query: [] for query in wanted}
        for number, (query, doc, rank, score) in enumerate(ranked, 1):
            if query in found:
                found[query].append(RunLine(doc, f"{rank:g}", score, number))
        return found

    return assemble(judgments, [part], needs, lists, lambda: iter([columns.by_query()]))


def _coded(queries: Sequence[str]) -> tuple[list[bytes], Ints]:
    """The distinct ids, and the index of each line's."""
    codes: dict[str, int] = {}
    column = np.fromiter((codes.setdefault(each, len(codes)) for each in queries), np.int64, count=len(queries))
    return [encode(each) for each in codes], column


def _finite(what: str, value: float, pair: tuple[str, str], file: str, line: int) -> None:
    if not math.isfinite(value):
        query, doc = pair
        raise InputError(f"the {what} of {doc} for query {query} is {value}, not a finite number", file=file, line=line)


def _repeated(file: str, repeat: Repeat) -> InputError:
    doc, query = repeat.doc.decode("utf-8", "replace"), repeat.query.decode("utf-8", "replace")
    return InputError(
        f"document {doc} of query {query} was on line {repeat.first} already",
        file=file,
        line=repeat.again,
        fix="keep one of the lines, or choose with on_duplicate: first, last or all",
    )
