"""Time of a whole `ndcgauge report document.json -o page.html` on 6,980 queries, and the size of the page.

    python benchmarks/page.py [DOCUMENT.json] [--rounds 7] [--evaluators sklearn ranx pyserini]

Without a document, one is made first: `compare` of a run of 6,980 queries with 20 documents each, scores of one decimal
(so that there are ties) and about three judged documents a query, with these evaluators. Then processes of the report
and of `import numpy`, `import matplotlib` take turns after a warm-up: how long these imports take says how fast the
machine was just then. Prints medians of wall and CPU seconds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from statistics import median

from measuring import in_turn

QUERIES, DOCS, CORPUS = 6_980, 20, 60
MATPLOTLIB = "import matplotlib.figure, matplotlib.backends.backend_svg"


def make(folder: Path) -> tuple[Path, Path]:
    """Qrels and a run; grades 1 to 3, the better a document the more often it is near the top."""
    qrels, run = folder / "qrels", folder / "run"
    random = Random(7)
    judged: list[str] = []
    ranked: list[str] = []
    for query in range(1, QUERIES + 1):
        docs = random.sample(range(CORPUS), DOCS)
        relevant = {docs[int(DOCS * random.random() ** 2)] for _ in range(3)} | {random.randrange(CORPUS)}
        judged += [f"{query} 0 d{doc} {random.choice((1, 1, 2, 3))}\n" for doc in sorted(relevant)]
        scores = sorted((round(random.random() * 20, 1) for _ in docs), reverse=True)
        ranked += [
            f"{query} Q0 d{doc} {rank} {score} t\n"
            for rank, (doc, score) in enumerate(zip(docs, scores, strict=True), 1)
        ]
    qrels.write_text("".join(judged), encoding="utf-8")
    run.write_text("".join(ranked), encoding="utf-8")
    return qrels, run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--evaluators", nargs="+", default=["sklearn", "ranx", "pyserini"])
    asked = parser.parse_args()
    tool = [sys.executable, "-m", "ndcgauge.cli.main"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        document: Path | None = asked.document
        if document is None:
            document = folder / "document.json"
            named = [word for each in asked.evaluators for word in ("-e", each)]
            command = [*tool, "compare", *map(str, make(folder)), *named, "-o", str(document), "--quiet"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        page = folder / "page.html"
        load = os.getloadavg()[0]
        found = in_turn(
            {
                "report": [*tool, "report", str(document), "-o", str(page)],
                "import numpy": [sys.executable, "-c", "import numpy"],
                "import matplotlib": [sys.executable, "-c", MATPLOTLIB],
            },
            asked.rounds,
        )
        print(f"document {document.stat().st_size / 1e6:.2f} MB, page {page.stat().st_size / 1e6:.2f} MB")
        print(f"median of {asked.rounds}, load {load:.1f} at the beginning and {os.getloadavg()[0]:.1f} at the end")
        for what, used in found.items():
            wall, cpu = median(each.wall for each in used), median(each.cpu for each in used)
            print(f"{what:<18} {wall:5.2f} s wall, {cpu:5.2f} s CPU (least {min(each.cpu for each in used):.2f})")


if __name__ == "__main__":
    main()
