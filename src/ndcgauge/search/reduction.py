"""Which axis values can make a difference on a given collection.

Values that are equal on the data for a reason that can be read off the data itself (no repeated
document, no negative grade, the rank column orders as the scores do) are one class; searching
them twice finds nothing. Nothing is left out that could differ.
"""

from __future__ import annotations

import numpy as np

from ndcgauge.data.collection import Collection, Ranking, RankingKey
from ndcgauge.search.domains import domains


def _same(one: Ranking, other: Ranking) -> bool:
    if one is other:
        return True
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("start", "length", "by_docid", "by_line", "ranked")
    )


def _tied(ranking: Ranking) -> bool:
    return bool((ranking.length > 1).any())


def _ranking_values(collection: Collection, kept: dict[str, tuple[str, ...]]) -> None:
    rankings = [rows.rankings for rows in collection.rows.values()]
    key = RankingKey()

    def same(other: RankingKey, base: RankingKey = key) -> bool:
        return all(_same(each[base], each[other]) for each in rankings if other in each)

    orders = tuple(order for order in ("rank", "line") if not same(RankingKey(order)))
    kept["order"] = ("score", *orders)
    if same(RankingKey("score", "float32")):
        kept["score_precision"] = kept["score_precision"][:1]
    if all(
        same(RankingKey(k.order, k.precision, 0.0), RankingKey(k.order, k.precision))
        for k in (RankingKey(), RankingKey("score", "float32"), RankingKey("rank"), RankingKey("line"))
    ):
        kept["min_score"] = kept["min_score"][:1]
    appendable = "unretrieved" in kept and len(kept["unretrieved"]) > 1
    if not appendable and not any(_tied(ranking) for each in rankings for ranking in each.values()):
        kept["ties"] = kept["ties"][:1]


def reduced_domains(collection: Collection, measure: str) -> dict[str, tuple[str, ...]]:
    """Axis to the values that may differ on this collection; the first value stands for those left out.

    Gain tables that lack a grade of the qrels are left out too: they have no value.
    """
    kept = domains(measure)
    if "error" in collection.rows:
        kept["run_duplicates"] = ("error",)
    else:
        kept["run_duplicates"] = tuple(each for each in kept["run_duplicates"] if each != "error")
    if "error" in collection.judged.grades:
        kept["qrels_duplicates"] = ("error",)
    else:
        kept["qrels_duplicates"] = tuple(each for each in kept["qrels_duplicates"] if each != "error")
    kept["nul"] = kept["nul"][:1]
    grades = np.unique(np.concatenate([each.grade for each in collection.judged.grades.values()]))
    if (grades == np.trunc(grades)).all():
        kept["grades"] = kept["grades"][:1]
    if (grades >= 0).all():
        kept["negative"] = kept["negative"][:1]
    if "gain" in kept:
        known = set(np.trunc(grades).tolist()) | (set(grades.tolist()) if len(kept["grades"]) > 1 else set())
        kept["gain"] = tuple(
            gain
            for gain in kept["gain"]
            if ":" not in gain or {each for each in known if each >= 0} <= _table_grades(gain)
        )
    _ranking_values(collection, kept)
    if not any(rows.own.any() for rows in collection.rows.values()):
        kept["self"] = kept["self"][:1]
    if bool((collection.in_qrels == collection.in_run).all()):
        kept["queries"] = kept["queries"][:1]
    if measure in ("dcg", "rr"):
        kept["averaging"] = kept["averaging"][:1]
    return kept


def _table_grades(table: str) -> set[float]:
    return {float(item.split(":")[0]) for item in table.split(",")}
