from __future__ import annotations

import math

import mpmath
import pytest
from mpmath import mpf

from ndcgauge.errors import InputError
from ndcgauge.suite.closed_form import DEEPEST, LONGEST, ClosedForm, evaluate_form, mean_form


def digits(text: str) -> mpf:
    with mpmath.workdps(50):
        return mpf(text)


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("1", 1),
        ("1 + 2*3", 7),
        ("(1 + 2)*3", 9),
        ("-3", -3),
        ("--3", 3),
        ("2**-2", 0.25),
        ("-2**2", -4),
        ("2**3**2", 512),
        ("log2(8)", 3),
        ("log2(1)", 0),
        ("sqrt(9)", 3),
        ("sqrt(0)", 0),
        ("log(1)", 0),
        ("  1/4 ", 0.25),
    ],
)
def test_a_form_has_the_value_of_its_arithmetic(form: str, value: float) -> None:
    assert evaluate_form(form) == value


@pytest.mark.parametrize(
    ("form", "value"),
    [
        # 50 digits of tables: ln 2, log2 3 and the square root of 2.
        ("log(2)", "0.69314718055994530941723212145817656807550013436026"),
        ("log2(3)", "1.5849625007211561814537389439478165087598144076925"),
        ("sqrt(2)", "1.4142135623730950488016887242096980785696718753769"),
        ("1/3", "0.33333333333333333333333333333333333333333333333333"),
    ],
)
def test_values_have_fifty_digits(form: str, value: str) -> None:
    with mpmath.workdps(60):
        assert abs(evaluate_form(form) - digits(value)) < mpf(10) ** -48


def test_a_decimal_is_the_number_that_is_written_not_its_double() -> None:
    assert ClosedForm("0.1").equals(ClosedForm("1/10"))
    with mpmath.workdps(60):
        assert abs(evaluate_form("0.1") - mpf(0.1)) > mpf(10) ** -20


def test_a_power_beyond_doubles_is_a_number() -> None:
    assert math.isinf(float(evaluate_form("2**1024")))
    assert evaluate_form("2**1024 / 2**1023") == 2


@pytest.mark.parametrize(
    "form",
    [
        "",
        "x",
        "1 +",
        "1; 2",
        "1, 2",
        "[1]",
        "True",
        "None",
        "'1'",
        "1 if 1 else 2",
        "1 < 2",
        "1 // 2",
        "1 % 2",
        "1 | 2",
        "+1",
        "~1",
        "1e5",
        "1_000",
        "0x10",
        "1j",
        ".5",
        "5.",
        "log2",
        "log2()",
        "log2(1, 2)",
        "log2(x=1)",
        "log2(*[1])",
        "exp(1)",
        "abs(1)",
        "(lambda: 1)()",
        "__import__('os').system('true')",
        "math.log2(3)",
        "missing",
        "\0",
        # Found by nox -s fuzz: a comment went through, and closed the parenthesis that a mean puts around a form.
        "2/1 # \t",
        # Python takes wide and mathematical letters for plain ones.
        "ｌｏｇ(2)",
        "𝐥𝐨𝐠2(2)",
        "1\u00a0+ 2",
    ],
)
def test_anything_else_than_arithmetic_is_refused(form: str) -> None:
    with pytest.raises(InputError, match="closed form"):
        evaluate_form(form)


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ("1/0", "divides by 0"),
        ("1/(1 - 1)", "divides by 0"),
        ("0**-1", "divides by 0"),
        ("log2(0)", "not real"),
        ("log(-1)", "not real"),
        ("sqrt(-1)", "not real"),
        ("(-2)**0.5", "not real"),
    ],
)
def test_a_form_without_a_real_value_is_refused(form: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        evaluate_form(form)


@pytest.mark.parametrize(
    "form",
    [
        "9**9**9",
        "2**4097",
        "2**-4097",
        "(10**50)**2",
        "1" * 41,
        "1 + " * LONGEST + "1",
        "-" * (DEEPEST + 2) + "1",
        "(" * 1000 + "1" + ")" * 1000,
        "1+" * (DEEPEST + 2) + "1",
    ],
)
def test_a_form_beyond_the_bounds_is_refused(form: str) -> None:
    with pytest.raises(InputError, match="closed form"):
        evaluate_form(form)


def test_a_sum_over_the_ranks_of_120_documents_is_within_the_bounds() -> None:
    form = " + ".join(f"1/log2({rank + 1})" for rank in range(1, 121))
    assert float(evaluate_form(form)) == pytest.approx(math.fsum(1 / math.log2(r + 1) for r in range(1, 121)))


def test_an_error_says_what_a_form_may_have() -> None:
    with pytest.raises(InputError) as refusal:
        evaluate_form("1 + exp(2)")
    assert "exp(2)" in str(refusal.value)
    assert "log2(x)" in str(refusal.value)


def test_forms_are_read_when_they_are_made() -> None:
    with pytest.raises(InputError):
        ClosedForm("1/0")


def test_forms_are_equal_by_value() -> None:
    assert ClosedForm("1/log2(4)").equals(ClosedForm("1/2"))
    assert ClosedForm("0").equals(ClosedForm("1 - 1"))
    assert ClosedForm("-1").equals(ClosedForm("1 - 2"))
    assert not ClosedForm("1/3").equals(ClosedForm("0." + "3" * 30))
    assert not ClosedForm("1/2").equals(ClosedForm("-1/2"))


def test_a_mean_is_the_sum_over_the_number() -> None:
    assert mean_form([ClosedForm("1/2")]).text == "1/2"
    assert mean_form([ClosedForm("1"), ClosedForm("1/2"), ClosedForm("1/3")]).equals(ClosedForm("11/18"))
