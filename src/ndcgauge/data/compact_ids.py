"""A column of ids in as few bytes as can be, for as long as it is kept."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import Ints
from ndcgauge.data.ids import LONG, WORD, Ids


class CompactIds(NamedTuple):
    """Ids over bytes of their own, without a place for each."""

    data: NDArray[np.uint8]
    width: int
    """Bytes of each; 0 where each has as many as it needs, one behind the other. A word of zeros is behind the last."""
    length: NDArray[np.uint8] | Ints

    @classmethod
    def of(cls, ids: Ids) -> CompactIds:
        """The ids of a column."""
        if int(ids.length.max(initial=0)) > LONG:
            return cls(np.concatenate((ids.packed(), np.zeros(WORD, dtype=np.uint8))), 0, ids.length)
        cells = ids.cells()
        width = WORD * cells.shape[1]
        # A word can be read at every id, also at the last one.
        data = np.zeros(len(ids) * width + WORD, dtype=np.uint8)
        data[: len(ids) * width] = cells.view(np.uint8).reshape(-1)
        return cls(data, width, ids.length.astype(np.uint8))

    def between(self, begin: int, end: int) -> Ids:
        """Some of the ids, over their own bytes and a word behind them."""
        length = self.length[begin:end].astype(np.int64)
        if self.width:
            data = self.data[begin * self.width : end * self.width + WORD]
            return Ids(data, np.arange(end - begin, dtype=np.int64) * self.width, length)
        before = int(self.length[:begin].sum())
        return Ids(self.data[before : before + int(length.sum()) + WORD], np.cumsum(length) - length, length)
