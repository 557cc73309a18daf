"""Closed forms: the expected values of cases, as formulas over exact numbers.

`1/log2(3)`, `(2 + 3/log2(4)) / 5`, `sqrt(2) - 1`. A form is read with `ast`; only numbers,
`+ - * / **`, parentheses and the functions log2, log (natural) and sqrt are let through, and
nothing is ever run as Python. Values are computed by mpmath at 50 digits.
"""

# mpmath has no type stubs; every value that it returns here is an mpf.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import mpmath
from mpmath import mpf

from ndcgauge.errors import InputError

DIGITS = 50
"""Decimal digits that forms are evaluated at."""
LONGEST = 4000
"""Characters of a form; the longest that is needed sums over the ranks of 120 tied documents."""
DEEPEST = 300
"""Levels of nesting: a sum of n terms has n."""
LARGEST_EXPONENT = 4096
"""Bound of |exponent| in `**`; 2**1024 is the first power of two that a double cannot hold."""
LONGEST_NUMBER = 40
"""Digits of a number as written, so that each is exact at `DIGITS`."""

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_STRANGER = re.compile(r"[^0-9a-z.,()+*/ \t\r\n-]")
"""A character that no form has. Python would take `#` for a comment, and wide letters for plain ones."""
_FORM = "numbers, + - * / **, parentheses, log2(x), log(x) and sqrt(x)"


@dataclass(frozen=True)
class ClosedForm:
    """A formula that was read and has a finite value."""

    text: str

    def __post_init__(self) -> None:
        # Evaluated at once: a form that has no value must not live.
        _ = self.value

    @cached_property
    def value(self) -> mpf:
        """The value at 50 digits. Raises InputError as `evaluate_form` does."""
        return evaluate_form(self.text)

    def equals(self, other: ClosedForm) -> bool:
        """Whether two forms have one value: to 40 digits, far beyond what a double can tell apart."""
        with mpmath.workdps(DIGITS):
            difference: mpf = self.value - other.value
            size: mpf = self.value if self.value > 0 else -self.value
            return -size <= difference * mpf(10) ** 40 <= size


def mean_form(forms: list[ClosedForm]) -> ClosedForm:
    """The arithmetic mean of one or more forms, as a form."""
    if len(forms) == 1:
        return forms[0]
    return ClosedForm(f"({' + '.join(f'({form.text})' for form in forms)}) / {len(forms)}")


def evaluate_form(text: str) -> mpf:
    """The value of a closed form at 50 digits.

    Raises InputError for anything that is not made of numbers, `+ - * / **`, parentheses, log2,
    log and sqrt; for a form, number, exponent or nesting beyond the bounds of this module; and
    where the form has no real value (division by 0, the logarithm of 0 ...).
    """
    if len(text) > LONGEST:
        raise _refused(text, f"it has {len(text):,} characters, more than {LONGEST:,}")
    stranger = _STRANGER.search(text)
    if stranger is not None:
        raise _refused(text, f"{stranger.group()!r} may not stand in it")
    stripped = text.strip()
    try:
        tree = ast.parse(stripped, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _refused(text, "it is no formula") from None
    with mpmath.workdps(DIGITS):
        return _Evaluation(stripped).of(tree.body, 0)


class _Evaluation:
    """One walk over the tree of a form."""

    def __init__(self, text: str) -> None:
        self._text = text

    def of(self, node: ast.expr, depth: int) -> mpf:
        if depth > DEEPEST:
            raise _refused(self._text, f"it is nested more than {DEEPEST} deep")
        match node:
            case ast.Constant():
                return self._number(node)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.of(operand, depth + 1)
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self.of(left, depth + 1), self.of(right, depth + 1))
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _FUNCTIONS:
                return self._function(name, self.of(argument, depth + 1))
            case _:
                part = ast.get_source_segment(self._text, node) or self._text
                raise _refused(self._text, f"{part!r} may not stand in it")

    def _number(self, node: ast.Constant) -> mpf:
        # The text, not the constant: ast has already made a float of 0.1.
        text = ast.get_source_segment(self._text, node) or ""
        if not _NUMBER.fullmatch(text):
            raise _refused(self._text, f"{text!r} is no decimal number")
        if len(text) > LONGEST_NUMBER:
            raise _refused(self._text, f"the number {text[:10]}… has more than {LONGEST_NUMBER} digits")
        return mpf(text)

    def _binary(self, op: ast.operator, left: mpf, right: mpf) -> mpf:
        match op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Div():
                if right == 0:
                    raise _refused(self._text, "it divides by 0")
                return left / right
            case ast.Pow():
                return self._power(left, right)
            case _:
                raise _refused(self._text, "its only operators are + - * / **")

    def _power(self, base: mpf, exponent: mpf) -> mpf:
        if abs(exponent) > LARGEST_EXPONENT or abs(base) > mpf(10) ** LONGEST_NUMBER:
            raise _refused(self._text, f"an exponent is beyond {LARGEST_EXPONENT}, or its base too large")
        if base == 0 and exponent < 0:
            raise _refused(self._text, "it divides by 0")
        if base < 0 and exponent != int(exponent):
            raise _refused(self._text, "a broken power of a negative number is not real")
        return base**exponent

    def _function(self, name: str, argument: mpf) -> mpf:
        if argument < 0 or (argument == 0 and name != "sqrt"):
            raise _refused(self._text, f"{name} of {mpmath.nstr(argument, 5)} is not real")
        return _FUNCTIONS[name](argument)


def _log2(x: mpf) -> mpf:
    return mpmath.log(x, 2)


def _log(x: mpf) -> mpf:
    return mpmath.log(x)


def _sqrt(x: mpf) -> mpf:
    # Real, since `_function` lets no negative number through.
    return mpmath.sqrt(x)  # pyright: ignore[reportReturnType]


_FUNCTIONS: dict[str, Callable[[mpf], mpf]] = {"log2": _log2, "log": _log, "sqrt": _sqrt}


def _refused(text: str, why: str) -> InputError:
    shown = text if len(text) <= 80 else text[:80] + "…"
    return InputError(f"the closed form {shown!r} cannot be read: {why}", fix=f"a closed form has {_FORM}")
