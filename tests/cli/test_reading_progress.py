from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ndcgauge.cli.reading_progress import PATIENCE, reading_progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def watching(clock: Clock, *, wanted: bool = True, screen: io.StringIO) -> Iterator[Callable[[str, int], None]]:
    # Here and not in a fixture: pytest puts its own stream back before a test begins.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stderr", screen)
        patch.setenv("TERM", "xterm")
        patch.setenv("COLUMNS", "120")
        with reading_progress(wanted=wanted, clock=clock) as progress:
            yield progress


def test_bytes_read_are_shown_after_a_second(tmp_path: Path) -> None:
    terminal, file, clock = Terminal(), tmp_path / "long.run", Clock()
    file.write_bytes(b"x" * 4_000_000)
    with watching(clock, screen=terminal) as progress:
        progress(str(file), 1_000_000)
        assert terminal.getvalue() == ""
        clock.now += PATIENCE
        progress(str(file), 2_000_000)
        progress(str(file), 4_000_000)
    shown = terminal.getvalue()
    assert "long.run" in shown and "4.0/4.0 MB" in shown


def test_nothing_is_shown_for_what_is_short() -> None:
    terminal, clock = Terminal(), Clock()
    with watching(clock, screen=terminal) as progress:
        progress("a", 1)
        clock.now += PATIENCE / 2
        progress("a", 2)
    assert terminal.getvalue() == ""


def test_nothing_is_shown_where_it_is_not_wanted() -> None:
    terminal = Terminal()
    with watching(Clock(), wanted=False, screen=terminal) as progress:
        progress("a", 1)
    assert terminal.getvalue() == ""


def test_nothing_is_shown_in_a_pipe() -> None:
    pipe, clock = io.StringIO(), Clock()
    with watching(clock, screen=pipe) as progress:
        clock.now += 5 * PATIENCE
        progress("a", 1)
    assert pipe.getvalue() == ""


def test_a_packed_file_has_no_end_and_a_name_no_escapes() -> None:
    terminal, clock = Terminal(), Clock()
    with watching(clock, screen=terminal) as progress:
        clock.now += 2 * PATIENCE
        progress("a\x1b[31m.run.gz", 1_500_000)
    assert "a?[31m.run.gz" in terminal.getvalue()
