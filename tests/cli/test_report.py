from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ndcgauge.cli.main import run

EXAMPLE = Path(__file__).parents[2] / "reports" / "worked-example.json"
COMMAND = [sys.executable, "-m", "ndcgauge.cli.main", "report", str(EXAMPLE)]


def test_files_are_there_although_nobody_reads_standard_output(tmp_path: Path) -> None:
    """As `| head` does: the reading end is closed before the first byte is written."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        subprocess.run([*COMMAND, "-o", str(tmp_path / "x.md")], stdout=writing, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writing)
    assert (tmp_path / "x.md").read_text("utf-8") == EXAMPLE.with_suffix(".md").read_text("utf-8")


def test_a_caller_keeps_its_collector_of_garbage(capfd: pytest.CaptureFixture[str]) -> None:
    before = gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()
    assert run(["report", str(EXAMPLE), "-f", "json"]) == 0
    assert capfd.readouterr().out
    # Else what callers leave, arrays with it, would never be let go.
    assert (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()) == before
