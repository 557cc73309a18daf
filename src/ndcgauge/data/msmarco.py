"""MS MARCO runs: query, document and rank, three columns; the score is 1/rank, as Pyserini makes it.

Source of the layout: the MS MARCO ranking leaderboards' submission format (microsoft/msmarco).
"""

from __future__ import annotations

import numpy as np

from ndcgauge.data.cells import Where, rank_of
from ndcgauge.data.columns import RunColumns
from ndcgauge.data.entries import RunEntries
from ndcgauge.data.forms import RunForm

COLUMNS = ("query", "doc", "rank")
_SMALL = 1 << 20
"""Bytes of a block up to which it is read line by line, which is cheaper than importing pyarrow."""


def looks_like(line: bytes) -> bool:
    """Whether a line has three columns and the last is a whole number."""
    fields = line.split()
    return len(fields) == 3 and fields[2].isdigit()


def run_form() -> RunForm:
    """How these runs are read."""
    return RunForm("msmarco run (query, document, rank)", has_scores=False, by_line=read_run)


def read_run(data: bytes, first_line: int, file: str) -> RunColumns:
    """The documents in whole lines of a run, the first of which is number `first_line`.

    Raises InputError for a line without three columns, or whose rank is no whole number from 1 on.
    """
    if len(data) > _SMALL:
        found = _fast(data, first_line)
        if found is not None:
            return found
    entries = RunEntries()
    for number, line in enumerate(data.split(b"\n"), first_line):
        fields = line.split()
        if not fields or line.startswith(b"#"):
            continue
        where = Where(file, number, text=line)
        if len(fields) != 3:
            raise where.refusal(
                f"{len(fields)} column{'s' * (len(fields) != 1)} where there must be 3 (query, document, rank)",
                "this looks like a TREC run: leave --run-format msmarco out"
                if len(fields) == 6 and number == first_line
                else "write the columns query, document, rank; an id with a space in it makes a column too many",
            )
        entries.add(fields[0], fields[1], rank_of(fields[2], where), None, number)
    return entries.columns()


def _fast(data: bytes, first_line: int) -> RunColumns | None:
    """As `read_run`, by pyarrow; None where a line is not what it should be."""
    from ndcgauge.data.arrow import split
    from ndcgauge.data.tidying import tidy

    tidied = tidy(data)
    found = split(tidied.data, COLUMNS)
    if found is None:
        return None
    rank = found.numbers["rank"]
    if bool((rank < 1).any()) or bool((rank != np.floor(rank)).any()):
        return None
    return RunColumns(found.queries, found.query, found.doc, rank, 1 / rank, tidied.line + first_line)
