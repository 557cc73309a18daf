"""scikit-learn: `ndcg_score`, `dcg_score`, `average_precision_score`, one call a query, on arrays built here.

Options: `documents` says which documents the arrays hold (`union`: judged and retrieved,
`retrieved`: retrieved alone, `padded`: union with k documents of grade 0 between the last
retrieved one and the judged ones that the run lacks); `ignore_ties` is passed on.

A judged query that the run lacks is not passed to the library: it has no row, and counts 0 in the
mean, which is taken here. There is no mean where the library refused a query.
"""

from __future__ import annotations

import math
import os
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

Table = dict[str, dict[str, float]]
TABLES: dict[tuple[Any, ...], Table] = {}
"""What was read last, by path, columns, time and size: several ids of this library read the same files."""
KEPT = 4


def describe() -> dict[str, Any]:
    """Versions of what runs."""
    return {"versions": {name: version(name) for name in ("scikit-learn", "numpy", "scipy")}}


def table_of(path: str, doc: int, number: int) -> Table:
    """`read`, kept for the next request."""
    state = os.stat(path)  # noqa: PTH116 - the path comes as text
    key = (path, doc, number, state.st_mtime_ns, state.st_size, state.st_ino)
    if key not in TABLES:
        while len(TABLES) >= KEPT:
            del TABLES[next(iter(TABLES))]
        TABLES[key] = read(path, doc, number)
    return TABLES[key]


def read(path: str, doc: int, number: int) -> Table:
    """Query to document to number, from a TREC file; a repeated document keeps its last line.

    White space is C's isspace, as for `bytes.split`; ids are the file's bytes. Raises ValueError for a line that lacks
    one of the columns or has no number there.
    """
    table: Table = {}
    query, rows, last = b"", dict[str, float](), max(doc, number)
    with open(path, "rb") as file:  # noqa: PTH123 - the path comes as text
        for count, line in enumerate(file, start=1):
            if line.startswith(b"#"):
                continue
            fields = (line.removeprefix(b"\xef\xbb\xbf") if count == 1 else line).split()
            if len(fields) <= last:
                if not fields:
                    continue
                raise ValueError(f"{path}: line {count} has {len(fields)} columns")
            if fields[0] != query:
                query = fields[0]
                rows = table.setdefault(query.decode("utf-8", "surrogateescape"), {})
            rows[fields[doc].decode("utf-8", "surrogateescape")] = float(fields[number])
    return table


def arrays(
    judged: dict[str, float], retrieved: dict[str, float], documents: str, cutoff: int | None
) -> tuple[list[str | None], list[float], list[float]]:
    """Documents (None for padding), grades and scores of one query."""
    docs: list[str | None] = list(retrieved)
    truth = [judged.get(doc, 0.0) for doc in retrieved]
    scores = list(retrieved.values())
    if documents == "retrieved":
        return docs, truth, scores
    # The next smaller numbers: below every score of the run, whatever its size.
    below = math.nextafter(min(scores), -math.inf)
    if documents == "padded" and cutoff is not None:
        docs += [None] * cutoff
        truth += [0.0] * cutoff
        scores += [below] * cutoff
    missing = [doc for doc in judged if doc not in retrieved]
    docs += missing
    truth += [judged[doc] for doc in missing]
    scores += [math.nextafter(below, -math.inf)] * len(missing)
    return docs, truth, scores


def binary_arrays(
    judged: dict[str, float], retrieved: dict[str, float], threshold: float
) -> tuple[list[int], list[float]]:
    """Relevance and scores of one query for AP: what the run lacks stands last, untied, by falling id."""
    truth = [int(doc in judged and judged[doc] >= threshold) for doc in retrieved]
    scores = list(retrieved.values())
    missing = [doc for doc in judged if doc not in retrieved]
    missing.sort(key=lambda doc: doc.encode("utf-8", "surrogateescape"), reverse=True)
    below = min(scores)
    for doc in missing:
        below = math.nextafter(below, -math.inf)
        truth.append(int(judged[doc] >= threshold))
        scores.append(below)
    return truth, scores


class Scorer:
    """One measure on one query after another."""

    def __init__(self, measure: dict[str, Any], options: dict[str, Any]) -> None:
        self.stem, self.cutoff = measure["stem"], measure["cutoff"]
        self.threshold = float(measure.get("settings", {}).get("threshold", 1))
        self.documents = options.get("documents", "union")
        self.ignore_ties = bool(options.get("ignore_ties", False))
        self.order: list[str] | None = None
        """The order that the last query was scored in, where the library breaks ties by sorting."""

    def unsupported(self) -> dict[str, Any] | None:
        """Why this measure cannot be asked for."""
        if self.stem not in ("ndcg", "dcg", "ap"):
            return {"unsupported": "measure", "message": "scikit-learn is called for nDCG, DCG and AP"}
        if self.stem == "ap" and (self.cutoff is not None or self.documents != "union" or self.ignore_ties):
            return {"unsupported": "cutoff", "message": "average_precision_score takes whole arrays"}
        if self.documents == "padded" and self.cutoff is None:
            message = "padding needs a cutoff: it puts k documents after the last retrieved one"
            return {"unsupported": "cutoff", "message": message}
        return None

    def score(self, judged: dict[str, float], retrieved: dict[str, float]) -> float:
        """The library's value of one query; whatever it raises."""
        import numpy as np
        from sklearn.metrics import average_precision_score, dcg_score, ndcg_score

        if self.stem == "ap":
            relevant, falling = binary_arrays(judged, retrieved, self.threshold)
            return float(average_precision_score(np.array(relevant), np.array(falling)))
        docs, truth, scores = arrays(judged, retrieved, self.documents, self.cutoff)
        y_true, y_score = np.array([truth]), np.array([scores])
        function = ndcg_score if self.stem == "ndcg" else dcg_score
        value = float(function(y_true, y_score, k=self.cutoff, ignore_ties=self.ignore_ties))
        if self.ignore_ties:
            # The library's own expression on the same array: what its unstable sort leaves.
            ranking = np.argsort(y_score)[:, ::-1][0]
            self.order = [doc for i in ranking.tolist() if (doc := docs[i]) is not None]
        return value


def evaluate(request: dict[str, Any]) -> dict[str, Any]:
    """Every measure on every judged query."""
    import sklearn.metrics  # noqa: F401 - now, so that it counts neither as loading nor as evaluating

    began = time.monotonic()
    qrels = table_of(request["qrels"], 2, 3)
    run = table_of(request["run"], 2, 4)
    loaded = time.monotonic()
    results: list[dict[str, Any]] = []
    orders: dict[str, list[str]] = {}
    for measure in request["measures"]:
        scorer = Scorer(measure, request["options"])
        results.append(scorer.unsupported() or scored(scorer, qrels, run, orders))
    reply = {"results": results, "load": loaded - began, "evaluate": time.monotonic() - loaded, **describe()}
    if orders:
        path = Path(request["folder"]) / "order.txt"
        with path.open("w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            file.writelines(" ".join((query, *docs)) + "\n" for query, docs in orders.items())
        reply["order_file"] = str(path)
    return reply


def scored(scorer: Scorer, qrels: Table, run: Table, orders: dict[str, list[str]]) -> dict[str, Any]:
    """One measure: a row for each query that both files have, and the mean over the judged ones."""
    queries: dict[str, Any] = {}
    total, refused = 0.0, False
    for query in sorted(qrels, key=lambda text: text.encode("utf-8", "surrogateescape")):
        if query not in run:
            continue
        try:
            value = scorer.score(qrels[query], run[query])
        except ValueError as error:
            queries[query] = {"refused": str(error)}
            refused = True
            continue
        queries[query] = {"value": value}
        total += value
        if scorer.order is not None:
            orders[query] = scorer.order
    mean = None if refused or not qrels else {"value": total / len(qrels)}
    return {"queries": queries, "aggregate": mean, "decimals": None}
