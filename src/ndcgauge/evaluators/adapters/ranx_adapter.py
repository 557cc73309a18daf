"""ranx: `evaluate(Qrels.from_file(…), Run.from_file(…), measures, make_comparable=True)` on the user's files.

The order of ties is read from the `Run` that was scored, after it was scored.
"""

from __future__ import annotations

import json
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

NAMES = {
    "ndcg": "ndcg",
    "dcg": "dcg",
    "ap": "map",
    "rr": "mrr",
    "precision": "precision",
    "recall": "recall",
}


def describe() -> dict[str, Any]:
    """Versions of what runs."""
    return {"versions": {name: version(name) for name in ("ranx", "numba", "numpy")}}


def name_of(measure: dict[str, Any], burges: bool) -> str | None:
    """The library's name of a measure, None where it has none."""
    stem = NAMES.get(measure["stem"])
    if stem is None or (burges and measure["stem"] not in ("ndcg", "dcg")):
        return None
    if measure["stem"] == "recall" and measure["changes"].get("recall_denominator") == "any":
        stem = "hit_rate"
    if burges:
        stem += "_burges"
    return stem if measure["cutoff"] is None else f"{stem}@{measure['cutoff']}"


def evaluate(request: dict[str, Any]) -> dict[str, Any]:
    """All measures in one call."""
    from ranx import Qrels, Run, evaluate

    burges = bool(request["options"].get("burges", False))
    names = {measure["name"]: name_of(measure, burges) for measure in request["measures"]}
    asked = sorted({name for name in names.values() if name is not None})
    began = time.monotonic()
    qrels = Qrels.from_file(request["qrels"], kind="trec")
    run = Run.from_file(request["run"], kind="trec")
    loaded = time.monotonic()
    results: dict[str, Any] = {
        name: {"unsupported": "measure", "message": "ranx has no such measure in this variant"}
        for name, own in names.items()
        if own is None
    }
    if asked:
        evaluate(qrels, run, asked, make_comparable=True)
    for name, own in names.items():
        if own is not None:
            scores = run.scores[own]
            results[name] = {
                "queries": {query: {"value": float(value)} for query, value in scores.items()},
                "aggregate": {"value": float(run.mean_scores[own])},
                "decimals": None,
            }
    evaluated = time.monotonic()
    path = Path(request["folder"]) / "order.jsonl"
    with path.open("w", encoding="utf-8", errors="surrogateescape") as file:
        for query in run.run:
            file.write(json.dumps({"query": query, "docs": list(run.run[query])}) + "\n")
    return {
        "results": results,
        "order_file": str(path) if asked else None,
        "load": loaded - began,
        "evaluate": evaluated - loaded,
        **describe(),
    }
