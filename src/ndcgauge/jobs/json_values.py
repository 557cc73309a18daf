"""Ids and numbers as JSON can hold them."""

from __future__ import annotations

import math
import sys


def safe(text: str) -> str:
    """Ids whose bytes are no UTF-8 keep their place in JSON: lone surrogates as \\udcXX escapes."""
    # Every run of a call has the same ids: one copy of each is kept, not one a run.
    return sys.intern(text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))


def finite(number: float | None) -> float | None:
    """The number, or None where it is undefined: JSON has no NaN."""
    return None if number is None or not math.isfinite(number) else number
