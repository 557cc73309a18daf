"""Parts of a run and the judgments, put together as a collection."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import (
    Bools,
    Collection,
    Ints,
    Judged,
    Needs,
    Ranking,
    RankingKey,
    Ranks,
    RunLine,
    RunRows,
    TiedGroups,
)
from ndcgauge.data.columns import RunColumns
from ndcgauge.data.extraction import Part, Rows, Standings
from ndcgauge.data.ids import IdTexts, decode
from ndcgauge.data.judgments import VARIANTS, Judgments

PRECISIONS = ("float64", "float32")
"""The values of `score_precision`."""

Lists = Callable[[Sequence[str]], Mapping[str, Sequence[RunLine]]]
Complete = Callable[[], Iterator[RunColumns]]


def assemble(judgments: Judgments, parts: Sequence[Part], needs: Needs, lists: Lists, complete: Complete) -> Collection:
    """The collection of a qrels file and the parts of a run, each query of which is in one part only."""
    names = sorted({*judgments.queries, *(query for part in parts for query in part.queries)})
    index = {query: number for number, query in enumerate(names)}
    codes = [np.fromiter((index[each] for each in part.queries), np.int64, count=len(part.queries)) for part in parts]
    in_qrels = np.zeros(len(names), dtype=np.bool_)
    in_run = np.zeros(len(names), dtype=np.bool_)
    judged_codes = np.fromiter((index[each] for each in judgments.queries), np.int64, count=len(judgments.queries))
    in_qrels[judged_codes] = True
    for each in codes:
        in_run[each] = True
    repeated = any(part.repeat is not None for part in parts)
    rows = {
        name: _run_rows([part.rows[name] for part in parts], codes, len(names), needs)
        for name in (VARIANTS if repeated else VARIANTS[:1])
    }
    if not repeated:
        rows = dict.fromkeys(("error", *VARIANTS), rows[VARIANTS[0]])
    return Collection(
        queries=tuple(map(decode, names)),
        in_qrels=in_qrels,
        in_run=in_run,
        judged=Judged(judged_codes[judgments.query], IdTexts(judgments.doc), judgments.line, judgments.grades),
        rows=rows,
        has_scores=True,
        lists=lists,
        complete=complete,
        ties={precision: _ties([part.rows["first"] for part in parts], codes, precision) for precision in PRECISIONS},
    )


def _ints(columns: Sequence[Ints | NDArray[np.int32]]) -> Ints:
    size = sum(map(len, columns))
    return np.concatenate(columns, out=np.empty(size, dtype=np.int64)) if columns else np.zeros(0, dtype=np.int64)


def _ranks(columns: Sequence[Ranks], order: Ints) -> Ranks:
    """The columns as one, in order. What is one number all over, as places without ties are, stays one in memory."""
    numbers = {int(each[0]) for each in columns if len(each)}
    if len(numbers) < 2 and all(each.strides == (0,) for each in columns if len(each)):
        return np.broadcast_to(np.int32(max(numbers, default=0)), len(order))
    return np.concatenate(columns)[order]


def _bools(columns: Sequence[Bools]) -> Bools:
    return np.concatenate(columns) if columns else np.zeros(0, dtype=np.bool_)


def _run_rows(rows: Sequence[Rows], codes: Sequence[Ints], n_queries: int, needs: Needs) -> RunRows:
    query = _ints([code[each.query] for each, code in zip(rows, codes, strict=True)])
    line = _ints([each.line for each in rows])
    judged = _ints([each.judged for each in rows])
    order = np.lexsort((judged, line, query))
    made: dict[tuple[int, ...], Ranking] = {}

    def ranking(key: RankingKey) -> Ranking:
        """One object for keys whose rankings are the same objects in every part."""
        standings = [each.rankings[key] for each in rows]
        identity = tuple(map(id, standings))
        if identity not in made:
            made[identity] = _ranking(standings, codes, order, n_queries)
        return made[identity]

    return RunRows(
        query=query[order],
        judged=judged[order],
        own=_bools([each.own for each in rows])[order],
        line=line[order],
        inserted=_bools([each.inserted for each in rows])[order],
        rankings={key: ranking(key) for key in needs.keys()},  # noqa: SIM118 - no mapping
    )


def _ranking(standings: Sequence[Standings], codes: Sequence[Ints], order: Ints, n_queries: int) -> Ranking:
    ranked = np.zeros(n_queries, dtype=np.int64)
    for each, code in zip(standings, codes, strict=True):
        ranked[code] = each.ranked
    return Ranking(
        start=_ranks([each.places.start for each in standings], order),
        length=_ranks([each.places.length for each in standings], order),
        by_docid=_ranks([each.places.by_docid for each in standings], order),
        by_line=_ranks([each.places.by_line for each in standings], order),
        ranked=ranked,
    )


def _ties(rows: Sequence[Rows], codes: Sequence[Ints], precision: str) -> TiedGroups:
    ties = [each.ties[precision] for each in rows]
    query = _ints([code[each.query] for each, code in zip(ties, codes, strict=True)])
    start = _ints([each.start for each in ties])
    order = np.lexsort((start, query))
    return TiedGroups(query[order], start[order], _ints([each.length for each in ties])[order])
