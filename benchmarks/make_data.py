"""Makes the files of the benchmarks, the same bytes everywhere.

    python benchmarks/make_data.py [FOLDER] [NAME ...]

Of every NAME there are FOLDER/NAME.qrels and FOLDER/NAME.run; without a NAME, all are made. The default
FOLDER is this user's cache. Nothing but `random.random` of Python's documented, seeded generator decides a
value, and no float function decides a byte.

sparse    6,980 queries of 1,000 documents with ids as in MS MARCO, 1.1 judged ones a query
string    the same values with ids such as clueweb22-en0000-00-00000
blanks    the lines of sparse as people write them: tabs, several spaces, CRLF, blank lines, comments
dense     the run of sparse with about 170 judged documents a query, grades 0 to 3
shuffled  the lines of sparse in random order
dl        54 queries of 1,000 documents, about 170 judged a query, as in TREC DL
NAME-small is the first tenth of the queries of NAME.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

QUERIES = 6_980
DOCS = 1_000
CORPUS = 8_841_823
TIED = 0.01
"""Share of lines with the score of the line before."""
TAG = "bm25-default"

QUERIES_OF = {
    name: {"": queries, "-small": max(1, queries // 10)}
    for name, queries in (
        ("sparse", QUERIES),
        ("string", QUERIES),
        ("blanks", QUERIES),
        ("dense", QUERIES),
        ("shuffled", QUERIES),
        ("dl", 54),
    )
}
NAMES = [name + size for name, sizes in QUERIES_OF.items() for size in sizes if name + size != "dl-small"]


@dataclass(frozen=True)
class Query:
    """One query with all its values, before they are written as lines."""

    id: int
    docs: list[int]
    """In the order of falling scores."""
    scores: list[str]
    relevant: list[int]
    """Sparse judgments, grade 1."""
    graded: dict[int, int]
    """Dense judgments."""


def queries(number: int, *, dense: bool) -> Iterator[Query]:
    """The first `number` queries; their values do not depend on how many there are."""
    for position in range(number):
        draw = random.Random(f"ndcgauge benchmark query {position}").random
        name = 2 + position * 157 + int(draw() * 157)
        docs: dict[int, None] = {}
        while len(docs) < DOCS:
            docs[int(draw() * CORPUS)] = None
        ranked = list(docs)
        score, scores = 30_000_000 + int(draw() * 20_000_000), []
        for _ in ranked:
            scores.append(f"{score // 1_000_000}.{score % 1_000_000:06d}")
            if draw() >= TIED:
                score -= 2 + int(draw() * 24_000)
        share = draw()
        count = 1 + (share < 0.085) + (share < 0.012) + (share < 0.003)
        relevant: dict[int, None] = {}
        for _ in range(count):
            # 86 of 100 are retrieved, most of them near the top.
            where = draw() ** 4
            relevant[ranked[int(where * DOCS)] if draw() < 0.86 else int(draw() * CORPUS)] = None
        graded: dict[int, int] = {}
        if dense:
            judged = 120 + int(draw() * 101)
            while len(graded) < judged:
                where = int(draw() ** 2 * 480)
                doc = ranked[where] if draw() < 0.85 else int(draw() * CORPUS)
                graded[doc] = sum(draw() < limit for limit in (0.45, 0.45, 0.4))
        yield Query(name, ranked, scores, list(relevant), graded)


def long_id(doc: int) -> str:
    """A document of ClueWeb22 by its number in the corpus."""
    return f"clueweb22-en{doc // 10_000_000:04d}-{doc // 100_000 % 100:02d}-{doc % 100_000:05d}"


def run_lines(query: Query, *, long: bool = False) -> list[str]:
    names = map(long_id if long else str, query.docs)
    return [
        f"{query.id} Q0 {doc} {rank} {score} {TAG}"
        for rank, (doc, score) in enumerate(zip(names, query.scores, strict=True), 1)
    ]


def qrels_lines(query: Query, *, long: bool = False, dense: bool = False) -> list[str]:
    graded = query.graded if dense else dict.fromkeys(query.relevant, 1)
    name = long_id if long else str
    return [f"{query.id} 0 {name(doc)} {grade}" for doc, grade in graded.items()]


def untidy(lines: list[str], seed: str) -> list[str]:
    """The same lines as people write them; every block of a file has some of each kind."""
    draw = random.Random(seed).random
    result: list[str] = []
    for line in lines:
        match int(draw() * 12):
            case 0 | 1:
                result.append(line.replace(" ", "\t"))
            case 2:
                result.append(line.replace(" ", "   "))
            case 3:
                result.append("  " + line)
            case 4 | 5:
                result.append(line + "\r")
            case 6:
                result.append(line + " \t")
            case _:
                result.append(line)
        if draw() < 0.001:
            result.append("# a remark, with more than six words behind it")
        if draw() < 0.001:
            result.append("")
    return result


def write(folder: Path, name: str) -> None:
    kind, _, small = name.partition("-")
    dense = kind in ("dense", "dl")
    long = kind == "string"
    number = QUERIES_OF[kind]["-small" if small else ""]
    with (
        (folder / f"{name}.run").open("w", newline="") as run,
        (folder / f"{name}.qrels").open("w", newline="") as qrels,
    ):
        if kind == "blanks":
            run.write("# a run\n\n")
        for query in queries(number, dense=dense):
            lines, judged = run_lines(query, long=long), qrels_lines(query, long=long, dense=dense)
            if kind == "blanks":
                lines, judged = untidy(lines, f"run {query.id}"), untidy(judged, f"qrels {query.id}")
                # trec_eval reads blank lines and comments in a run, but not everywhere in qrels.
                judged = [line for line in judged if line and not line.startswith("#")]
            run.write("\n".join(lines) + "\n")
            qrels.write("\n".join(judged) + "\n")
    if kind == "shuffled":
        shuffle(folder / f"{name}.run")


def shuffle(path: Path) -> None:
    """Puts the lines of a file in random order: dealt to piles at random, then each pile shuffled."""
    draw = random.Random("ndcgauge benchmark shuffle")
    piles: list[list[bytes]] = [[] for _ in range(64)]
    with path.open("rb") as file:
        for line in file:
            piles[int(draw.random() * len(piles))].append(line)
    with path.open("wb") as file:
        for pile in piles:
            keyed = sorted((draw.random(), number) for number in range(len(pile)))
            file.writelines(pile[number] for _, number in keyed)


def default_folder() -> Path:
    """Where the files go if nothing else is said: never into the repository."""
    from platformdirs import user_cache_path

    return user_cache_path("ndcgauge") / "benchmarks"


def make(folder: Path, name: str) -> None:
    """Makes the pair of a name, whole or not at all."""
    making = folder / f".{name}.making"
    making.mkdir(parents=True, exist_ok=True)
    write(making, name)
    for suffix in ("run", "qrels"):
        made = making / f"{name}.{suffix}"
        with made.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        print(f"{name}.{suffix}  {made.stat().st_size:>11,} bytes  sha256 {digest[:16]}", file=sys.stderr)
        made.replace(folder / made.name)
    making.rmdir()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; one of {', '.join(NAMES)}")
    folder = given.folder or default_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for name in given.names or NAMES:
        make(folder, name)


if __name__ == "__main__":
    main()
