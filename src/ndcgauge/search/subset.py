"""A collection cut down to some of its queries: where a search looks first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ndcgauge.data.collection import Collection, Grades, Ints, Judged, Ranking, RunRows


def subset(collection: Collection, queries: Sequence[int]) -> Collection:
    """The collection of the given queries (ascending indices) alone."""
    chosen = np.array(queries, dtype=np.int64)
    number = np.full(len(collection.queries), -1, dtype=np.int64)
    number[chosen] = np.arange(len(chosen))
    judged, new_pair = _judged(collection.judged, number)
    seen: dict[int, RunRows] = {}
    rows: dict[str, RunRows] = {}
    for name, each in collection.rows.items():
        if id(each) not in seen:
            seen[id(each)] = _rows(each, number, chosen, new_pair)
        rows[name] = seen[id(each)]
    return Collection(
        queries=[collection.queries[int(each)] for each in chosen],
        in_qrels=collection.in_qrels[chosen],
        in_run=collection.in_run[chosen],
        judged=judged,
        rows=rows,
        has_scores=collection.has_scores,
        lists=collection.lists,
        complete=collection.complete,
    )


def _judged(judged: Judged, number: Ints) -> tuple[Judged, Ints]:
    keep = number[judged.query] >= 0
    new_pair = np.full(len(keep) + 1, -1, dtype=np.int64)
    new_pair[:-1][keep] = np.arange(int(keep.sum()))
    grades: dict[str, Grades] = {}
    seen: dict[int, Grades] = {}
    for name, each in judged.grades.items():
        if id(each) not in seen:
            of_line = keep[each.judged]
            seen[id(each)] = Grades(new_pair[each.judged[of_line]], each.grade[of_line])
        grades[name] = seen[id(each)]
    cut = Judged(
        query=number[judged.query[keep]],
        doc=[judged.doc[each] for each in np.flatnonzero(keep).tolist()],
        line=judged.line[keep],
        grades=grades,
    )
    return cut, new_pair


def _rows(rows: RunRows, number: Ints, chosen: Ints, new_pair: Ints) -> RunRows:
    keep = number[rows.query] >= 0
    seen: dict[int, Ranking] = {}
    rankings = {}
    for key, each in rows.rankings.items():
        if id(each) not in seen:
            seen[id(each)] = Ranking(
                start=each.start[keep],
                length=each.length[keep],
                by_docid=each.by_docid[keep],
                by_line=each.by_line[keep],
                ranked=each.ranked[chosen],
            )
        rankings[key] = seen[id(each)]
    return RunRows(
        query=number[rows.query[keep]],
        judged=new_pair[rows.judged[keep]],
        own=rows.own[keep],
        line=rows.line[keep],
        inserted=rows.inserted[keep],
        rankings=rankings,
    )
