"""What `--max-bytes` takes."""

from __future__ import annotations

import re

from ndcgauge.errors import UsageError

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_SIZE = re.compile(r"(\d{1,15})([kmgt]?)(?:i?b)?", re.IGNORECASE)


def parse_size(text: str) -> int:
    """A number of bytes: `500000`, `500M`, `8G`, `8GiB`; the letters stand for powers of 1024.

    Raises UsageError for anything else, and for 0.
    """
    found = _SIZE.fullmatch(text.strip())
    size = int(found[1]) * _UNITS[found[2].lower()] if found else 0
    if not size:
        raise UsageError(f"--max-bytes {text!r} is no size", fix="for example 500M or 8G")
    return size
