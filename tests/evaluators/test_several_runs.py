"""Several runs with the real scikit-learn: the textbook's example, and a winner that the evaluator changes."""

from __future__ import annotations

from math import log2
from pathlib import Path

import pytest

from ndcgauge.jobs.compare import compare, options
from ndcgauge.jobs.request import request
from ndcgauge.report.verdicts import verdict_text
from ndcgauge.results.model import Report

GRADES = [3, 0, 2, 1, 3, 0, 2, 1, 0, 3]
A = [0.95, 0.10, 0.88, 0.60, 0.92, 0.15, 0.75, 0.55, 0.20, 0.90]
B = [0.80, 0.40, 0.70, 0.60, 0.50, 0.30, 0.85, 0.55, 0.20, 0.45]
STATED = {
    "A": {"ndcg@3": "1.0000", "ndcg@5": "1.0000", "ndcg@10": "1.0000"},
    "B": {"ndcg@3": "0.7654", "ndcg@5": "0.7113", "ndcg@10": "0.8923"},
}


def report(folder: Path, qrels: list[str], runs: dict[str, list[str]], *measures: str) -> Report:
    (folder / "qrels").write_text("\n".join(qrels) + "\n")
    for name, lines in runs.items():
        (folder / name).write_text("\n".join(lines) + "\n")
    asked = request(list(measures))
    return compare(str(folder / "qrels"), [str(folder / name) for name in runs], asked, options(["sklearn"], asked))


def test_the_textbook_example(tmp_path: Path) -> None:
    qrels = [f"q1 0 D{place} {grade}" for place, grade in enumerate(GRADES)]
    runs = {
        name: [f"q1 Q0 D{place} 0 {score} {name}" for place, score in enumerate(scores)]
        for name, scores in (("A", A), ("B", B))
    }
    found = report(tmp_path, qrels, runs, "ndcg@3", "ndcg@5", "ndcg@10")
    given = {(Path(each.run).name, each.measure): each.mean for each in found.evaluators}
    # By score, B ranks grades 2 3 2 1 1 3 3 0 0 0; the ideal is 3 3 3 2 2 1 1 0 0 0.
    ranked, ideal = [2, 3, 2, 1, 1, 3, 3, 0, 0, 0], sorted(GRADES, reverse=True)
    for cutoff in (3, 5, 10):
        ours = sum(grade / log2(rank + 1) for rank, grade in enumerate(ranked[:cutoff], 1))
        best = sum(grade / log2(rank + 1) for rank, grade in enumerate(ideal[:cutoff], 1))
        assert given["B", f"ndcg@{cutoff}"] == pytest.approx(ours / best, abs=1e-12)
        assert given["A", f"ndcg@{cutoff}"] == pytest.approx(1.0, abs=1e-12)
        for name in ("A", "B"):
            mean = given[name, f"ndcg@{cutoff}"]
            assert mean is not None
            assert f"{mean:.4f}" == STATED[name][f"ndcg@{cutoff}"]
    assert all(each.verdict == "agrees" for each in found.discrepancies)
    assert all(each.tau == 1.0 and not each.changes_winner for each in found.orders)


def test_the_evaluator_changes_the_winner(tmp_path: Path) -> None:
    """Run tied ties three documents, the relevant one with the greatest id: first for trec_eval.

    trec_eval: tied 1, plain (1 + 1/log2(3)) / 2 = 0.8155. sklearn averages the tie:
    (1 + 1/log2(3) + 1/2) / 3 = 0.7103 for tied.
    """
    qrels = ["q1 0 D9 1", "q2 0 D9 1"]
    tied = [f"{query} Q0 {doc} 0 1 t" for query in ("q1", "q2") for doc in ("D1", "D5", "D9")]
    plain = ["q1 Q0 D9 1 2 p", "q1 Q0 D1 2 1 p", "q2 Q0 D1 1 2 p", "q2 Q0 D9 2 1 p"]
    found = report(tmp_path, qrels, {"tied": tied, "plain": plain}, "ndcg@10")
    base, sklearn = found.orders
    names = [str(tmp_path / name) for name in ("tied", "plain")]
    assert [base.means[name] for name in names] == pytest.approx([1.0, (1 + 1 / log2(3)) / 2], abs=1e-12)
    assert sklearn.means[names[0]] == pytest.approx((1 + 1 / log2(3) + 1 / 2) / 3, abs=1e-12)
    assert sklearn.changes_winner
    assert sklearn.tau == -1.0
    assert sklearn.swapped == [names]
    assert verdict_text(found).startswith(
        "The evaluator changes the winner by ndcg@10: trec_eval puts tied first; sklearn puts plain first."
    )
