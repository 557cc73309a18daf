"""Means of the whole lattice about nDCG@10 on one pair of files.

    python benchmarks/lattice.py QRELS RUN

The lattice is the one that `audit` searches: around the presets, the profiles of the catalogue's evaluators,
and trec_eval's specification as the stated one.
"""

from __future__ import annotations

import sys


def main() -> None:
    from ndcgauge.data.reading import read_collection
    from ndcgauge.data.sources import open_source
    from ndcgauge.search.anchors import anchors
    from ndcgauge.search.lattice import evaluate_lattice
    from ndcgauge.spec import Measure, preset_spec

    qrels, run = sys.argv[1:]
    collection = read_collection(open_source(qrels), open_source(run)).collection
    stated = preset_spec("trec_eval", "ndcg", 10)
    lattice = evaluate_lattice(collection, stated, anchors(Measure("ndcg", 10), stated))
    print(
        f"{lattice.searched} specifications, {len(lattice.codes)} of which can differ here, {lattice.classes} classes"
    )
    for mean in lattice.means.tolist():
        print(repr(mean))


if __name__ == "__main__":
    main()
