"""`--tolerance` as users write it."""

from __future__ import annotations

import math

from ndcgauge.errors import UsageError


def parse_tolerance(text: str) -> float:
    """`1e-12` is absolute; `8ulp` is that many units in the last place of a value just below 1 (2^-53 each).

    Raises UsageError for anything else.
    """
    number = text.strip().lower()
    unit = 1.0
    if number.endswith("ulp"):
        number, unit = number.removesuffix("ulp"), 2.0**-53
    try:
        value = float(number) * unit
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise UsageError(f"--tolerance {text!r} is no tolerance", fix="for example 1e-9 or 8ulp")
    return value
