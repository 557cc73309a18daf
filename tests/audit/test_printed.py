from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcgauge.audit.printed import parse_printed
from ndcgauge.errors import UsageError


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [
        ("0.7137", "0.7137", 4),
        (".71", "0.71", 2),
        ("0.710", "0.710", 3),
        ("71.37%", "0.7137", 4),
        ("12", "12", 0),
        ("-0.5", "-0.5", 1),
    ],
)
def test_the_decimals_of_the_text_count(text: str, value: str, decimals: int) -> None:
    printed = parse_printed(text)
    assert (printed.value, printed.decimals) == (Decimal(value), decimals)


@pytest.mark.parametrize("text", ["", "nan", "inf", "1e-3", "0,71", "0.7 1", "0.1234567890123456", "--1", "%"])
def test_what_is_no_printed_number_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_printed(text)


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        ("0.71", 0.7149, "half-even and half-up"),
        ("0.71", 0.7151, None),
        # On a half: to even by printf, up by hand.
        ("0.12", 0.125, "half-even"),
        ("0.13", 0.125, "half-up"),
        ("0.38", 0.375, "half-even and half-up"),
        ("0.37", 0.375, None),
        # 0.285 is a little less in binary: printf gives 0.28 (even as well), people 0.29.
        ("0.28", 0.285, "half-even"),
        ("0.29", 0.285, "half-up"),
        # 2.675 is a little less in binary than it looks: printf gives 2.67, half-even of the decimal 2.68.
        ("2.67", 2.675, "half-even"),
        ("2.68", 2.675, "half-even and half-up"),
    ],
)
def test_both_roundings_are_accepted_and_said(text: str, value: float, rule: str | None) -> None:
    assert parse_printed(text).rounding(value) == rule


def test_nothing_rounds_to_a_number_but_values_near_it() -> None:
    printed = parse_printed("0.5")
    assert printed.rounding(float("nan")) is None
    assert printed.rounding(float("inf")) is None


@given(st.floats(0, 1), st.integers(1, 8))
def test_what_printf_prints_is_accepted(value: float, decimals: int) -> None:
    assert parse_printed(f"{value:.{decimals}f}").rounding(value) is not None
