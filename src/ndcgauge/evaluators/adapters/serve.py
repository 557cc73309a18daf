"""Runs one adapter as a process: reads requests, writes replies, keeps everything else away from both.

    python -P serve.py NAME

NAME is the stem of an adapter beside this file (`sklearn` for `sklearn_adapter.py`). Requests are
JSON objects, one a line, on standard input; replies the same on standard output (see
docs/adapter-protocol.md). Whatever the library prints is caught at the level of file descriptors
and travels in the reply. Standard library only; nothing of ndcgauge is imported, so that this also
runs under another interpreter or beside another version of a library.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import sys
import tempfile
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

SHOWN = 4096
"""Bytes of captured output that travel in a reply."""


def load(name: str) -> ModuleType:
    """The adapter module of that name, by its file: the name of a library is not an import of it."""
    path = Path(__file__).with_name(f"{name}_adapter.py")
    spec = importlib.util.spec_from_file_location(f"{name}_adapter", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"there is no adapter {name}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Captured:
    """File descriptors 1 and 2, led into files while a request is answered."""

    def __init__(self) -> None:
        self.files: list[BinaryIO] = [tempfile.TemporaryFile(), tempfile.TemporaryFile()]  # noqa: SIM115 - open as long as the process
        for file, descriptor in zip(self.files, (1, 2), strict=True):
            os.dup2(file.fileno(), descriptor)

    def take(self) -> tuple[str, str]:
        """What was printed since the last call (its last part), on standard output and standard error."""
        sys.stdout.flush()
        sys.stderr.flush()
        texts: list[str] = []
        for file in self.files:
            size = os.fstat(file.fileno()).st_size
            text = os.pread(file.fileno(), SHOWN, max(0, size - SHOWN))
            os.ftruncate(file.fileno(), 0)
            os.lseek(file.fileno(), 0, os.SEEK_SET)
            texts.append(text.decode("utf-8", "replace"))
        return texts[0], texts[1]


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
        reply = {
            "ok": False,
            "kind": "refused" if getattr(error, "refusal", False) else "crashed",
            "message": f"{type(error).__name__}: {error}" if not getattr(error, "refusal", False) else str(error),
            "traceback": traceback.format_exc(limit=-8),
        }
    reply["wall"] = time.monotonic() - began
    return reply


def main() -> None:
    """Serves until `stop` or the end of input."""
    name = sys.argv[1]
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device, not a path of ours
        os.dup2(nothing.fileno(), 0)
    captured = Captured()
    adapter = load(name)
    for line in requests:
        request = json.loads(line)
        if request.get("op") == "stop":
            break
        reply = answer(adapter, request)
        out, err = captured.take()
        reply.update(id=request.get("id"), python=platform.python_version(), stdout=out, stderr=err)
        replies.write(json.dumps(reply, ensure_ascii=True).encode() + b"\n")
        replies.flush()


if __name__ == "__main__":
    main()
