"""TREC qrels and runs, a block at a time: tidied where need be, then split by pyarrow.

A block that pyarrow refuses (more columns, a number written in another way, an error) is read by
`plain`, which has the last word. DESIGN §4 and the measurements it names say why it is done so.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ndcgauge.data import plain
from ndcgauge.data.arrow import QRELS, RUN, Split, split
from ndcgauge.data.collection import Ints
from ndcgauge.data.columns import QrelsColumns, RunColumns
from ndcgauge.data.tidying import is_tidy, tidy


def read_qrels(data: bytes, first_line: int, file: str) -> QrelsColumns:
    """As `plain.read_qrels`, faster."""
    read = _split(data, QRELS)
    if read is None:
        return plain.read_qrels(data, first_line, file)
    found, line = read
    return QrelsColumns(found.queries, found.query, found.doc, found.numbers["grade"], line + first_line)


def read_run(data: bytes, first_line: int, file: str) -> RunColumns:
    """As `plain.read_run`, faster."""
    read = _split(data, RUN)
    if read is None:
        return plain.read_run(data, first_line, file)
    found, line = read
    rank, score = found.numbers["rank"], found.numbers["score"]
    return RunColumns(found.queries, found.query, found.doc, rank, score, line + first_line)


def _split(data: bytes, columns: Sequence[str]) -> tuple[Split, Ints] | None:
    """The block in columns, and how many lines of it stand before each of theirs; None where `plain` must read it."""
    if is_tidy(data):
        found = split(data, columns)
        # A comment with as many words as there are columns looks like a line.
        if found is not None and not any(query.startswith(b"#") for query in found.queries):
            return found, np.arange(len(found.query), dtype=np.int64)
        if b"#" not in data:
            return None
    tidied = tidy(data)
    found = split(tidied.data, columns)
    return None if found is None else (found, tidied.line)
