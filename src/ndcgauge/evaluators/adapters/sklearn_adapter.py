"""scikit-learn: `ndcg_score` and `dcg_score`, one call a query, on arrays that this script builds.

Options: `documents` says which documents the arrays hold (`union`: judged and retrieved,
`retrieved`: retrieved alone, `padded`: union with k documents of grade 0 between the last
retrieved one and the judged ones that the run lacks); `ignore_ties` is passed on.
"""

from __future__ import annotations

import json
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

WHITE = bytes.maketrans(b"\t\n\v\f\r", b"     ")


def describe() -> dict[str, Any]:
    """Versions of what runs."""
    return {"versions": {name: version(name) for name in ("scikit-learn", "numpy", "scipy")}}


def read(path: str, columns: tuple[int, int]) -> dict[str, dict[str, float]]:
    """Query to document to number, from a TREC file; a repeated document keeps its last line.

    White space is C's, ids are the file's bytes.
    """
    table: dict[str, dict[str, float]] = {}
    doc, number = columns
    with open(path, "rb") as file:  # noqa: PTH123 - the path comes as text
        for count, line in enumerate(file):
            if line.startswith(b"#"):
                continue
            fields = (line.removeprefix(b"\xef\xbb\xbf") if count == 0 else line).translate(WHITE).split(b" ")
            fields = [field for field in fields if field]
            if fields:
                query = fields[0].decode("utf-8", "surrogateescape")
                table.setdefault(query, {})[fields[doc].decode("utf-8", "surrogateescape")] = float(fields[number])
    return table


def arrays(judged: dict[str, float], retrieved: dict[str, float], documents: str, cutoff: int | None) -> Any:
    """Documents (None for padding), grades and scores of one query."""
    docs: list[str | None] = list(retrieved)
    truth = [judged.get(doc, 0.0) for doc in retrieved]
    scores = list(retrieved.values())
    if documents == "retrieved":
        return docs, truth, scores
    lowest = min(scores)
    step = abs(lowest) + 1.0
    if documents == "padded":
        docs += [None] * (cutoff or 0)
        truth += [0.0] * (cutoff or 0)
        scores += [lowest - step] * (cutoff or 0)
    missing = [doc for doc in judged if doc not in retrieved]
    docs += missing
    truth += [judged[doc] for doc in missing]
    scores += [lowest - 2 * step] * len(missing)
    return docs, truth, scores


def evaluate(request: dict[str, Any]) -> dict[str, Any]:
    """Every measure on every judged query."""
    import numpy as np
    from sklearn.metrics import dcg_score, ndcg_score

    options = request["options"]
    documents, ignore_ties = options.get("documents", "union"), bool(options.get("ignore_ties", False))
    began = time.monotonic()
    qrels = read(request["qrels"], (2, 3))
    run = read(request["run"], (2, 4))
    loaded = time.monotonic()
    functions = {"ndcg": ndcg_score, "dcg": dcg_score}
    results: dict[str, Any] = {}
    orders: dict[str, list[str]] = {}
    for measure in request["measures"]:
        function, cutoff = functions.get(measure["stem"]), measure["cutoff"]
        if function is None:
            results[measure["name"]] = {"unsupported": "measure", "message": "scikit-learn is called for nDCG and DCG"}
            continue
        if documents == "padded" and cutoff is None:
            message = "padding needs a cutoff: it puts k documents after the last retrieved one"
            results[measure["name"]] = {"unsupported": "cutoff", "message": message}
            continue
        queries: dict[str, Any] = {}
        total, refused = 0.0, False
        for query in sorted(qrels, key=lambda text: text.encode("utf-8", "surrogateescape")):
            if query not in run:
                queries[query] = {"value": 0.0}
                continue
            docs, truth, scores = arrays(qrels[query], run[query], documents, cutoff)
            y_score = np.array([scores])
            try:
                value = float(function(np.array([truth]), y_score, k=cutoff, ignore_ties=ignore_ties))
            except ValueError as error:
                queries[query] = {"refused": str(error)}
                refused = True
                continue
            queries[query] = {"value": value}
            total += value
            if ignore_ties and query not in orders:
                # The library's own line of code, on the same array: what its unstable sort leaves.
                ranking = np.argsort(y_score)[:, ::-1][0]
                orders[query] = [docs[i] for i in ranking.tolist() if docs[i] is not None]
        mean = None if refused or not qrels else {"value": total / len(qrels)}
        results[measure["name"]] = {"queries": queries, "aggregate": mean, "decimals": None}
    reply = {"results": results, "load": loaded - began, "evaluate": time.monotonic() - loaded, **describe()}
    if ignore_ties:
        path = Path(request["folder"]) / "order.jsonl"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps({"query": query, "docs": docs}) + "\n" for query, docs in orders.items())
        reply["order_file"] = str(path)
    return reply
