"""Canonical text of the numbers that stand inside axis values."""

from __future__ import annotations

import math


def canonical_number(text: str) -> str:
    """The shortest text of a finite number: `2.0` and `2` are one value, `2`.

    Raises ValueError if `text` is no finite number.
    """
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is not a finite number")
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def positive_integer(text: str) -> str:
    """The canonical text of an integer of at least 1; ValueError otherwise."""
    value = int(text)
    if value < 1:
        raise ValueError(f"{text!r} is less than 1")
    return str(value)
