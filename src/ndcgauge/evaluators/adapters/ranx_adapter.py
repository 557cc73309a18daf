"""ranx: `evaluate(Qrels.from_file(…), Run.from_file(…), measures, make_comparable=True)` on the user's files.

Options: `burges` for the exponential gain of `ndcg_burges`. The order of ties is read from the
`Run` that was scored, after it was scored.
"""

from __future__ import annotations

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
GRADED = ("ndcg", "dcg")


def describe() -> dict[str, Any]:
    """Versions of what runs."""
    return {"versions": {name: version(name) for name in ("ranx", "numba", "numpy")}}


def name_of(measure: dict[str, Any], burges: bool) -> str | None:
    """The library's name of a measure (`ndcg@10`, `map-l2`), None where it has none."""
    stem = NAMES.get(measure["stem"])
    if stem is None or (burges and measure["stem"] not in GRADED):
        return None
    settings = measure.get("settings", {})
    if stem == "recall" and settings.get("recall_denominator") == "any":
        stem = "hit_rate"
    if burges:
        stem += "_burges"
    level = f"-l{settings['threshold']}" if "threshold" in settings else ""
    return (stem if measure["cutoff"] is None else f"{stem}@{measure['cutoff']}") + level


def evaluate(request: dict[str, Any]) -> dict[str, Any]:
    """All measures in one call."""
    from ranx import Qrels, Run, evaluate

    names = [name_of(measure, bool(request["options"].get("burges", False))) for measure in request["measures"]]
    asked = sorted({name for name in names if name is not None})
    began = time.monotonic()
    qrels = Qrels.from_file(request["qrels"], kind="trec")
    run = Run.from_file(request["run"], kind="trec")
    loaded = time.monotonic()
    if asked:
        evaluate(qrels, run, asked, make_comparable=True)
    evaluated = time.monotonic()
    reply: dict[str, Any] = {
        "results": [result(run, name) for name in names],
        "load": loaded - began,
        "evaluate": evaluated - loaded,
        **describe(),
    }
    if asked:
        path = Path(request["folder"]) / "order.txt"
        with path.open("w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            file.writelines(" ".join((query, *run.run[query])) + "\n" for query in run.run)
        reply["order_file"] = str(path)
    return reply


def result(run: Any, name: str | None) -> dict[str, Any]:
    """One measure of a run that was scored."""
    if name is None:
        return {"unsupported": "measure", "message": "ranx has no such measure in this variant"}
    return {
        "queries": {query: {"value": float(value)} for query, value in run.scores[name].items()},
        "aggregate": {"value": float(run.mean_scores[name])},
        "decimals": None,
    }
