"""A specification as a sentence that a paper could print."""

from __future__ import annotations

from ndcgauge.spec.metric import MetricSpec

_MEASURES = {
    "ndcg": "nDCG",
    "dcg": "DCG",
    "ap": "average precision",
    "rr": "reciprocal rank",
    "precision": "precision",
    "recall": "recall",
    "judged": "share of judged documents",
}
_DISCOUNTS = {
    "log2": "discount 1/log2(rank + 1)",
    "reciprocal": "discount 1/rank",
    "log2*reciprocal": "discount 1/(rank log2(rank + 1))",
    "none": "no discount",
}
_TIES = {
    "docid-desc": "ties by descending document id",
    "docid-asc": "ties by ascending document id",
    "line": "ties in the order of lines",
    "line-reversed": "ties in the reversed order of lines",
    "average": "ties averaged over all orders",
    "best": "ties in the best order",
    "worst": "ties in the worst order",
    "random": "ties in a random order",
}
_ORDERS = {
    "score": "documents ranked by score",
    "rank": "documents ranked by the rank column",
    "line": "documents ranked by line",
}
_QUERIES = {
    "intersection": "queries in both files",
    "judged": "all judged queries, one that the run lacks counting 0",
    "run": "all queries of the run, an unjudged one counting 0",
}


def _gain(spec: MetricSpec) -> str:
    gain = spec["gain"]
    if gain == "binary":
        return f"gain 1 from grade {spec['threshold']} on"
    names = {"linear": "linear gain", "exponential": "exponential gain (2^grade - 1)"}
    text = names.get(gain, f"the gains {gain.replace(':', ' -> ').replace(',', ', ')}")
    return text if spec["min_grade"] == "none" else f"{text} from grade {spec['min_grade']} on"


def _discount(discount: str) -> str:
    if discount in _DISCOUNTS:
        return _DISCOUNTS[discount]
    kind, number = discount.replace("+", ":").split(":")
    return (
        f"no discount below rank {number}, then 1/log_{number}(rank)"
        if kind == "jk"
        else f"discount 1/log2(rank + {number})"
    )


def _ideal(spec: MetricSpec) -> str:
    of = {
        "judged": "ideal over all judged documents",
        "retrieved": "ideal over the retrieved documents alone",
        "perfect": "ideal of documents of the top grade, existing or not",
    }[spec["ideal"]]
    cut = {"same": "", "none": ", uncut", "retrieved": ", cut at the number retrieved"}[spec["ideal_cutoff"]]
    return of + cut


def sentence(spec: MetricSpec) -> str:
    """The specification in words: measure, gain, discount, order, ties, unjudged documents, ideal, mean.

    Axes that have no words of their own are named where they differ from the `trec_eval` preset.
    """
    where = "" if spec.cutoff is None else f"@{spec.cutoff}"
    parts: list[str] = []
    if "gain" in spec.axes:
        parts += [_gain(spec), _discount(spec["discount"])]
    elif spec.measure != "judged":
        parts.append(f"relevant from grade {spec['threshold']} on")
    single = " in single precision" if spec["score_precision"] == "float32" and spec["order"] == "score" else ""
    parts.append(_ORDERS[spec["order"]] + single)
    parts.append(_TIES.get(spec["ties"], "ties in the order that the evaluator showed"))
    parts.append("unjudged documents " + ("gain 0" if spec["unjudged"] == "zero" else "removed before ranks are given"))
    if "ideal" in spec.axes:
        parts.append(_ideal(spec))
    told = {
        "gain",
        "discount",
        "threshold",
        "min_grade",
        "order",
        "score_precision",
        "ties",
        "unjudged",
        "ideal",
        "ideal_cutoff",
        "queries",
        "cutoff",
    }
    base = MetricSpec.of(spec.measure, {"cutoff": spec["cutoff"]})
    parts += [f"{axis}={value}" for axis, value in spec.values if axis not in told and base[axis] != value]
    return f"{_MEASURES[spec.measure]}{where} with {', '.join(parts)}; mean over {_QUERIES[spec['queries']]}."
