"""Vectors over the queries of both files, each kept once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ndcgauge.data.collection import Floats


@dataclass
class Vectors:
    """Numerators or denominators of many specifications: equal ones share one row."""

    rows: list[Floats] = field(default_factory=list[Floats])
    _known: dict[bytes, int] = field(default_factory=dict[bytes, int])

    def add(self, vector: Floats) -> int:
        """The index of the vector, which is kept if none like it was."""
        key = vector.tobytes()
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self.rows)
            self.rows.append(vector)
        return found

    def table(self) -> Floats:
        """(rows, queries)"""
        return np.array(self.rows)
