"""Rewritten inputs that show why an evaluator does not answer as its profile says (DESIGN §5.4).

Canonical files keep line order, ids, scores, ranks and grades and change nothing but white
space, comments, column 2 and the tag. Renamed ids keep, or reverse, the byte order of the ids.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

WHITE = b" \t\n\v\f\r"


@dataclass(frozen=True)
class InputFiles:
    """The qrels and the run that an evaluator is given."""

    qrels: Path
    run: Path


def _lines(path: Path) -> Iterator[list[bytes]]:
    """The columns of every line that is neither blank nor a comment."""
    with path.open("rb") as file:
        for number, line in enumerate(file):
            text = line.removeprefix(b"\xef\xbb\xbf") if number == 0 else line
            if text.startswith(b"#"):
                continue
            columns = text.translate(bytes.maketrans(WHITE, b" " * len(WHITE))).split(b" ")
            columns = [column for column in columns if column]
            if columns:
                yield columns


def _rewrite(
    files: InputFiles,
    folder: Path,
    name: Callable[[bytes], bytes],
    *,
    shuffle: bool = False,
) -> InputFiles:
    folder.mkdir(parents=True, exist_ok=True)
    result = InputFiles(folder / "qrels.txt", folder / "run.txt")
    with result.qrels.open("wb") as out:
        for columns in _lines(files.qrels):
            out.write(b" ".join((columns[0], b"0", name(columns[2]), columns[3])) + b"\n")
    lines = [
        b" ".join((columns[0], b"Q0", name(columns[2]), columns[3], columns[4], b"probe")) + b"\n"
        for columns in _lines(files.run)
    ]
    if shuffle:
        random.Random(20261130).shuffle(lines)  # noqa: S311 - any fixed order will do, nothing is secret
    with result.run.open("wb") as out:
        out.writelines(lines)
    return result


def canonical(files: InputFiles, folder: Path) -> InputFiles:
    """The same judgments and the same run in tidy files; ids, order of lines, scores and ranks stay."""
    return _rewrite(files, folder, lambda doc: doc)


def permuted(files: InputFiles, folder: Path) -> InputFiles:
    """Tidy files with the run's lines in another (fixed) order."""
    return _rewrite(files, folder, lambda doc: doc, shuffle=True)


def renamed(files: InputFiles, folder: Path, *, reverse: bool) -> InputFiles:
    """Tidy files with plain document ids of one length, in the byte order of the old ones or the reverse."""
    ids = {columns[2] for path in (files.qrels, files.run) for columns in _lines(path)}
    names = {doc: b"D%09d" % number for number, doc in enumerate(sorted(ids, reverse=reverse), start=1)}
    return _rewrite(files, folder, names.__getitem__)


def monotone(files: InputFiles, folder: Path) -> InputFiles:
    """Tidy files whose scores are 1, 2, 3 … in the order of the old ones, query by query; equal scores stay equal."""
    result = canonical(files, folder)
    distinct: dict[bytes, set[float]] = defaultdict(set)
    for columns in _lines(result.run):
        distinct[columns[0]].add(float(columns[4]))
    steps = {
        query: {score: number for number, score in enumerate(sorted(scores), start=1)}
        for query, scores in distinct.items()
    }
    lines = [
        b" ".join((*columns[:4], b"%d" % steps[columns[0]][float(columns[4])], b"probe")) + b"\n"
        for columns in _lines(result.run)
    ]
    result.run.write_bytes(b"".join(lines))
    return result


def perfect(files: InputFiles, folder: Path) -> InputFiles:
    """Tidy qrels, and as the run the judgments themselves: grades falling, no two scores equal."""
    result = canonical(files, folder)
    judged: dict[bytes, list[tuple[float, bytes]]] = defaultdict(list)
    for query, _, doc, grade in _lines(result.qrels):
        judged[query].append((float(grade), doc))
    with result.run.open("wb") as out:
        for query, docs in judged.items():
            docs.sort(key=lambda each: -each[0])
            for rank, (_, doc) in enumerate(docs, start=1):
                out.write(b"%s Q0 %s %d %d probe\n" % (query, doc, rank, len(docs) - rank + 1))
    return result
