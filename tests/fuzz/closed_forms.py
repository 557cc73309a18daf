"""What must hold of the parser of closed forms for any text: a value that is finite and repeats, or an InputError."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import mpmath

from ndcgauge.errors import InputError
from ndcgauge.suite.closed_form import LONGEST, evaluate_form

CASES = Path(__file__).resolve().parents[2] / "cases"
REFUSED = (
    "",
    "()",
    "1 +",
    "1/0",
    "0**-1",
    "log2(0)",
    "log(-1)",
    "sqrt(-1)",
    "(-8)**(1/3)",
    "2**99999",
    "9**9**9**9",
    "1e5",
    "0x10",
    "1_000",
    "1j",
    "True",
    "'a'",
    "f'{1}'",
    "x",
    "log2",
    "log2()",
    "log2(1, 2)",
    "log2(x=1)",
    "__import__('os')",
    "(lambda: 1)()",
    "[1]",
    "1 if 1 else 2",
    "1 < 2",
    "~1",
    "1 // 2",
    "1 % 2",
    "(" * 400 + "1" + ")" * 400,
    "1" * 5000,
    "1\n+1",
    "1;2",
    "\x00",
    "+1",
)


class Broken(AssertionError):
    """Something that must hold does not."""


def one_input(data: bytes) -> None:
    """Evaluates the text. Raises Broken for a value that is no finite number or is another in parentheses, and
    whatever the parser raises that is no InputError."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        value = evaluate_form(text)
    except InputError as error:
        if not error.message or not error.fix:
            raise Broken(f"an error without a fix: {error}") from None
        return
    if not mpmath.isfinite(value):
        raise Broken(f"{text!r} is {value}")
    stripped = text.strip()
    if len(stripped) + 2 <= LONGEST and (again := evaluate_form(f"({stripped})")) != value:
        raise Broken(f"{text!r} is {value}, and {again} in parentheses")


def seeds() -> Iterator[bytes]:
    """Every form of the suite's cases, and texts that are refused."""
    found: set[str] = set(REFUSED)
    for path in CASES.glob("*/*.toml"):
        for expected in tomllib.loads(path.read_text(encoding="utf-8")).get("expect", ()):
            found.update(value for key, value in expected.items() if key != "note" and isinstance(value, str))
    for text in sorted(found):
        yield text.encode("utf-8", "surrogateescape")
