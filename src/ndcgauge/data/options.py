"""How files are to be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ndcgauge.data.blocks import BLOCK
from ndcgauge.data.collection import DEFAULT_NEEDS, Needs

Progress = Callable[[str, int], None]
"""Told the name of an input and the number of its unpacked bytes that are read."""


def silent(name: str, done: int) -> None:
    """Tells nobody."""
    del name, done


@dataclass(frozen=True)
class ReadingOptions:
    """What a caller asks of the readers."""

    needs: Needs = DEFAULT_NEEDS
    on_duplicate: str = "error"
    """`error`, `first`, `last` or `all`: whether a repeated (query, document) is refused."""
    on_nul: str = "error"
    """`error`, `stop` or `keep`."""
    progress: Progress = silent
    block: int = BLOCK
    """Bytes of a block. Changes speed and memory, never a result."""
    small: int = 1 << 16
    """Bytes up to which a file is read line by line, which is cheaper than importing more."""
    qrels_format: str = "auto"
    """One of `detection.QRELS_FORMATS`."""
    run_format: str = "auto"
    """One of `detection.RUN_FORMATS`."""
