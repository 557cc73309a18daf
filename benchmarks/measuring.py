"""Whole processes measured in pairs: CPU seconds, wall seconds, peak memory."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

QUIET = {"PYTHONDONTWRITEBYTECODE": ""}
"""Byte code is written at the warm-up, as it is on any machine where a program runs twice."""


@dataclass(frozen=True)
class Used:
    """What one process used, with the children that it waited for."""

    cpu: float
    wall: float
    peak: int
    """Bytes, of the largest process."""


class Failed(Exception):
    """A command that did not end well."""


def once(command: Sequence[str]) -> Used:
    """Runs a command with nothing on its input and its output thrown away. Raises Failed."""
    environment = {**os.environ, **QUIET}
    environment.pop("OPENBLAS_NUM_THREADS", None)
    with Path(os.devnull).open("r+b") as nothing:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=subprocess.PIPE, env=environment)
        assert process.stderr is not None
        told = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
    if process.returncode:
        last = told.decode(errors="replace").strip().splitlines()[-1:] or ["(it said nothing)"]
        raise Failed(f"{' '.join(command[:3])} …: exit {process.returncode}: {last[0]}")
    return Used(used.ru_utime + used.ru_stime, wall, used.ru_maxrss * 1024)


def in_turn(commands: Mapping[str, Sequence[str]], rounds: int, *, warm_up: bool = True) -> dict[str, list[Used]]:
    """The commands one after another, `rounds` times after a warm-up, so that what else the machine does meets all."""
    for command in commands.values() if warm_up else ():
        once(command)
    found: dict[str, list[Used]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            found[name].append(once(command))
    return found
