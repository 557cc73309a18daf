"""TREC qrels and runs, a block at a time: tidied where need be, then split by pyarrow.

A block that pyarrow refuses (more columns, a number written in another way, an error) is read by
`plain`, which has the last word. DESIGN §4 and the measurements it names say why it is done so.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ndcgauge.data import splitting
from ndcgauge.data.collection import Ints
from ndcgauge.data.columns import QRELS, RUN, QrelsColumns, RunColumns, Split


def read_qrels(data: bytes, first_line: int, file: str) -> QrelsColumns:
    """As `plain.read_qrels`, faster."""
    read = _split(data, QRELS)
    if read is None:
        from ndcgauge.data import plain

        return plain.read_qrels(data, first_line, file)
    found, line, newlines = read
    return QrelsColumns(found.queries, found.query, found.doc, found.numbers["grade"], line + first_line, newlines)


def read_run(data: bytes, first_line: int, file: str) -> RunColumns:
    """As `plain.read_run`, faster."""
    read = _split(data, RUN)
    if read is None:
        from ndcgauge.data import plain

        return plain.read_run(data, first_line, file)
    found, line, newlines = read
    rank, score = found.numbers["rank"], found.numbers["score"]
    return RunColumns(found.queries, found.query, found.doc, rank, score, line + first_line, newlines)


def _split(data: bytes, columns: Sequence[str]) -> tuple[Split, Ints, int | None] | None:
    """The block in columns, how many lines of it stand before each of theirs, and its newlines if they are known.

    None where `plain` must read it.
    """
    found = splitting.split(data, columns)
    if found is not None:
        return _as_they_stand(found, data)
    # Imported late, each of them: most files need none.
    from ndcgauge.data.tidying import tidy

    tidied = tidy(data)
    found = splitting.split(tidied.data, columns)
    if found is None:
        # It costs as much time as 10,000 lines.
        from ndcgauge.data import arrow

        found = arrow.split(tidied.data, columns)
    return None if found is None else (found, tidied.line, None)


def _as_they_stand(found: Split, data: bytes) -> tuple[Split, Ints, int]:
    lines = len(found.query)
    return found, np.arange(lines, dtype=np.int64), lines - (not data.endswith(b"\n"))
