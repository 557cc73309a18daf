"""Memory of the tool and of its evaluators while one call goes through many runs.

    python benchmarks/runs.py [--numbers 50 500] [--evaluators sklearn ranx pyserini]

Each run has 50 queries with 100 documents, about ten of them judged. A call is watched from outside, ten times a
second: resident memory of the tool and of each process below it, open files of the tool, files below its temporary
folders. Prints a line a call and process. `--verb score` watches `score`, without evaluators.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psutil

QUERIES, DOCS, JUDGED = 50, 100, 40


def make(folder: Path, number: int) -> tuple[Path, list[Path]]:
    """Qrels and `number` runs, each in an order of its own; scores of one decimal make ties."""
    qrels, runs = folder / "qrels", [folder / f"run{each:03d}" for each in range(number)]
    random = Random(7)
    lines = [
        f"q{query} 0 d{doc} {random.choice((0, 0, 1, 1, 2, 3))}\n"
        for query in range(QUERIES)
        for doc in random.sample(range(4 * DOCS), JUDGED)
    ]
    qrels.write_text("".join(lines), encoding="utf-8")
    for path in runs:
        text: list[str] = []
        for query in range(QUERIES):
            docs = random.sample(range(4 * DOCS), DOCS)
            scores = sorted((round(random.random() * 20, 1) for _ in docs), reverse=True)
            text += [
                f"q{query} Q0 d{doc} {rank} {score} t\n"
                for rank, (doc, score) in enumerate(zip(docs, scores, strict=True), 1)
            ]
        path.write_text("".join(text), encoding="utf-8")
    return qrels, runs


@dataclass
class Watched:
    """Peaks of one call."""

    memory: dict[str, int] = field(default_factory=dict[str, int])
    """Name of the process to bytes."""
    files: int = 0
    """Below the temporary folders."""
    handles: int = 0
    """Open files of the tool."""
    seconds: float = 0.0


def title(process: psutil.Process, tool: int) -> str:
    """`tool`, the name of an adapter's library, or that of the program."""
    if process.pid == tool:
        return "tool"
    words = process.cmdline()
    return words[-1] if any(word.endswith("serve.py") for word in words) else f"below it: {process.name()}"


def watch(command: list[str], temporary: Path) -> Watched:
    """Runs the command and looks at it until it ends. Raises SystemExit where it fails."""
    found = Watched()
    began = time.monotonic()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with (
        tempfile.TemporaryFile() as told,
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=told, env=environment) as process,
    ):
        tool = psutil.Process(process.pid)
        while process.poll() is None:
            try:
                for each in (tool, *tool.children(recursive=True)):
                    name = title(each, tool.pid)
                    found.memory[name] = max(found.memory.get(name, 0), each.memory_info().rss)
                found.handles = max(found.handles, tool.num_fds())
            except psutil.Error:
                # It ended between two looks.
                pass
            found.files = max(found.files, sum(1 for each in temporary.rglob("*") if each.is_file()))
            time.sleep(0.1)
        if process.returncode != 0:
            told.seek(0)
            raise SystemExit(f"exit {process.returncode}: {told.read().decode(errors='replace')[-2000:]}")
    found.seconds = time.monotonic() - began
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numbers", nargs="+", type=int, default=[50, 500])
    parser.add_argument("--evaluators", nargs="+", default=["sklearn", "ranx", "pyserini"])
    parser.add_argument("--verb", choices=["compare", "score"], default="compare")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        qrels, runs = make(folder, max(asked.numbers))
        for number in asked.numbers:
            temporary = folder / f"tmp{number}"
            temporary.mkdir()
            output = folder / "report.json"
            command = [sys.executable, "-m", "ndcgauge.cli.main", asked.verb, str(qrels), *map(str, runs[:number])]
            if asked.verb == "compare":
                command += [word for each in asked.evaluators for word in ("-e", each)]
            found = watch([*command, "-o", str(output), "--quiet"], temporary)
            left = sum(1 for each in temporary.rglob("*"))
            print(
                f"{asked.verb}, {number} runs: {found.seconds:.0f} s, document {output.stat().st_size / 1e6:.1f} MB, "
                f"open files {found.handles}, temporary files {found.files}, left {left}"
            )
            for process, peak in found.memory.items():
                print(f"  {process}: {peak / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
