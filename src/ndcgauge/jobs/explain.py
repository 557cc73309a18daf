"""`explain`: one query, rank by rank, as one would by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ndcgauge.data.packing import MAX_BYTES
from ndcgauge.data.sources import Source
from ndcgauge.errors import InputError, NdcgaugeError, UsageError
from ndcgauge.jobs.loading import load_run, open_inputs
from ndcgauge.jobs.request import Request
from ndcgauge.reference import Evaluation
from ndcgauge.reference.listing import Listing, list_query
from ndcgauge.spec import MetricSpec

LISTED = ("ndcg", "dcg")


@dataclass(frozen=True)
class Explanation:
    """The table of one query under one specification."""

    query: str
    run: str
    spec: MetricSpec
    listing: Listing
    value: float
    """What the reference computes; the table's products add up to it."""


def explain(
    qrels: str | Source,
    run: str | Source,
    query: str,
    request: Request,
    *,
    qrels_format: str = "auto",
    run_format: str = "auto",
    max_bytes: int = MAX_BYTES,
) -> list[Explanation]:
    """The tables of a query, one for each measure (ndcg and dcg).

    Raises InputError where the query is not in both files, UsageError for measures that are not
    sums over ranks, and NdcgaugeError where table and reference do not agree, which is a fault.
    """
    for measure in request.measures:
        if measure.stem not in LISTED:
            raise UsageError(f"explain lists ndcg and dcg, and {measure.name} is neither")
    inputs = open_inputs(qrels, [run], request, qrels_format=qrels_format, run_format=run_format, max_bytes=max_bytes)
    collection = load_run(inputs, inputs.run_sources[0], request).collection
    code = collection.index.get(query)
    if code is None or not (collection.in_qrels[code] and collection.in_run[code]):
        where = "neither file" if code is None else "the run" if not collection.in_run[code] else "the qrels"
        both = np.flatnonzero(collection.in_qrels & collection.in_run)
        missing = f"query {query!r} is in neither file" if code is None else f"query {query!r} is not in {where}"
        examples = ", ".join(str(collection.queries[int(each)]) for each in both[:5])
        raise InputError(missing, fix=f"queries in both are {examples}{' …' if len(both) > 5 else ''}")
    evaluation = Evaluation(collection, {})
    result: list[Explanation] = []
    for measure in request.measures:
        spec = request.spec(measure, collection)
        listing = list_query(collection, evaluation, spec, query)
        values, _ = evaluation.per_query(spec.replace(zero_ideal="zero") if "zero_ideal" in spec.axes else spec)
        value = float(values[code])
        by_hand = listing.dcg / listing.ideal_dcg if listing.ideal_dcg > 0 else 0.0
        if spec["row_rounding"] == "none" and not math.isclose(by_hand, value, rel_tol=1e-9, abs_tol=1e-12):
            raise NdcgaugeError(f"query {query!r}: the table gives {by_hand!r} and the reference {value!r}")
        final, _ = evaluation.per_query(spec)
        result.append(Explanation(query, inputs.run_sources[0].name, spec, listing, float(final[code])))
    return result
