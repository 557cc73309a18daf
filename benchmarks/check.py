"""How long a whole check of the nine catalogue evaluators takes, beside the start of its slowest library.

    uv run python benchmarks/check.py [FILE.md]

Two figures from one run: the start of each library in a process of its own, one after another (import, and a first
answer on a pair of two lines), and the whole check. The target (issue 4): at most 1.5 times the slowest start plus
10 ms a case and evaluator. Libraries are warm on the disk; ranx has compiled.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from ndcgauge.evaluators.names import catalogue
from ndcgauge.evaluators.processes import Limits
from ndcgauge.evaluators.references import resolve
from ndcgauge.evaluators.workers import Job, Workers
from ndcgauge.jobs.check import check, check_options
from ndcgauge.spec import parse_measure

LIBRARIES = ("sklearn", "ranx", "pyserini")


def start(name: str) -> float:
    with tempfile.TemporaryDirectory() as folder, Workers(Limits(seconds=600)) as workers:
        qrels, run = Path(folder) / "qrels", Path(folder) / "run"
        qrels.write_text("a 0 D1 1\na 0 D2 0\n")
        run.write_text("a Q0 D1 1 2 t\na Q0 D2 2 1 t\n")
        began = time.perf_counter()
        workers.evaluate([resolve(name)], Job(qrels, run, (parse_measure("ndcg@10"),), ("a",)))
        return time.perf_counter() - began


def main() -> None:
    starts = {name: start(name) for name in LIBRARIES}
    load = os.getloadavg()[0]
    began = time.perf_counter()
    report = check(check_options())
    seconds = time.perf_counter() - began
    asked = len(report.cases) * len(catalogue())
    target = 1.5 * max(starts.values()) + 0.010 * asked
    lines = [
        "# Whole check of the nine evaluators",
        "",
        *(f"- start of {name}: {each:.2f} s" for name, each in starts.items()),
        f"- whole check: {seconds:.1f} s; {len(report.cases)} cases, {len(catalogue())} evaluators",
        f"- target, 1.5 x the slowest start + 10 ms a case and evaluator: {target:.1f} s "
        f"({'met' if seconds <= target else 'NOT met'}: {seconds / target:.2f} of it)",
        f"- load average at the beginning: {load:.1f} on {os.cpu_count()} cores",
    ]
    text = "\n".join(lines) + "\n"
    print(text)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text)


if __name__ == "__main__":
    main()
