"""Processes that end together: none is left, whenever the end comes."""

from __future__ import annotations

import os
import sys
from typing import Any

import psutil
import pytest

from ndcgauge.evaluators import processes
from ndcgauge.evaluators.processes import Died, Limits, Process, Started

SLEEPS = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]
LIMITS = Limits(seconds=60.0)


def children() -> set[int]:
    return {each.pid for each in psutil.Process().children(recursive=True)}


def test_all_that_were_started_end_at_once() -> None:
    started = Started()
    both = [started.start(SLEEPS, os.environ, LIMITS) for _ in range(2)]
    assert [each.alive for each in both] == [True, True]
    started.kill()
    assert [each.alive for each in both] == [False, False]
    for each in both:
        each.close(at_once=True)


def test_nothing_begins_after_the_end() -> None:
    started = Started()
    started.kill()
    before = children()
    with pytest.raises(Died):
        started.start(SLEEPS, os.environ, LIMITS)
    assert children() == before


def test_the_end_may_come_while_a_process_is_being_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """As an interrupt of the caller does, which finds nothing to kill yet."""
    started = Started()
    began: list[Process] = []

    class Slow(Process):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            began.append(self)
            started.kill()

    monkeypatch.setattr(processes, "Process", Slow)
    before = children()
    with pytest.raises(Died):
        started.start(SLEEPS, os.environ, LIMITS)
    assert len(began) == 1
    assert not began[0].alive
    assert children() == before
