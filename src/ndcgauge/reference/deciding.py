"""Which axis values decide a piece of work: specifications that agree in them share it (DESIGN §4)."""

from __future__ import annotations

from collections.abc import Hashable

from ndcgauge.data.collection import RankingKey
from ndcgauge.reference.standing import SYMMETRIC, Choice
from ndcgauge.spec import MetricSpec

_AFTER = frozenset({"queries", "averaging", "row_rounding", "rounding", "zero_ideal", "nul"})
"""Axes that act on the queries' values, not on numerators and denominators."""


def parts_key(spec: MetricSpec) -> tuple[Hashable, ...]:
    """What decides numerators and denominators."""
    return "parts", spec.measure, *(item for item in spec.values if item[0] not in _AFTER)


def gain_key(spec: MetricSpec) -> tuple[Hashable, ...]:
    """What decides the gains of the judgments."""
    axes = spec.axes
    threshold = axes["threshold"] if axes["gain"] == "binary" else None
    return (
        "gain",
        spec.measure,
        axes["qrels_duplicates"],
        axes["grades"],
        axes["negative"],
        axes["gain"],
        axes["min_grade"],
        threshold,
    )


def ranking_key(spec: MetricSpec) -> RankingKey:
    """What ranks the documents, and which of them."""
    axes = spec.axes
    order = axes["order"]
    minimum = None if axes["min_score"] == "none" else float(axes["min_score"])
    insert = None
    if axes["unretrieved"].startswith("score:") and order == "score":
        insert = float(axes["unretrieved"].removeprefix("score:"))
    return RankingKey(order, axes["score_precision"] if order == "score" else "float64", minimum, insert)


def standing_key(spec: MetricSpec) -> tuple[RankingKey, Choice, Hashable]:
    """What decides where the documents stand: the ranking, its cuts and drops, the lines that count."""
    axes = spec.axes
    depth = axes["depth"]
    limit = spec.cutoff if depth == "cutoff" else None if depth == "none" else int(depth)
    unretrieved = axes["unretrieved"]
    key = ranking_key(spec)
    add = "insert" if key.insert_score is not None else "absent" if unretrieved == "absent" else "append"
    drops = axes["unjudged"] == "drop" or axes["negative"] == "drop"
    composition = (
        limit is not None
        and axes["ties"] in SYMMETRIC
        and (drops or add != "absent" or axes.get("ideal") == "retrieved")
    )
    choice = Choice(
        ties=axes["ties"],
        own=axes["self"],
        depth=limit,
        drop_unjudged=axes["unjudged"] == "drop",
        add=add,
        composition=composition,
    )
    sources = (axes["run_duplicates"], axes["qrels_duplicates"], axes["grades"], axes["negative"])
    return key, choice, sources
