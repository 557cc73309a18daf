"""An `exec:` evaluator that misbehaves in the way that its first argument says. Standard library only."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any


def queries(path: str) -> list[str]:
    """The judged queries, in the order of the file."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return list(dict.fromkeys(line.split()[0] for line in lines))


def reply(request: dict[str, Any], values: dict[str, Any], **more: Any) -> None:
    """Writes a well-formed reply with one value a query for every measure."""
    rows = {query: {"value": value} for query, value in values.items()}
    results = [{"queries": rows, "aggregate": None, "decimals": None} for _ in request["measures"]]
    say({"id": request["id"], "ok": True, "results": results, "versions": {"fake": "1"}, **more})


def say(message: object) -> None:
    print(json.dumps(message), flush=True)


def misbehave(mode: str, request: dict[str, Any], count: int) -> None:
    names = queries(request["qrels"])
    right = {query: (i + 1) / 10 for i, query in enumerate(names)}
    match mode:
        case "right":
            reply(request, right)
        case "zero":
            reply(request, dict.fromkeys(names, 0.0))
        case "swapped":
            reply(request, dict(zip(names, reversed(list(right.values())), strict=True)))
        case "nan":
            reply(request, dict.fromkeys(names, "NaN"))
        case "bare-nan":
            reply(request, dict.fromkeys(names, float("nan")))
        case "nondeterministic":
            reply(request, dict.fromkeys(names, count / 10))
        case "fails":
            failure = {"kind": "crashed", "message": "ValueError: no", "traceback": "line 1"}
            printed = {"stdout": "to standard output", "stderr": "to standard error"}
            say({"id": request["id"], "ok": False, **failure, **printed})
        case "refuses":
            say({"id": request["id"], "ok": False, "kind": "refused", "message": "not this run"})
        case "one-row":
            reply(request, {names[0]: 0.5, "nobody asked": 0.25})
        case "mixed":
            rows: dict[str, Any] = {names[0]: {"value": 0.5}, names[1]: {"refused": "too short"}}
            say({"id": request["id"], "ok": True, "results": [{"queries": rows}] * len(request["measures"])})
        case "raise":
            sys.stderr.write("something went wrong inside\n")
            raise RuntimeError("unhandled")
        case "exit":
            sys.exit(0)
        case "signal":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "hang":
            time.sleep(600)
        case "hang-with-child":
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
            Path(os.environ["FAKE_CHILD"]).write_text(str(child.pid), encoding="utf-8")
            time.sleep(600)
        case "garbage":
            print("Evaluating... done!", flush=True)
        case "binary":
            sys.stdout.buffer.write(b"\xff\x00\xfe\n")
            sys.stdout.flush()
        case "flood":
            while True:
                sys.stdout.write("x" * (1 << 20))
        case "chatter":
            print("a progress bar", flush=True)
            reply(request, right)
        case "another-id":
            say({"id": -1, "ok": True, "results": []})
        case "no-results":
            say({"id": request["id"], "ok": True})
        case "too-few":
            say({"id": request["id"], "ok": True, "results": []})
        case "no-outcome":
            reply(request, dict.fromkeys(names, "0.5"))
        case "number-for-all":
            say({"id": request["id"], "ok": True, "results": [{"value": 0.5} for _ in request["measures"]]})
        case "boolean":
            reply(request, dict.fromkeys(names, True))
        case "huge-integer":
            reply(request, dict.fromkeys(names, 10**400))
        case "odd-fields":
            reply(request, right, load="soon", evaluate=-1, stdout=7, python=None)
        case "order-elsewhere":
            reply(request, right, order_file="/nonexistent/order")
        case "order-garbage":
            path = Path(request["folder"]) / "order"
            path.write_text("q1 D1  D2\n", encoding="utf-8")
            reply(request, right, order_file=str(path))
        case "memory":
            taken = bytearray(400 << 20)
            time.sleep(600)
            del taken
        case "closes":
            os.close(1)
            time.sleep(600)
        case _:
            raise SystemExit(f"no such mode: {mode}")


def main() -> None:
    for count, line in enumerate(sys.stdin):
        request = json.loads(line)
        if request["op"] == "stop":
            break
        if request["op"] == "describe":
            say({"id": request["id"], "ok": True, "versions": {"fake": "1"}})
        else:
            misbehave(sys.argv[1], request, count)


if __name__ == "__main__":
    main()
