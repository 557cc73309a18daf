"""Runs one adapter as a process: reads requests, writes replies, keeps everything else away from both.

    python -P serve.py NAME

NAME is the stem of an adapter beside this file (`sklearn` for `sklearn_adapter.py`). Requests are
JSON objects, one a line, on standard input; replies the same on standard output (see
docs/adapter-protocol.md). Whatever the library prints is caught at the level of file descriptors
and travels in the reply. Standard library only; nothing of ndcgauge is imported, so that this also
runs under another interpreter or beside another version of a library.
"""

from __future__ import annotations

import faulthandler
import importlib.util
import json
import math
import os
import platform
import stat
import sys
import tempfile
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any, cast

SHOWN = 4096
"""Bytes of captured output that travel in a reply."""
LIBRARIES = ("sklearn", "ranx", "pyserini")
"""The adapters of the catalogue. What a user's own program or function has to do at its end is not known."""


def load(name: str) -> ModuleType:
    """The adapter module of that name, by its file: the name of a library is not an import of it."""
    path = Path(__file__).with_name(f"{name}_adapter.py")
    spec = importlib.util.spec_from_file_location(f"{name}_adapter", path)
    if spec is None or spec.loader is None or not path.exists():
        raise ImportError(f"there is no adapter {name}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Captured:
    """File descriptors 1 and 2, led into files.

    A standard error that is a file already stays where it is: then what a library says
    when it takes the process with it is still there for who started us.
    """

    def __init__(self) -> None:
        self.ends = {1: 0, 2: 0}
        self.ours: set[int] = set()
        for descriptor in self.ends:
            if descriptor == 2 and stat.S_ISREG(os.fstat(2).st_mode):
                self.ends[2] = os.fstat(2).st_size
                continue
            file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
            os.dup2(file.fileno(), descriptor)
            self.ours.add(descriptor)

    def take(self) -> tuple[str, str]:
        """What was printed since the last call (its last part), on standard output and standard error."""
        sys.stdout.flush()
        sys.stderr.flush()
        return self._since(1), self._since(2)

    def _since(self, descriptor: int) -> str:
        begin, end = self.ends[descriptor], os.fstat(descriptor).st_size
        self.ends[descriptor] = end
        try:
            text = os.pread(descriptor, min(SHOWN, end - begin), max(begin, end - SHOWN)).decode("utf-8", "replace")
        except OSError:
            return ""
        if descriptor in self.ours:
            # Of hundreds of requests only the last one's output is kept on the disk.
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            self.ends[descriptor] = 0
        return text


def answer(adapter: ModuleType, request: dict[str, Any]) -> dict[str, Any]:
    """The reply to one request; every exception, `sys.exit` too, is a reply."""
    began = time.monotonic()
    reply: dict[str, Any]
    try:
        match request.get("op"):
            case "describe":
                reply = {"ok": True, **adapter.describe()}
            case "evaluate":
                reply = {"ok": True, **adapter.evaluate(request)}
            case other:
                reply = {"ok": False, "kind": "crashed", "message": f"unknown request {other!r}"}
    except SystemExit as stop:
        reply = {"ok": False, "kind": "crashed", "message": f"called sys.exit({stop.code!r})"}
    except BaseException as error:  # noqa: BLE001 - whatever a library raises is its answer
        refused = getattr(error, "refusal", False)
        reply = {
            "ok": False,
            "kind": "refused" if refused else "crashed",
            "message": str(error) if refused else f"{type(error).__name__}: {error}",
            "traceback": traceback.format_exc(limit=-8),
        }
    reply["wall"] = time.monotonic() - began
    return reply


def plain(value: Any) -> Any:
    """The value in standard JSON: NaN and infinities, which it lacks, as the texts `NaN`, `Infinity`, `-Infinity`."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: plain(each) for key, each in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [plain(each) for each in cast("list[Any]", value)]
    return value


def main() -> None:
    """Serves until `stop` or the end of input."""
    name = sys.argv[1]
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device, not a path of ours
        os.dup2(nothing.fileno(), 0)
    captured = Captured()
    faulthandler.enable()
    adapter = load(name)
    for line in requests:
        request = json.loads(line)
        if request.get("op") == "stop":
            break
        reply = plain(answer(adapter, request))
        out, err = captured.take()
        reply.update(id=request.get("id"), python=platform.python_version(), stdout=out, stderr=err)
        replies.write(json.dumps(reply, ensure_ascii=True, allow_nan=False).encode() + b"\n")
        replies.flush()
    if name in LIBRARIES:
        # To let go of millions of ids one by one takes a second, and nothing of ours is left to be done.
        os._exit(0)


if __name__ == "__main__":
    main()
