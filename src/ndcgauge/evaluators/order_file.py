"""The file in which an adapter shows the order that it scored: a line a query, its id and its documents in that order.

One space stands between: no id has one, as they come from TREC files.
"""

from __future__ import annotations

from pathlib import Path


def shown_lists(path: Path) -> dict[str, bytes]:
    """Query id to the bytes of its documents, best first, a space between; of a query that stands twice, the last."""
    found: dict[str, bytes] = {}
    with path.open("rb") as lines:
        for line in lines:
            query, _, docs = line.rstrip(b"\n").partition(b" ")
            found[query.decode("utf-8", "surrogateescape")] = docs
    return found


def first_wrong_line(path: Path) -> int | None:
    """The number, from 1, of the first line that is no query and documents; None where all are.

    Raises OSError where the file cannot be read.
    """
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not all(line.removesuffix(b"\n").split(b" ")) or b"\r" in line or b"\t" in line:
                return number
    return None
