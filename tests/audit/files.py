"""Small qrels and runs for audits."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.data.writing import load, source

from ndcgauge.audit.inquiry import Inquirer
from ndcgauge.audit.material import Material
from ndcgauge.data.collection import Collection

QRELS = "q1 0 D1 3\nq1 0 D2 2\nq1 0 D3 1\nq1 0 D4 1\nq1 0 D5 1\n"
RUN = "q1 Q0 D2 1 6 t\nq1 Q0 X 2 5 t\nq1 Q0 D1 3 4 t\nq1 Q0 D3 4 3 t\nq1 Q0 Y 5 2 t\nq1 Q0 D4 6 1 t\n"
"""The worked example of the issue: nDCG@10 is 0.7683 with linear and 0.7137 with exponential gain."""
SHOWN = "q 0 A 1\nq 0 B 3\nq 0 C 2\n"
SHOWN_RUN = "q Q0 A 1 0.5 t\nq Q0 B 2 0.8 t\nq Q0 C 3 0.2 t\n"
"""Grades 1, 3, 2 in the order of the rank column; by score the order is B, A, C."""


def collection(folder: Path, qrels: str, run: str, on_duplicate: str = "first") -> Collection:
    folder.mkdir(parents=True, exist_ok=True)
    return load(
        source(folder, "qrels", qrels.encode()), source(folder, "run", run.encode()), on_duplicate=on_duplicate
    ).collection


def inquirer(
    folder: Path,
    qrels: str,
    run: str,
    others: Mapping[str, str] | None = None,
    other_qrels: Mapping[str, str] | None = None,
    subsets: Mapping[str, Sequence[str]] | None = None,
) -> Inquirer:
    return Inquirer(
        Material(
            run="run",
            collection=collection(folder, qrels, run),
            others={name: collection(folder / f"run {name}", qrels, text) for name, text in (others or {}).items()},
            other_qrels={
                name: collection(folder / f"qrels {name}", text, run) for name, text in (other_qrels or {}).items()
            },
            subsets={name: frozenset(ids) for name, ids in (subsets or {}).items()},
        )
    )


def random_pair(seed: int, queries: int) -> tuple[str, str]:
    """Qrels with grades 0 to 3 and a run with ties, unjudged and missing documents."""
    chosen = random.Random(seed)
    qrels: list[str] = []
    run: list[str] = []
    for query in range(queries):
        docs = [f"d{number}" for number in range(chosen.randint(4, 25))]
        qrels += [f"q{query} 0 {doc} {chosen.choice([0, 0, 1, 1, 2, 3])}" for doc in docs if chosen.random() < 0.6]
        for rank, doc in enumerate(docs, start=1):
            score = chosen.choice([float(chosen.randint(1, 6)), 6 * chosen.random()])
            if chosen.random() < 0.7:
                run.append(f"q{query} Q0 {doc} {rank} {score} t")
    return "\n".join(qrels) + "\n", "\n".join(run) + "\n"
