"""From the instances of a query to the query: expectation, best or worst."""

from __future__ import annotations

import numpy as np

from ndcgauge.data.collection import Bools, Floats, Ints
from ndcgauge.reference.measures import Parts
from ndcgauge.reference.standing import Standing


def _split(standing: Standing, among: Bools | None) -> tuple[Ints, Ints]:
    """The queries that have several instances, and those of their instances that take part."""
    queries = len(standing.query) - standing.extra
    several = np.flatnonzero(standing.weight[:queries] == 0)
    weighted = np.flatnonzero(standing.weight > 0)
    chosen = weighted[np.isin(standing.query[weighted], several)]
    return several, chosen if among is None else chosen[among[chosen]]


def combine(standing: Standing, values: Floats, ties: str, among: Bools | None = None) -> Floats:
    """(queries,) the value of each query from its instances: their expectation, or the extreme one.

    `among`: (instances,) those that take part, all if None; their probabilities are then scaled to
    1. A query that has several instances, none of which takes part, gets NaN, as does one with a
    NaN among those that do. Where no query has several, the result is `values` itself.
    """
    if not standing.extra:
        return values
    queries = len(values) - standing.extra
    result = values[:queries].copy()
    several, chosen = _split(standing, among)
    query, weight = standing.query[chosen], standing.weight[chosen]
    if ties == "average":
        result[several] = 0.0
        np.add.at(result, query, weight * values[chosen])
        if among is not None:
            total = np.zeros(queries)
            np.add.at(total, query, weight)
            result[query] = result[query] / total[query]
    else:
        result[several] = -np.inf if ties == "best" else np.inf
        # NumPy warns where a NaN decides, which is meant.
        with np.errstate(invalid="ignore"):
            (np.maximum if ties == "best" else np.minimum).at(result, query, values[chosen])
    result[np.setdiff1d(several, query)] = np.nan
    return result


def pooled_parts(standing: Standing, parts: Parts, values: Floats, ties: str, among: Bools | None) -> Parts:
    """(queries,) twice: what each query adds to a pooled ratio.

    Under best and worst it is what the order with the extreme value adds, not the extremes of
    numerator and denominator, which no single order need have; of orders that are equally good,
    the one with the greatest denominator. `values`: (instances,) the measure. An instance without
    a positive denominator adds nothing.
    """
    positive = parts.denominator > 0
    numerator = np.where(positive, parts.numerator, 0.0)
    denominator = np.where(positive, parts.denominator, 0.0)
    if ties not in ("best", "worst"):
        return Parts(
            np.nan_to_num(combine(standing, numerator, ties, among)),
            np.nan_to_num(combine(standing, denominator, ties, among)),
        )
    queries = len(values) - standing.extra
    at = np.arange(queries)
    several, chosen = _split(standing, among)
    # Sorted so that the wanted instance of each query comes last.
    order = np.lexsort((denominator[chosen], values[chosen] if ties == "best" else -values[chosen]))
    at[standing.query[chosen[order]]] = chosen[order]
    numerator, denominator = numerator[at], denominator[at]
    none = np.setdiff1d(several, standing.query[chosen])
    numerator[none], denominator[none] = 0.0, 0.0
    return Parts(numerator, denominator)
