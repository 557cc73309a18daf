"""What must hold of the readers for any bytes: an error that names the file and a fix, or one collection by both ways.

The first three bytes of an input choose what is read and how, the rest is the file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.cli.malformed import all_of_them
from tests.data import formats
from tests.data.writing import LINE_BY_LINE, contents

from ndcgauge.data.collection import DEFAULT_NEEDS
from ndcgauge.data.detection import QRELS_FORMATS, RUN_FORMATS
from ndcgauge.data.options import ReadingOptions
from ndcgauge.data.reading import qrels_with, run_with
from ndcgauge.data.sources import open_source
from ndcgauge.errors import InputError
from ndcgauge.reference.evaluate import evaluate
from ndcgauge.spec import MetricSpec

LONGEST = 1 << 14
"""Bytes of an input that are looked at."""
MOST = 1 << 20
"""Unpacked bytes: a bomb ends here."""
PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
"""How gzip and zstd begin."""
GOOD = {"qrels": b"q1 0 d1 1\nq1 0 d2 0\n", "run": b"q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\n"}
ROLES = ("qrels", "run")
FORMS = {"qrels": tuple(QRELS_FORMATS), "run": tuple(RUN_FORMATS)}
DUPLICATES = ("error", "first", "last", "all")
NULS = ("error", "stop", "keep")
TIES = ("docid-desc", "average", "line")


class Broken(AssertionError):
    """Something that must hold does not."""


@cache
def folder() -> TemporaryDirectory[str]:
    """A private folder for the files, as long as the process."""
    return TemporaryDirectory(prefix="ndcgauge-fuzz-")


def choice(data: bytes) -> tuple[str, ReadingOptions, int]:
    """The role, how it is read, and the size of a block, from three bytes."""
    role = ROLES[data[0] % 2]
    form = FORMS[role][data[0] // 2 % len(FORMS[role])]
    on_duplicate, on_nul = DUPLICATES[data[1] % 4], NULS[data[1] // 4 % 3]
    forms = {f"{role}_format": form}
    return role, ReadingOptions(DEFAULT_NEEDS, on_duplicate, on_nul, **forms), 1 + data[2]


def outcome(role: str, options: ReadingOptions, path: Path) -> dict[str, object] | InputError:
    """All that a collection holds, or the error. Raises Broken for an error that does not help."""
    paths = {each: Path(folder().name) / f"good-{each}" for each in ROLES} | {role: path}
    try:
        sources = {each: open_source(given, max_bytes=MOST) for each, given in paths.items()}
        loaded = run_with(qrels_with(sources["qrels"], options), sources["run"], options)
    except InputError as error:
        data = path.read_bytes()
        lines = math.inf if data.startswith(PACKED) else data.count(b"\n") + 1
        if error.file != str(path) or not error.message or (error.line or 1) > lines:
            raise Broken(f"the error is not about a place in the file: {error}") from None
        return error
    repeats = {f"{each}_duplicates": options.on_duplicate for each in ROLES}
    specs = [MetricSpec.of("ndcg", {"cutoff": "10", "ties": ties, **repeats}) for ties in TIES]
    for value in evaluate(loaded.collection, specs).means.tolist():
        # Negative grades are no judgments here. Where every repeat counts, a document may gain twice what it is judged.
        largest = math.inf if options.on_duplicate == "all" else 1 + 1e-9
        if not (math.isnan(value) or 0 <= value <= largest):
            raise Broken(f"nDCG is {value}")
    return contents(loaded.collection)


def one_input(data: bytes) -> None:
    """Reads it line by line and in small blocks. Raises Broken where these differ, and whatever a reader raises
    that is no InputError."""
    if not 3 < len(data) <= LONGEST:
        return
    role, options, block = choice(data)
    here = Path(folder().name)
    for each, good in GOOD.items():
        if not (here / f"good-{each}").exists():
            (here / f"good-{each}").write_bytes(good)
    path = here / "file"
    path.write_bytes(data[3:])
    by_line = outcome(role, replace(options, block=1 << 20, small=LINE_BY_LINE), path)
    by_block = outcome(role, replace(options, block=block, small=0), path)
    if isinstance(by_line, InputError) and isinstance(by_block, InputError):
        # Of several errors in a file, another may be met first.
        return
    if by_line != by_block:
        raise Broken(f"by line: {by_line}\nin blocks: {by_block}")


def seeds() -> Iterator[bytes]:
    """Every malformed file of the tests that is short enough, and a good one of each format; sniffed and forced."""
    lines = [("q1", "d1", 2), ("q1", "d2", 1), ("007", "é", 0)]
    numbers = [(query, doc, float(number)) for query, doc, number in lines]
    parquet = formats.parquet(Path(folder().name) / "seed.parquet", numbers)
    good = {
        "qrels": [
            formats.trec_qrels(lines),
            formats.beir(lines),
            formats.nested(lines),
            formats.json_lines(lines),
            parquet,
        ],
        "run": [formats.trec_run(numbers), formats.beir(numbers), formats.nested(numbers), parquet, b"q1\td1\t1\n"],
    }
    files = [(role, data) for role, all_good in good.items() for data in all_good]
    files += [(each.role, each.data) for each in all_of_them()]
    for place, (role, data) in enumerate(files):
        if len(data) < LONGEST:
            # Every fourth seed reads repeats, every third NULs, in another way.
            yield bytes((ROLES.index(role), place % 12, place % 251)) + data
