"""Makes the qrels, runs and groups of the tie-heavy example: `python make_ties.py` writes them beside itself.

Three rankers see the same noisy relevance. `precise` keeps every digit of its score; `rounded` keeps one
decimal, as a cross-encoder served in half precision may; `buckets` gives a whole number of five stars.
"""

from __future__ import annotations

import random
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
QUERIES, DOCUMENTS = 30, 40
GROUPS = ("head", "torso", "tail")


def main() -> None:
    """Writes five files; the same ones every time."""
    chance = random.Random(20261130)
    qrels: list[str] = []
    runs: dict[str, list[str]] = {"precise": [], "rounded": [], "buckets": []}
    groups: list[str] = []
    for number in range(1, QUERIES + 1):
        query = f"q{number:02d}"
        groups.append(f"{query} {GROUPS[number % 3]}")
        documents = [f"doc-{chance.randrange(16**6):06x}" for _ in range(DOCUMENTS)]
        grades = {document: chance.choices((0, 1, 2, 3), (70, 15, 10, 5))[0] for document in documents}
        judged = [document for document in documents if grades[document] > 0 or chance.random() < 0.6]
        qrels += [f"{query} 0 {document} {grades[document]}" for document in judged]
        seen = {document: grades[document] + chance.gauss(0, 1.1) for document in documents}
        scores = {
            "precise": {document: f"{value + chance.gauss(0, 0.15):.6f}" for document, value in seen.items()},
            "rounded": {document: f"{value:.1f}" for document, value in seen.items()},
            "buckets": {document: str(max(1, min(5, round(value) + 1))) for document, value in seen.items()},
        }
        for name, found in scores.items():
            ranked = sorted(documents, key=lambda document: -float(found[document]))
            runs[name] += [
                f"{query} Q0 {document} {rank} {found[document]} {name}" for rank, document in enumerate(ranked, 1)
            ]
    (FOLDER / "ties.qrels").write_text("\n".join(qrels) + "\n", encoding="utf-8")
    (FOLDER / "ties.groups").write_text("\n".join(groups) + "\n", encoding="utf-8")
    for name, lines in runs.items():
        (FOLDER / f"{name}.run").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
