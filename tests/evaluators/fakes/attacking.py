"""An `exec:` evaluator that attacks its caller in the way that its first argument says. Standard library only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any


def answer(request: dict[str, Any], number: int | None = None) -> None:
    """A well-formed reply: 0.5 for every query of the qrels."""
    lines = Path(request["qrels"]).read_text(encoding="utf-8").splitlines()
    rows = {line.split()[0]: {"value": 0.5} for line in lines}
    results = [{"queries": rows, "aggregate": None, "decimals": None} for _ in request["measures"]]
    reply = {"id": request["id"] if number is None else number, "ok": True, "results": results, "versions": {}}
    print(json.dumps(reply), flush=True)


def note(pid: int) -> None:
    """Tells the test the number of a process."""
    with Path(os.environ["ATTACK_NOTES"]).open("a", encoding="utf-8") as notes:
        notes.write(f"{pid}\n")


def attack(mode: str, request: dict[str, Any], previous: int | None) -> None:
    match mode:
        case "gigabyte":
            piece = "x" * (1 << 20)
            for _ in range(1024):
                sys.stdout.write(piece)
            answer(request)
        case "gigabyte-of-errors":
            piece = "x" * (1 << 20)
            for _ in range(1024):
                sys.stderr.write(piece)
            time.sleep(600)
        case "trickle":
            while True:
                sys.stdout.write("{")
                sys.stdout.flush()
                time.sleep(0.05)
        case "forks":
            for _ in range(20):
                child = os.fork()
                if child == 0:
                    time.sleep(600)
                    os._exit(0)
                note(child)
            answer(request)
        case "forks-and-hangs":
            for _ in range(20):
                child = os.fork()
                if child == 0:
                    time.sleep(600)
                    os._exit(0)
                note(child)
            time.sleep(600)
        case "zombie":
            child = subprocess.Popen(["true"])
            note(child.pid)
            # Never waited for.
            child.returncode = 0
            answer(request)
        case "earlier-request":
            answer(request, request["id"] if previous is None else previous)
        case "half-a-reply":
            sys.stdout.write(json.dumps({"id": request["id"], "ok": True})[:10])
            sys.stdout.flush()
            os._exit(0)
        case "two-replies":
            answer(request)
            answer(request)
        case "wrong-queries":
            reply = {"id": request["id"], "ok": True, "results": [{"queries": {"no such query": {"value": 1.0}}}]}
            print(json.dumps(reply), flush=True)
        case "deep":
            print("[" * 200_000, flush=True)
        case "hang":
            note(os.getpid())
            time.sleep(600)
        case _:
            raise SystemExit(f"no such mode: {mode}")


def main() -> None:
    previous = None
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "stop":
            break
        attack(sys.argv[1], request, previous)
        previous = request["id"]


if __name__ == "__main__":
    main()
