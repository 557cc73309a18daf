"""An `exec:` evaluator whose value is the number of folders that stand beside the one of its request, itself too.

`writes` leaves a file there; `shows` leaves an order there, and names it. Standard library only.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> None:
    mode = sys.argv[1]
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "stop":
            break
        folder = Path(request["folder"])
        count = sum(1 for each in folder.parent.iterdir() if each.is_dir())
        reply = {
            "id": request["id"],
            "ok": True,
            "results": [{"queries": {"q1": {"value": count}}, "aggregate": None}],
            "versions": {},
        }
        written = folder / "order.txt"
        written.write_text("q1 D2 D1\n", encoding="utf-8")
        if mode == "shows":
            reply["order_file"] = str(written)
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
