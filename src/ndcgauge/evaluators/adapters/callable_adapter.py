"""A Python function as an evaluator: `python -P serve.py callable MODULE:FUNCTION`, in the folder of the module.

The function is called once for each measure, as

    function(qrels, run, measure) -> {query: value}

with `qrels` and `run` as `{query: {document: number}}` (grades as `int` where they are whole numbers, scores as
`float`) and `measure` as a name such as `ndcg@10`; or as `function(request)` with a request of
docs/adapter-protocol.md, if it takes one argument: then it returns what a reply holds. A value of None says that it
refuses the query; `{"queries": {...}, "mean": x}` gives a mean of its own. An exception is its answer for the measure.
NotImplementedError says that it does not have the measure.
"""

from __future__ import annotations

import importlib
import inspect
import math
import os
import sys
import time
from collections.abc import Callable
from typing import Any

WHITE = bytes.maketrans(b"\t\n\v\f\r", b"     ")


def function() -> Callable[..., Any]:
    """The function that the command line names."""
    module, colon, name = sys.argv[2].partition(":")
    if not colon:
        raise ValueError(f"{sys.argv[2]!r} is not MODULE:FUNCTION")
    if os.getcwd() not in sys.path:  # noqa: PTH109 - the text is what the path holds
        sys.path.insert(0, os.getcwd())  # noqa: PTH109
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def describe() -> dict[str, Any]:
    """The version that the module states, where it does."""
    package = sys.argv[2].partition(":")[0].partition(".")[0]
    version = getattr(sys.modules.get(package), "__version__", None)
    return {"versions": {package: str(version)} if version is not None else {}}


def read(path: str, doc: int, number: int) -> dict[str, dict[str, float]]:
    """Query to document to number, from a TREC file; a repeated document keeps its last line."""
    table: dict[str, dict[str, float]] = {}
    with open(path, "rb") as file:  # noqa: PTH123 - the path comes as text
        for count, line in enumerate(file, start=1):
            if line.startswith(b"#"):
                continue
            fields = [each for each in line.removeprefix(b"\xef\xbb\xbf").translate(WHITE).split(b" ") if each]
            if not fields:
                continue
            if len(fields) <= max(doc, number):
                raise ValueError(f"line {count} has {len(fields)} columns")
            value = float(fields[number])
            if not math.isfinite(value):
                raise ValueError(f"line {count} has the number {value}")
            texts = [each.decode("utf-8", "surrogateescape") for each in fields]
            table.setdefault(texts[0], {})[texts[doc]] = value
    return table


def graded(table: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """The same with whole grades as int: as pytrec_eval, for one, wants them."""
    return {
        query: {doc: int(grade) if grade == int(grade) else grade for doc, grade in docs.items()}
        for query, docs in table.items()
    }


def evaluate(request: dict[str, Any]) -> dict[str, Any]:
    """Every measure, one call each."""
    called = function()
    if len(inspect.signature(called).parameters) == 1:
        return {**describe(), **called(request)}
    began = time.monotonic()
    qrels, run = graded(read(request["qrels"], 2, 3)), read(request["run"], 2, 4)
    loaded = time.monotonic()
    results = [result(called, qrels, run, measure["name"]) for measure in request["measures"]]
    return {"results": results, "load": loaded - began, "evaluate": time.monotonic() - loaded, **describe()}


def result(
    called: Callable[..., Any], qrels: dict[str, dict[str, float]], run: dict[str, dict[str, float]], measure: str
) -> dict[str, Any]:
    """What the function says of one measure."""
    copies = ({query: dict(docs) for query, docs in table.items()} for table in (qrels, run))
    try:
        given = called(*copies, measure)
    except NotImplementedError as error:
        return {"unsupported": "measure", "message": str(error) or f"no {measure}"}
    except Exception as error:  # noqa: BLE001 - whatever the function raises is its answer
        return {"crashed": f"{type(error).__name__}: {error}"}
    mean = None
    if set(given) == {"queries", "mean"}:
        given, mean = given["queries"], given["mean"]
    return {
        "queries": {query: outcome(value) for query, value in given.items()},
        "aggregate": None if mean is None else outcome(mean),
        "decimals": None,
    }


def outcome(value: Any) -> dict[str, Any]:
    """A number, or a refusal where there is none."""
    return {"refused": "it gave None"} if value is None else {"value": float(value)}
