"""The real pairs of ../shared/data that have trusted values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
REASON = "../shared/data is not here"
HAS_NUL = {"fedweb/fw13-ebm25_1", "fedweb/fw13-elm_1"}
"""Runs with NUL bytes: bad input to us, read up to the first one with --on-nul stop."""
REPEATS = {"codec/document-bm25+rm3"}
"""Runs with repeated documents, which trec_eval refuses."""


@dataclass(frozen=True)
class Pair:
    """A qrels and a run with what evaluators gave for them."""

    name: str
    qrels: str
    run: str
    values: dict[str, Any]
    record: dict[str, Any]


def pairs() -> list[Pair]:
    """Every pair with an expected.json entry; none where ../shared is absent."""
    found: list[Pair] = []
    for expected in sorted(SHARED.glob("*/expected.json")):
        folder = expected.parent
        document = json.loads(expected.read_text())
        for name, record in document.get("pairs", {}).items():
            qrels, run = record.get("qrels"), record.get("run")
            if not isinstance(qrels, str) or not isinstance(run, str) or "values" not in record:
                continue
            found.append(
                Pair(f"{folder.name}/{name}", str(folder / qrels), str(folder / run), record["values"], record)
            )
    return found


def every_pair() -> list[tuple[str, str, str]]:
    """Name, qrels and run of every pair that the README of ../shared/data lists, with recorded values or not."""
    found: list[tuple[str, str, str]] = []
    readme = SHARED / "README.md"
    folder, columns = "", list[str]()
    for line in readme.read_text(encoding="utf-8").splitlines() if readme.is_file() else ():
        if line.startswith("## "):
            folder, columns = line.removeprefix("## ").strip(), []
        if not line.startswith("| "):
            continue
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if cells[:3] == ["pair", "run", "qrels"]:
            columns = cells
        elif columns and (SHARED / folder / cells[1]).is_file() and (SHARED / folder / cells[2]).is_file():
            found.append((f"{folder}/{cells[0]}", str(SHARED / folder / cells[2]), str(SHARED / folder / cells[1])))
    return found
