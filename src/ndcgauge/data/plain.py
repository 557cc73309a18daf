"""TREC qrels and runs, line by line: for small files, for blocks that `fast` refuses, and as its oracle.

Lines end at \\n alone. Columns are separated by what C's `isspace` takes for white space, which is
what `bytes.split` does; a lone carriage return is white space within a line, and a no-break space
is part of an id, as for trec_eval. Blank lines, and lines with `#` in the first column, are
left out. Qrels have exactly four columns (trec_eval refuses more, too); what follows the sixth
column of a run is ignored, as trec_eval does.
"""

from __future__ import annotations

import numpy as np

from ndcgauge.data.columns import QrelsColumns, RunColumns
from ndcgauge.data.ids import Ids
from ndcgauge.data.refusals import unreadable_qrels, unreadable_run

_LARGEST = float(np.finfo(np.float64).max)


def read_qrels(data: bytes, first_line: int, file: str) -> QrelsColumns:
    """The judgments in whole lines of a file, the first of which is number `first_line`.

    Raises InputError for a line without four columns, or whose grade is no finite decimal number.
    """
    codes: dict[bytes, int] = {}
    query: list[int] = []
    docs: list[bytes] = []
    grades: list[float] = []
    lines: list[int] = []
    for number, line in enumerate(data.split(b"\n"), first_line):
        fields = line.split()
        if not fields or line.startswith(b"#"):
            continue
        try:
            name, _, doc, text = fields
            grade = float(text)
        except ValueError:
            raise unreadable_qrels(file, number, line) from None
        if not -_LARGEST <= grade <= _LARGEST or b"_" in text:
            raise unreadable_qrels(file, number, line)
        query.append(codes.setdefault(name, len(codes)))
        docs.append(doc)
        grades.append(grade)
        lines.append(number)
    return QrelsColumns(
        list(codes), np.array(query, np.int64), Ids.of(docs), np.array(grades, np.float64), np.array(lines, np.int64)
    )


def read_run(data: bytes, first_line: int, file: str) -> RunColumns:
    """The lines of a run in whole lines of a file, the first of which is number `first_line`.

    Raises InputError for a line of fewer than six columns, or whose rank or score is no finite
    decimal number.
    """
    codes: dict[bytes, int] = {}
    query: list[int] = []
    docs: list[bytes] = []
    ranks: list[float] = []
    scores: list[float] = []
    lines: list[int] = []
    for number, line in enumerate(data.split(b"\n"), first_line):
        fields = line.split(None, 6)
        if not fields or line.startswith(b"#"):
            continue
        try:
            name, _, doc, rank_text, score_text, *_ = fields
            rank, score = float(rank_text), float(score_text)
        except ValueError:
            raise unreadable_run(file, number, line) from None
        if (
            len(fields) < 6
            or not -_LARGEST <= rank <= _LARGEST
            or not -_LARGEST <= score <= _LARGEST
            or b"_" in rank_text
            or b"_" in score_text
        ):
            raise unreadable_run(file, number, line)
        query.append(codes.setdefault(name, len(codes)))
        docs.append(doc)
        ranks.append(rank)
        scores.append(score)
        lines.append(number)
    return RunColumns(
        list(codes),
        np.array(query, np.int64),
        Ids.of(docs),
        np.array(ranks, np.float64),
        np.array(scores, np.float64),
        np.array(lines, np.int64),
    )
