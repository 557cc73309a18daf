"""Means of many specifications on one pair of files, by the Python API.

    python benchmarks/many.py QRELS RUN NUMBER

The specifications are the first NUMBER of a fixed list, from one near the `trec_eval` preset to ones that
differ on five axes; each kind of ranking, gain, discount, cutoff and ideal occurs among the first 200.
"""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ndcgauge.spec import MetricSpec

RANKINGS = (
    {},
    {"ties": "average"},
    {"ties": "docid-asc"},
    {"score_precision": "float32"},
    {"ties": "line"},
    {"unjudged": "drop"},
    {"order": "rank"},
    {"unretrieved": "append", "ties": "average"},
    {"ties": "best"},
    {"ties": "worst"},
)
VALUES = (
    {},
    {"gain": "exponential"},
    {"discount": "jk:2"},
    {"gain": "exponential", "ideal": "retrieved"},
    {"gain": "binary", "discount": "reciprocal"},
)
CUTOFFS = ("10", "5", "20", "none", "100", "1", "3", "1000")


def specifications(number: int) -> list[MetricSpec]:
    """The first ones of the list."""
    from ndcgauge.spec import MetricSpec

    every = itertools.product(CUTOFFS, VALUES, RANKINGS)
    return [
        MetricSpec.of("ndcg", {"cutoff": cutoff, **values, **ranking})
        for cutoff, values, ranking in itertools.islice(every, number)
    ]


def main() -> None:
    from ndcgauge.data.reading import read_collection
    from ndcgauge.data.sources import open_source
    from ndcgauge.reference.evaluate import evaluate

    qrels, run, number = sys.argv[1:]
    collection = read_collection(open_source(qrels), open_source(run)).collection
    scores = evaluate(collection, specifications(int(number)))
    for spec, mean in zip(scores.specs, scores.means.tolist(), strict=True):
        print(f"{spec.hash}\t{mean!r}\t{spec.short()}")


if __name__ == "__main__":
    main()
