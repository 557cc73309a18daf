"""Tidy lines split into columns by pyarrow; the one module that touches it.

pyarrow's memory is viewed, never converted: its own conversions import pandas where that is installed.
"""

# pyarrow has no types; what comes out of it is given one here.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from ndcgauge.data.blocks import BOM
from ndcgauge.data.collection import Floats
from ndcgauge.data.columns import NUMBERS, Split
from ndcgauge.data.ids import WORD, Ids

_TYPES = {
    "query": pa.dictionary(pa.int32(), pa.binary()),
    "doc": pa.binary(),
    **dict.fromkeys(NUMBERS, pa.float64()),
}


def split(data: bytes, columns: Sequence[str]) -> Split | None:
    """Lines with single spaces between columns, as columns.

    None where a line has more or fewer columns, where a number is not finite, or is written in a
    way that pyarrow refuses: another reader has to look at the lines.
    """
    # pyarrow would take a mark at the start of any block for the file's own, and drop it.
    if not data or data.startswith(BOM):
        return None
    wanted = [name for name in columns if name in _TYPES]
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            read_options=csv.ReadOptions(use_threads=False, block_size=len(data) + 1, column_names=list(columns)),
            parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
            convert_options=csv.ConvertOptions(
                check_utf8=False,
                column_types={name: _TYPES[name] for name in wanted},
                include_columns=wanted,
                null_values=[],
            ),
        )
    except pa.ArrowInvalid:
        return None
    parts = {name: table.column(name).chunk(0) for name in wanted}
    numbers = {name: _floats(parts[name]) for name in wanted if name in NUMBERS}
    if not all(bool(np.isfinite(column).all()) for column in numbers.values()):
        return None
    coded = parts["query"]
    query = np.frombuffer(coded.indices.buffers()[1], dtype=np.int32, count=len(coded))
    names = _ids(coded.dictionary)
    return Split([names.raw(each) for each in range(len(names))], query.astype(np.int64), _ids(parts["doc"]), numbers)


def _floats(column: Any) -> Floats:
    """(lines,) a column of numbers."""
    return np.frombuffer(column.buffers()[1], dtype=np.float64, count=len(column))


def _ids(column: Any) -> Ids:
    """A column of ids, its bytes copied to have room behind the last one."""
    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32, count=len(column) + 1).astype(np.int64)
    size = int(ends[-1])
    room = np.zeros(size + WORD, dtype=np.uint8)
    room[:size] = np.frombuffer(data, dtype=np.uint8, count=size)
    return Ids(room, ends[:-1], np.diff(ends))
