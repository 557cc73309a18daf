"""The plain command lines of `score`, understood without typer.

typer and what it checks arguments with take longer to import than fifty queries to score, and
`score` is what scripts call thousands of times. A line is plain if every flag is written out as in
FLAGS and OPTIONS with its value behind it; whatever else stands in a line (`--help`, `--flag=value`,
`-qc`, a mistake) is left to typer, which has the last word. A test holds the two together.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ndcgauge.cli.scoring import FORMS

FLAGS: Mapping[str, str] = {
    "-c": "complete",
    "--complete": "complete",
    "-q": "per_query",
    "--per-query": "per_query",
    "--no-progress": "no_progress",
    "--quiet": "quiet",
    "--verbose": "verbose",
}
OPTIONS: Mapping[str, str] = {
    "--baseline": "baseline",
    "-f": "form",
    "--format": "form",
    "--on-duplicate": "on_duplicate",
    "--on-nul": "on_nul",
    "--qrels-format": "qrels_format",
    "--run-format": "run_format",
    "--max-bytes": "max_bytes",
}
REPEATABLE: Mapping[str, str] = {
    "-m": "measure",
    "--measure": "measure",
    "--set": "sets",
    "-o": "output",
    "--output": "output",
}
CHOICES: Mapping[str, Sequence[str]] = {
    "form": FORMS,
    "on_duplicate": ("error", "first", "last", "all"),
    "on_nul": ("error", "stop", "keep"),
}


def understood(arguments: Sequence[str]) -> dict[str, Any] | None:
    """The arguments of `print_scores` in what stands behind `score`; None where typer has to look at it."""
    if "_NDCGAUGE_COMPLETE" in os.environ:
        return None
    found: dict[str, Any] = {}
    lists: dict[str, list[str]] = {}
    files: list[str] = []
    rest = iter(arguments)
    for word in rest:
        if not word.startswith("-") or word == "-":
            files.append(word)
        elif word in FLAGS:
            found[FLAGS[word]] = True
        else:
            value = next(rest, None)
            if value is None or value.startswith("-"):
                return None
            if word in REPEATABLE:
                lists.setdefault(REPEATABLE[word], []).append(value)
            elif word in OPTIONS and value in CHOICES.get(OPTIONS[word], (value,)):
                found[OPTIONS[word]] = value
            else:
                return None
    if len(files) < 2:
        return None
    return {"qrels": files[0], "runs": files[1:], **found, **lists}
