"""Runs an ndcgauge command line and writes the CPU seconds of the processes that it started and ended: its workers.

What the whole process used, less these, is its own, its start and its end included.

python benchmarks/children_cpu.py FILE ARGUMENT ...
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from ndcgauge.cli.main import main

if __name__ == "__main__":
    note = Path(sys.argv.pop(1))
    try:
        main()
    finally:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        note.write_text(f"{used.ru_utime + used.ru_stime}\n", encoding="utf-8")
