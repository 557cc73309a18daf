"""The file in which an adapter shows the order that it scored: a line a query, its id and its documents in that order.

One space stands between: no id has one, as they come from TREC files. Ids are the bytes of these files.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from pathlib import Path


def shown_lists(path: Path) -> dict[str, bytes]:
    """Query id to the bytes of its documents, best first, a space between; of a query that stands twice, the last."""
    found: dict[str, bytes] = {}
    data = path.read_bytes()
    begin = 0
    while begin < len(data):
        newline = data.find(b"\n", begin)
        newline = len(data) if newline < 0 else newline
        end = newline - data.endswith(b"\r", begin, newline)
        space = data.find(b" ", begin, end)
        query = data[begin : end if space < 0 else space].decode("utf-8", "surrogateescape")
        # One copy of what may be thousands of ids, and no other.
        found[query] = b"" if space < 0 else data[space + 1 : end]
        begin = newline + 1
    return found


def first_wrong_line(path: Path) -> int | None:
    """The number, from 1, of the first line that is no query and documents; None where all are.

    Raises OSError where the file cannot be read.
    """
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            text = line.rstrip(b"\r\n")
            if not all(text.split(b" ")) or b"\r" in text or b"\t" in text or text.startswith(BOM_UTF8):
                return number
    return None
