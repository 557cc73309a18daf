"""An evaluator that speaks the protocol and misbehaves as its first argument says."""

import json
import os
import signal
import sys
import time

way = sys.argv[1]
calls = 0
for line in sys.stdin:
    request = json.loads(line)
    calls += 1
    if way == "hang":
        time.sleep(600)
    if way == "exit":
        sys.exit(0)
    if way == "signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    if way == "garbage":
        print("Evaluating, please wait …", flush=True)
        continue
    if way == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    value = {"nan": "NaN", "zero": 0.0, "moving": 0.5 + calls / 8}.get(way, 1.0)
    results = {
        measure["name"]: {"queries": {"q1": {"value": value}}, "aggregate": {"value": value}, "decimals": None}
        for measure in request["measures"]
    }
    number = -1 if way == "other request" else request["id"]
    reply = {"id": number, "ok": True, "results": results, "versions": {"fake": "1"}}
    if way == "raise":
        reply = {"id": number, "ok": False, "kind": "crashed", "message": "RuntimeError: no"}
    print(json.dumps(reply), flush=True)
