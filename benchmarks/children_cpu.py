"""Runs an ndcgauge command line and writes the CPU seconds of the processes that it started and ended: its workers.

What the whole process used, less these, is its own, its end included.

python benchmarks/children_cpu.py FILE ARGUMENT ...
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from ndcgauge.cli.main import run

if __name__ == "__main__":
    code = run(sys.argv[2:])
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    Path(sys.argv[1]).write_text(f"{used.ru_utime + used.ru_stime}\n", encoding="utf-8")
    sys.exit(code)
