"""Processes that cannot harm their caller: a time limit, a memory limit, killed with their children."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

LOOK = 0.25
"""Seconds between two looks at a process that has not answered."""
RARELY = 2.0
"""Most seconds between two searches for the children of a process: where the system has no list of them, each
goes through all processes of the machine."""
LONGEST_LINE = 1 << 28
"""Bytes of one reply, or of all that goes to standard error, beyond which a process is taken to flood us."""
TAIL = 4096


@dataclass(frozen=True)
class Limits:
    """What a process may take."""

    seconds: float = 600.0
    memory: int = 16 * 1024**3
    """Bytes of resident memory of the process and its children."""


class Died(Exception):
    """The process ended, or was ended for what it did."""

    def __init__(self, message: str, stderr: str) -> None:
        super().__init__(message)
        self.message = message
        self.stderr = stderr


class TooSlow(Exception):
    """The process gave no answer in time and was killed."""


_LISTS_CHILDREN = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").exists()
"""Whether the kernel lists the children of a thread (Linux, where it is built so)."""


def _descendants(pid: int) -> list[int]:
    """The children of a process, and theirs, by the kernel's lists."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            # A thread may end between the two looks.
            with contextlib.suppress(OSError):
                found += map(int, (thread / "children").read_bytes().split())
    return [each for child in found for each in (child, *_descendants(child))]


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _ending(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"died by {signal.Signals(-code).name}"
        return f"died by signal {-code}"
    return f"ended with exit code {code}"


class Process:
    """A program in a session of its own, with pipes for its input and output."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], limits: Limits) -> None:
        """Starts it. Raises OSError where the program cannot be started."""
        self.limits = limits
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env=dict(environment),
            start_new_session=True,
        )
        self._rest = b""
        self._known: list[psutil.Process] = []
        self._search_at, self._pause = 0.0, LOOK

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def stderr_tail(self) -> str:
        """The last part of what it wrote to standard error."""
        size = os.fstat(self._stderr.fileno()).st_size
        return os.pread(self._stderr.fileno(), TAIL, max(0, size - TAIL)).decode("utf-8", "replace")

    def send(self, line: bytes) -> None:
        """Writes a line to its input. Raises Died where nobody reads."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except (BrokenPipeError, OSError):
            raise self._died() from None

    def close_input(self) -> None:
        """Ends its input."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def line(self) -> bytes:
        """The next line of its output.

        Raises Died where it ends, floods its output or takes too much memory, TooSlow where the
        time is up; it is killed with its children then.
        """
        return self._read(whole=False)

    def everything(self) -> bytes:
        """All of its output, and its end; raises as `line`, and Died for an exit code that is not 0."""
        text = self._read(whole=True)
        code = self._process.wait()
        if code != 0:
            raise Died(_ending(code), self.stderr_tail())
        return text

    def _read(self, *, whole: bool) -> bytes:
        output = self._process.stdout
        assert output is not None
        deadline = time.monotonic() + self.limits.seconds
        looked = time.monotonic()
        self._search_at, self._pause = looked, LOOK
        buffer = bytearray(self._rest)
        self._rest = b""
        searched = 0
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            while True:
                if not whole and (end := buffer.find(b"\n", searched)) >= 0:
                    self._rest = bytes(buffer[end + 1 :])
                    return bytes(buffer[:end])
                searched = len(buffer)
                if len(buffer) > LONGEST_LINE:
                    self.kill()
                    raise Died(f"wrote more than {LONGEST_LINE} bytes without an answer", self.stderr_tail())
                if selector.select(LOOK):
                    chunk = os.read(output.fileno(), 1 << 16)
                    if not chunk:
                        if whole:
                            return bytes(buffer)
                        raise self._died()
                    buffer += chunk
                now = time.monotonic()
                if now > deadline:
                    self.kill()
                    raise TooSlow
                if now - looked > LOOK:
                    looked = now
                    self._look()

    def _look(self) -> None:
        if os.fstat(self._stderr.fileno()).st_size > LONGEST_LINE:
            self.kill()
            raise Died(f"wrote more than {LONGEST_LINE} bytes to standard error", self.stderr_tail())
        taken = self._memory()
        if taken > self.limits.memory:
            self.kill()
            raise Died(f"took {taken >> 20} MB of memory, more than its limit of {self.limits.memory >> 20} MB", "")

    def _family(self) -> list[psutil.Process]:
        with contextlib.suppress(psutil.Error):
            parent = psutil.Process(self._process.pid)
            if not _LISTS_CHILDREN:
                return [parent, *parent.children(recursive=True)]
            family = [parent]
            for pid in _descendants(self._process.pid):
                with contextlib.suppress(psutil.Error):
                    family.append(psutil.Process(pid))
            return family
        return []

    def _memory(self) -> int:
        now = time.monotonic()
        if now >= self._search_at:
            # Less and less often: a child that begins late is seen up to RARELY seconds later.
            self._known = self._family()
            self._search_at, self._pause = now + self._pause, min(2 * self._pause, RARELY)
        total = 0
        for each in self._known:
            with contextlib.suppress(psutil.Error):
                total += each.memory_info().rss
        return total

    def _died(self) -> Died:
        try:
            code = self._process.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            self.kill()
            return Died("closed its output and ran on", self.stderr_tail())
        return Died(_ending(code), self.stderr_tail())

    def kill(self) -> None:
        """Ends it and every process that it started."""
        family = self._family()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for each in family:
            with contextlib.suppress(psutil.Error):
                each.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5.0)

    def close(self, *, at_once: bool = False) -> None:
        """Ends its input, gives it a moment (not `at_once`), then kills what is left."""
        self.close_input()
        if not at_once:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=1.0)
        self.kill()
        self._stderr.close()
        if self._process.stdout is not None:
            self._process.stdout.close()


class Started:
    """Processes that end together, also those that are being started while the others are ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = False
        # Weak: thousands of short-lived processes may be started here, and each is closed by who asked for it.
        self._processes: weakref.WeakSet[Process] = weakref.WeakSet()

    def start(self, command: Sequence[str], environment: Mapping[str, str], limits: Limits) -> Process:
        """A process of its own. Raises OSError where it cannot be started, Died once all are to end."""
        if not self._over:
            process = Process(command, environment, limits)
            with self._lock:
                if not self._over:
                    self._processes.add(process)
                    return process
            process.close(at_once=True)
        raise Died("was ended before it was asked anything", "")

    def kill(self) -> None:
        """Ends every one at once, and lets no other begin."""
        with self._lock:
            self._over = True
            running = [each for each in self._processes if each.alive]
        for each in running:
            each.kill()
