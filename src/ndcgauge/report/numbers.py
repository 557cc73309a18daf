"""Numbers as reports show them. The document keeps every digit; forms for people round."""

from __future__ import annotations

NOTHING = 1e-12
"""Below this a difference is the noise of adding floats, and is shown as 0."""


def number(value: float | None, places: int = 6) -> str:
    """A value with a fixed number of places; a dash where there is none."""
    return "–" if value is None else f"{value:.{places}f}"


def signed(value: float, places: int = 6) -> str:
    """A difference with its sign. What these places would hide is written with an exponent; noise is 0."""
    if abs(value) <= NOTHING:
        return "0"
    text = f"{value:+.{places}f}"
    return f"{value:+.0e}" if float(text) == 0 else text
