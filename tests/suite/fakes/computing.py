"""An evaluator for tests: speaks the protocol, computes any specification, by the reference of ndcgauge.

    python computing.py [--mixed | --random] [--measures ndcg,ap] [--decimals N] [axis=value ...]

`--mixed` keeps the order of lines in ties of queries with fewer than 16 documents, and puts longer ones into
an order of its own (the same at every call); `--random` breaks ties anew at every call.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ndcgauge.data.collection import Needs
from ndcgauge.data.reading import read_collection
from ndcgauge.data.sources import open_source
from ndcgauge.errors import NdcgaugeError
from ndcgauge.reference import Evaluation, ObservedOrder
from ndcgauge.spec import AXES, MetricSpec

Order = Callable[[str, list[Any]], list[Any]]
"""Query and its lines, best first with ties by line, to the lines in the evaluator's own order."""


def needs(spec: MetricSpec) -> Needs:
    minimum, unretrieved = spec["min_score"], spec["unretrieved"]
    return Needs(
        frozenset() if minimum == "none" else frozenset({float(minimum)}),
        frozenset({float(unretrieved.removeprefix("score:"))}) if unretrieved.startswith("score:") else frozenset(),
    )


def spec_of(stem: str, cutoff: int | None, changes: Mapping[str, str]) -> MetricSpec:
    """The `trec_eval` preset with the changes that the measure has an axis for."""
    axes = {axis: value for axis, value in changes.items() if stem in AXES[axis].measures}
    return MetricSpec.of(stem, {"cutoff": "none" if cutoff is None else str(cutoff), **axes})


def computed(
    qrels: Path, run: Path, spec: MetricSpec, order: Order | None = None, decimals: int | None = None
) -> tuple[dict[str, float], float]:
    """Rows of the queries that count, and the mean. Raises NdcgaugeError where the files are to be refused."""
    collection = read_collection(
        open_source(qrels), open_source(run), needs=needs(spec), on_duplicate="all", on_nul=spec["nul"]
    ).collection
    orders: dict[str, ObservedOrder] = {}
    if order is not None:
        lists = collection.lists([q for q, here in zip(collection.queries, collection.in_run, strict=True) if here])
        docs = {query: [each.doc for each in order(query, list(lines))] for query, lines in lists.items()}
        shown = ObservedOrder(collection, spec["run_duplicates"], docs)
        orders[shown.digest] = shown
        spec = spec.replace(ties=f"observed:{shown.digest}")
    values, counted, mean = Evaluation(collection, orders).score(spec)
    rows = {str(q): float(v) for q, v, here in zip(collection.queries, values, counted, strict=True) if here}
    if decimals is not None:
        rows = {query: float(format(value, f".{decimals}f")) for query, value in rows.items()}
        mean = float(format(mean, f".{decimals}f"))
    return rows, mean


def mixed(query: str, lines: list[Any]) -> list[Any]:
    """Input order below 16 documents, arbitrary (but the same at every call) above."""
    falling = sorted(lines, key=lambda each: -each.score)
    if len(lines) < 16:
        return falling
    return sorted(lines, key=lambda each: (-each.score, hashlib.sha256(each.doc.encode()).digest()))


def random_order(query: str, lines: list[Any]) -> list[Any]:
    random = np.random.default_rng()
    return sorted(lines, key=lambda each: (-each.score, random.random()))


def plain(number: float) -> float | str:
    return number if math.isfinite(number) else "NaN" if math.isnan(number) else str(number)


def result(request: dict[str, Any], measure: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    stem = measure["stem"]
    if options.measures and stem not in options.measures.split(","):
        return {"unsupported": "measure", "message": f"no {stem} here"}
    spec = spec_of(stem, measure["cutoff"], dict(each.split("=", 1) for each in options.changes))
    order = mixed if options.mixed else random_order if options.random else None
    try:
        rows, mean = computed(Path(request["qrels"]), Path(request["run"]), spec, order, options.decimals)
    except NdcgaugeError as error:
        return {"refused": error.message}
    return {
        "queries": {query: {"value": plain(value)} for query, value in rows.items()},
        "aggregate": {"value": plain(mean)},
        "decimals": options.decimals if options.tells else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mixed", action="store_true")
    parser.add_argument("--random", action="store_true")
    parser.add_argument("--measures")
    parser.add_argument("--decimals", type=int)
    parser.add_argument("--tells", action="store_true", help="says how many decimals it prints")
    parser.add_argument("changes", nargs="*")
    options = parser.parse_args()
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "stop":
            break
        reply: dict[str, Any] = {"id": request["id"], "ok": True, "versions": {"computing": "1.0"}}
        if request["op"] == "evaluate":
            reply["results"] = [result(request, each, options) for each in request["measures"]]
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
