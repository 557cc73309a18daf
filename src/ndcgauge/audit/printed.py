"""A number as it was printed: its decimals, and which values would have been printed so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Literal

from ndcgauge.errors import UsageError

Rounding = Literal["half-even and half-up", "half-even", "half-up"]
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
NOISE = 1e-9
"""What the order of additions may move a mean by; a value this close to a half may be rounded either way."""
_DIGITS = 12
"""Decimals at which a float is read as the number that was meant, before it is rounded."""


@dataclass(frozen=True)
class Printed:
    """A number with the decimals that its text states."""

    text: str
    """As it was printed, a percent sign included."""
    value: Decimal
    """As a fraction where it was printed with a percent sign."""
    decimals: int
    """Of `value`."""

    @property
    def number(self) -> float:
        """The value as a float."""
        return float(self.value)

    @property
    def step(self) -> float:
        """One unit of the last printed decimal."""
        return 10.0**-self.decimals

    def near(self, value: float) -> bool:
        """Whether a value may round to the number: a quick test that lets a hair too much pass."""
        return abs(value - self.number) <= 0.5 * self.step + NOISE

    def rounding(self, value: float) -> Rounding | None:
        """By which rule a value rounds to the number; None where by none (or where it is undefined).

        The rules differ only where a value stands on a half, up to the noise of adding floats:
        C's printf rounds an exact half to even, people and spreadsheets round it up.
        """
        if not self.near(value):
            return None
        unit = Decimal(1).scaleb(-self.decimals)
        meant = Decimal(value).quantize(Decimal(1).scaleb(-max(_DIGITS, self.decimals + 2)), ROUND_HALF_EVEN)
        even = self.value in (
            meant.quantize(unit, ROUND_HALF_EVEN),
            # The exact binary value, as printf sees it.
            Decimal(value).quantize(unit, ROUND_HALF_EVEN),
        )
        up = meant.quantize(unit, ROUND_HALF_UP) == self.value
        if even and up:
            return "half-even and half-up"
        if even:
            return "half-even"
        return "half-up" if up else None

    def scaled(self, power: int) -> Printed:
        """The number times 10^power, with as many digits: 71.37 in percent is 0.7137."""
        return Printed(self.text, self.value.scaleb(power), max(0, self.decimals - power))


def parse_printed(text: str) -> Printed:
    """Reads `0.7137`, `.714`, `71.37%`. The decimals of the text count: 0.710 has three.

    Raises UsageError for anything that is no plain decimal number.
    """
    plain = text.strip()
    percent = plain.endswith("%")
    digits = plain.removesuffix("%").strip()
    if not _NUMBER.fullmatch(digits):
        raise UsageError(f"{text!r} is no printed number", fix="write it as the source prints it: 0.7137, .714, 71.37%")
    try:
        value = Decimal(digits)
    except InvalidOperation as error:
        raise UsageError(f"{text!r} is no printed number") from error
    decimals = len(digits.partition(".")[2])
    if decimals > 15:
        raise UsageError(f"{text!r} has {decimals} decimals", fix="a float has about 15 that mean something")
    return Printed(plain, value.scaleb(-2), decimals + 2) if percent else Printed(plain, value, decimals)
