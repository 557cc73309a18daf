"""Measures that trec_eval prints beside those of ndcgauge: `num_q`, `Rprec` and `bpref`, for claims about them.

They share the ranking and aggregation axes with precision; a small search changes up to two of
these. Definitions: trec_eval 10, m_num_q.c, m_Rprec.c and m_bpref.c.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from ndcgauge.data.collection import Bools, Floats, Ints
from ndcgauge.errors import UsageError
from ndcgauge.reference import Evaluation
from ndcgauge.reference.grades import line_relevance, pair_sums
from ndcgauge.reference.scores import sequential_mean
from ndcgauge.reference.standing import SYMMETRIC
from ndcgauge.reference.sums import sums
from ndcgauge.search.domains import domain
from ndcgauge.search.reduction import reduced_domains
from ndcgauge.spec import MetricSpec

NAMES = {"num_q": "num_q", "rprec": "Rprec", "r-prec": "Rprec", "bpref": "bpref"}
"""Names that users type, in lower case, to trec_eval's."""
AXES = (
    *("order", "score_precision", "ties", "min_score", "self", "negative", "threshold"),
    *("queries", "run_duplicates", "qrels_duplicates"),
)
"""Axes that a search changes."""
MOST_CHANGES = 2


def trec_value(evaluation: Evaluation, name: str, spec: MetricSpec) -> float:
    """The mean of one of NAMES under the ranking and aggregation axes of a specification of `precision`.

    Raises UsageError for ties that no single order stands for, and for files that the specification refuses.
    """
    collection = evaluation.collection
    both = collection.in_qrels & collection.in_run
    counted = {"intersection": both, "judged": collection.in_qrels}.get(spec["queries"], collection.in_run)
    if spec["ties"] in SYMMETRIC:
        raise UsageError(f"{name} needs one order of ties", fix="--set ties=docid-desc")
    rows = _rows(evaluation, name, spec)
    if name == "num_q":
        return float(counted.sum())
    values = np.where(both, rows, 0.0)
    return sequential_mean(values[counted])


def _rows(evaluation: Evaluation, name: str, spec: MetricSpec) -> Floats:
    collection = evaluation.collection
    size = len(collection.queries)
    standing = evaluation.standing(spec)
    judgments = evaluation.judgments(spec)
    relevant = pair_sums(judgments, line_relevance(judgments, spec["threshold"]))
    total = evaluation.relevant_totals(spec)
    hit = relevant[standing.pair] > 0
    query, rank = standing.instance, standing.start
    if name == "Rprec":
        found = sums(query, hit & (rank <= total[query]), size)
        return np.divide(found, total, out=np.zeros(size), where=total > 0)
    others = np.bincount(collection.judged.query[judgments.judged], minlength=size) - total
    return _bpref(query, rank, hit, total, others)


def _bpref(query: Ints, rank: Ints, hit: Bools, total: Floats, others: Floats) -> Floats:
    """(queries,) bpref: each relevant document found counts less for the judged documents above it that are not."""
    size = len(total)
    order = np.lexsort((rank, query))
    query, hit = query[order], hit[order]
    missed = np.cumsum(~hit)
    first = np.searchsorted(query, query, side="left")
    above = missed - np.where(first > 0, missed[first - 1], 0)
    bound = np.minimum(total, others)[query]
    share = np.divide(np.minimum(above, total[query]), bound, out=np.zeros(len(query)), where=bound > 0)
    # None above: the document counts in full, whatever is not relevant elsewhere.
    found = sums(query, np.where(hit, 1.0 - np.where(above > 0, share, 0.0), 0.0), size)
    return np.divide(found, total, out=np.zeros(size), where=total > 0)


def neighbours(evaluation: Evaluation, stated: MetricSpec) -> Iterator[tuple[int, MetricSpec]]:
    """(number of changes, specification) within two changes of axes that can act, the stated one first."""
    kept = reduced_domains(evaluation.collection, stated.measure)
    others = {
        axis: [value for value in kept.get(axis, domain(axis)) if value != stated[axis] and value not in SYMMETRIC]
        for axis in AXES
    }
    for changes in range(MOST_CHANGES + 1):
        for axes in itertools.combinations([axis for axis in AXES if others[axis]], changes):
            for values in itertools.product(*(others[axis] for axis in axes)):
                yield changes, stated.with_axes(dict(zip(axes, values, strict=True)))
