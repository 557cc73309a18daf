"""Lines that begin with `#`: kept as the metadata of a run or qrels."""

from __future__ import annotations

MOST = 1000
"""Comment lines that are kept; what a file says about itself is said at its head."""


class Comments:
    """The first comment lines of a file."""

    def __init__(self) -> None:
        self.kept: list[bytes] = []

    def add(self, data: bytes) -> None:
        """Takes the comment lines out of whole lines of a file."""
        position = 0 if data.startswith(b"#") else _next(data, 0)
        while position >= 0 and len(self.kept) < MOST:
            end = data.find(b"\n", position)
            end = len(data) if end < 0 else end
            self.kept.append(data[position:end].rstrip(b"\r"))
            position = end + 1 if data[end + 1 : end + 2] == b"#" else _next(data, end)


def _next(data: bytes, position: int) -> int:
    """Where the next comment line begins; -1 where there is none."""
    # One byte is found ten times as fast as two, and most blocks have no such byte.
    if data.find(b"#", position) < 0:
        return -1
    found = data.find(b"\n#", position)
    return found + 1 if found >= 0 else -1
