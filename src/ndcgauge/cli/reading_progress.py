"""A bar of the bytes read, where reading takes more than a second and somebody looks at it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds of reading before the bar is shown."""

PACKED = (".gz", ".zst")


@contextmanager
def reading_progress(
    *, wanted: bool = True, clock: Callable[[], float] = time.monotonic
) -> Generator[Callable[[str, int], None]]:
    """What readers tell the name of a file and the number of its unpacked bytes that are read.

    Nothing is ever shown in a pipe, or where it is not wanted. The bar goes when reading is done.
    """
    if not wanted or not sys.stderr.isatty():
        yield _nobody
        return
    bar = _Bar(clock)
    try:
        yield bar
    finally:
        bar.close()


def _nobody(name: str, done: int) -> None:
    del name, done


class _Bar:
    """A progress bar that is made when it is needed: its library costs more to import than a small file to read."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._begin = clock()
        self._shown: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, name: str, done: int) -> None:
        if self._shown is None:
            if self._clock() - self._begin < PATIENCE:
                return
            self._shown = self._make()
        if name not in self._tasks:
            self._tasks[name] = self._shown.add_task(_printable(name), total=_size(name))
        self._shown.update(self._tasks[name], completed=done)

    def _make(self) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

        shown = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        shown.start()
        return shown

    def close(self) -> None:
        """Takes the bar away."""
        if self._shown is not None:
            self._shown.stop()


def _size(name: str) -> int | None:
    """Bytes that will be read of a file; None where that is not known before."""
    if name.endswith(PACKED):
        return None
    try:
        return Path(name).stat().st_size or None
    except (OSError, ValueError):
        return None


def _printable(name: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in Path(name).name)
