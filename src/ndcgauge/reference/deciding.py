"""Which axis values decide a piece of work: specifications that agree in them share it (DESIGN §4)."""

from __future__ import annotations

from collections.abc import Hashable

from ndcgauge.data.collection import RankingKey
from ndcgauge.reference.standing import SYMMETRIC, Choice
from ndcgauge.spec import MetricSpec


def gain_key(spec: MetricSpec) -> tuple[Hashable, ...]:
    """What decides the gains of the judgments."""
    threshold = spec["threshold"] if spec["gain"] == "binary" else None
    return (
        "gain",
        spec.measure,
        spec["qrels_duplicates"],
        spec["grades"],
        spec["negative"],
        spec["gain"],
        spec["min_grade"],
        threshold,
    )


def ranking_key(spec: MetricSpec) -> RankingKey:
    """What ranks the documents, and which of them."""
    order = spec["order"]
    minimum = None if spec["min_score"] == "none" else float(spec["min_score"])
    insert = None
    if spec["unretrieved"].startswith("score:") and order == "score":
        insert = float(spec["unretrieved"].removeprefix("score:"))
    return RankingKey(order, spec["score_precision"] if order == "score" else "float64", minimum, insert)


def standing_key(spec: MetricSpec) -> tuple[RankingKey, Choice, Hashable]:
    """What decides where the documents stand: the ranking, its cuts and drops, the lines that count."""
    depth = spec["depth"]
    limit = spec.cutoff if depth == "cutoff" else None if depth == "none" else int(depth)
    unretrieved = spec["unretrieved"]
    key = ranking_key(spec)
    add = "insert" if key.insert_score is not None else "absent" if unretrieved == "absent" else "append"
    drops = spec["unjudged"] == "drop" or spec["negative"] == "drop"
    composition = (
        limit is not None
        and spec["ties"] in SYMMETRIC
        and (drops or add != "absent" or spec.axes.get("ideal") == "retrieved")
    )
    choice = Choice(
        ties=spec["ties"],
        own=spec["self"],
        depth=limit,
        drop_unjudged=spec["unjudged"] == "drop",
        add=add,
        composition=composition,
    )
    sources = (spec["run_duplicates"], spec["qrels_duplicates"], spec["grades"], spec["negative"])
    return key, choice, sources
