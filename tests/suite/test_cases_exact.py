"""Every expectation of every case against the two implementations, each of which was written without the other.

A case's numbers are derived by hand; where one of the three disagrees, one is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import mpmath
import pytest
from mpmath import mpf

from ndcgauge.data.collection import Collection, Needs
from ndcgauge.data.reading import read_collection
from ndcgauge.data.sources import open_source
from ndcgauge.errors import InputError, UsageError
from ndcgauge.reference import evaluate
from ndcgauge.reference.exact import ExactLine, ExactQrel, exact_evaluate
from ndcgauge.spec import MEASURES, MetricSpec
from ndcgauge.suite.closed_form import ClosedForm
from ndcgauge.suite.loading import load_cases, write_pair
from ndcgauge.suite.model import Case, Expectation, Expected, Interval, Undefined

REFERENCE_TOLERANCE = mpf(10) ** -14
EXACT_TOLERANCE = mpf(10) ** -30
ORDERS_WITHOUT_A_VALUE = ("random", "observed")
ORDERS_ENUMERATED = ("average", "best", "worst", *ORDERS_WITHOUT_A_VALUE)
MOST_ENUMERATED = 7
"""Documents in a tie that the exact implementation enumerates: 7! orders."""
DUPLICATES = ("run_duplicates", "qrels_duplicates")

EXPECTATIONS = [(case, expectation) for case in load_cases() for expectation in case.expectations]


def params(wanted: Callable[[Expectation], bool] = lambda _: True, xfail: dict[str, str] | None = None) -> list[object]:
    found: list[object] = []
    for case, expectation in EXPECTATIONS:
        if wanted(expectation):
            name = f"{case.id}[{expectation.label}]"
            reason = (xfail or {}).get(name)
            marks = () if reason is None else pytest.mark.xfail(strict=True, reason=reason)
            found.append(pytest.param(case, expectation, id=name, marks=marks))
    return found


def needs(spec: MetricSpec) -> Needs:
    minimum, unretrieved = spec["min_score"], spec["unretrieved"]
    return Needs(
        frozenset() if minimum == "none" else frozenset({float(minimum)}),
        frozenset({float(unretrieved.removeprefix("score:"))}) if unretrieved.startswith("score:") else frozenset(),
    )


def read(case: Case, spec: MetricSpec, folder: Path) -> Collection:
    qrels, run = write_pair(case, folder)
    repeats = any(spec[axis] != "error" for axis in DUPLICATES)
    return read_collection(
        open_source(qrels),
        open_source(run),
        needs=needs(spec),
        on_duplicate="all" if repeats else "error",
        on_nul=spec["nul"],
    ).collection


def near(found: float | mpf, form: ClosedForm, tolerance: mpf) -> bool:
    with mpmath.workdps(60):
        return bool(abs(mpf(found) - form.value) <= tolerance * abs(form.value))


def assert_equal(found: float | mpf | None, expected: Expected, tolerance: mpf, what: str) -> None:
    match expected:
        case Undefined():
            assert found is None or mpmath.isnan(found), f"{what}: {found} where nothing is defined"
        case ClosedForm():
            assert found is not None, f"{what}: undefined, not {expected.text}"
            assert not mpmath.isnan(found), f"{what}: NaN, not {expected.text}"
            assert near(found, expected, tolerance), f"{what}: {found}, not {expected.text} = {expected.value}"
        case Interval():
            pytest.fail(f"{what}: an interval has two ends, each of its own specification")


def ends(expectation: Expectation) -> Iterator[tuple[MetricSpec, dict[str, Expected], Expected]]:
    """The specifications that have a value: the expectation's own, or the two ends of its intervals."""
    if expectation.spec["ties"] not in ORDERS_WITHOUT_A_VALUE:
        yield expectation.spec, dict(expectation.values), expectation.mean
        return

    def end(expected: Expected, side: str) -> Expected:
        assert isinstance(expected, Interval)
        return expected.worst if side == "worst" else expected.best

    for side in ("worst", "best"):
        values = {query: end(expected, side) for query, expected in expectation.values.items()}
        yield expectation.spec.replace(ties=side), values, end(expectation.mean, side)


@pytest.mark.parametrize(("case", "expectation"), params())
def test_the_reference_computes_what_the_case_derives(case: Case, expectation: Expectation, tmp_path: Path) -> None:
    if expectation.refused is not None:
        with pytest.raises(InputError if expectation.refused == "input" else UsageError):
            evaluate(read(case, expectation.spec, tmp_path), [expectation.spec])
        return
    for spec, values, mean in ends(expectation):
        scores = evaluate(read(case, spec, tmp_path), [spec])
        found = scores.of(spec)
        assert found.keys() == values.keys()
        for query, expected in values.items():
            assert_equal(found[query], expected, REFERENCE_TOLERANCE, query)
        assert_equal(scores.mean(spec), mean, REFERENCE_TOLERANCE, "mean")


@pytest.mark.parametrize(("case", "expectation"), params(lambda each: bool(each.printed)))
def test_what_is_printed_is_the_value_as_printf_rounds_it(case: Case, expectation: Expectation) -> None:
    del case
    places = expectation.spec["rounding"]
    for name, text in expectation.printed.items():
        expected = expectation.mean if name == "mean" else expectation.values[name]
        assert isinstance(expected, ClosedForm)
        assert format(float(expected.value), f".{places}f") == text


@pytest.mark.parametrize(
    ("case", "expectation"),
    params(lambda each: not each.mean_is_macro and each.spec["averaging"] == "macro"),
)
def test_a_mean_that_is_written_repeats_what_follows_from_the_values(case: Case, expectation: Expectation) -> None:
    del case
    forms = [form for form in expectation.values.values() if isinstance(form, ClosedForm)]
    assert len(forms) == len(expectation.values) > 0
    with mpmath.workdps(60):
        mean = sum((form.value for form in forms), mpf(0)) / len(forms)
    assert isinstance(expectation.mean, ClosedForm)
    assert near(mean, expectation.mean, mpf(10) ** -45)


def columns(data: bytes, on_nul: str) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and columns, read here and not by ndcgauge's readers."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if on_nul == "stop":
        data = data.split(b"\0")[0]
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.split() and not line.startswith(b"#"):
            yield number, [each.decode("utf-8", "surrogateescape") for each in line.split()]


def is_about_values(expectation: Expectation) -> bool:
    """Files that no reader lets through never reach the exact implementation; repeated lines do."""
    repeats = any(axis in expectation.when for axis in DUPLICATES)
    return expectation.refused != "input" or repeats


def exact_lines(case: Case, on_nul: str) -> tuple[list[ExactQrel], list[ExactLine]]:
    qrels = [
        ExactQrel(query, doc, Fraction(grade), number) for number, (query, _, doc, grade) in columns(case.qrels, on_nul)
    ]
    run = [
        ExactLine(query, doc, float(rank), float(score), number)
        for number, (query, _, doc, rank, score, *_) in columns(case.run, on_nul)
    ]
    return qrels, run


def has_too_many_orders(case: Case, spec: MetricSpec) -> bool:
    """Whether the one tie of a case about ties has more orders than the exact implementation enumerates."""
    _, run = exact_lines(case, "error")
    return spec["ties"] in ORDERS_ENUMERATED and len(run) > MOST_ENUMERATED and len({each.score for each in run}) == 1


EVALUABLE = [(case, each) for case, each in EXPECTATIONS if is_about_values(each)]
LARGE = [
    (case, each) for case, each in EVALUABLE if each.spec["nul"] == "error" and has_too_many_orders(case, each.spec)
]


def named(pairs: Iterable[tuple[Case, Expectation]]) -> list[object]:
    return [pytest.param(case, each, id=f"{case.id}[{each.label}]") for case, each in pairs]


@pytest.mark.parametrize(("case", "expectation"), named(pair for pair in EVALUABLE if pair not in LARGE))
def test_the_exact_implementation_computes_what_the_case_derives(case: Case, expectation: Expectation) -> None:
    if expectation.refused is not None:
        qrels, run = exact_lines(case, expectation.spec["nul"])
        with pytest.raises(InputError if expectation.refused == "input" else UsageError):
            exact_evaluate(qrels, run, expectation.spec)
        return
    for spec, values, mean in ends(expectation):
        scores = exact_evaluate(*exact_lines(case, spec["nul"]), spec)
        assert scores.values.keys() == values.keys()
        for query, expected in values.items():
            assert_equal(scores.values[query], expected, EXACT_TOLERANCE, query)
        assert_equal(scores.mean, mean, EXACT_TOLERANCE, "mean")


def enough_orders(docs: list[str], grades: dict[str, Fraction], ties: str) -> list[list[str]]:
    """Orders of a large tie whose mean, maximum or minimum is that over all orders.

    Where all judged documents have one grade, one order for each choice of their places: the
    others repeat these equally often. Where grades differ the measure is nDCG with a constant
    ideal, so it is a sum over documents: in the rotations of a list every document has every rank
    once, which gives the mean; by the rearrangement inequality grades that fall give the maximum,
    grades that rise the minimum.
    """
    # A document judged 0 gains as much as one without a judgment, in every measure but judged@k.
    judged = [doc for doc in docs if grades.get(doc, Fraction(0)) > 0]
    others = [doc for doc in docs if doc not in judged]
    if len({grades[doc] for doc in judged}) == 1:
        orders: list[list[str]] = []
        for places in combinations(range(len(docs)), len(judged)):
            left, right = iter(judged), iter(others)
            orders.append([next(left if place in places else right) for place in range(len(docs))])
        return orders
    match ties:
        case "average":
            return [docs[start:] + docs[:start] for start in range(len(docs))]
        case "best":
            return [sorted(docs, key=lambda doc: -grades.get(doc, Fraction(0)))]
        case _:
            return [sorted(docs, key=lambda doc: grades.get(doc, Fraction(0)))]


ORDERS_EVALUATED: dict[tuple[str, tuple[tuple[str, ...], ...]], list[mpf]] = {}
"""By case and orders: the three rules of a tie mostly look at the same orders."""


def values_of_orders(case: Case, spec: MetricSpec) -> list[mpf]:
    qrels, run = exact_lines(case, "error")
    orders = enough_orders([each.doc for each in run], {each.doc: each.grade for each in qrels}, spec["ties"])
    key = (case.id, tuple(map(tuple, orders)))
    if key not in ORDERS_EVALUATED:
        concrete = spec.replace(ties="line")
        ORDERS_EVALUATED[key] = [
            exact_evaluate(
                qrels, [ExactLine("q1", doc, float(i), float(-i), i) for i, doc in enumerate(order, 1)], concrete
            ).values["q1"]
            for order in orders
        ]
    return ORDERS_EVALUATED[key]


@pytest.mark.parametrize(("case", "expectation"), named(LARGE))
def test_orders_written_out_have_what_the_case_derives_for_a_large_tie(case: Case, expectation: Expectation) -> None:
    for spec, values, _ in ends(expectation):
        found = values_of_orders(case, spec)
        match spec["ties"]:
            case "average":
                with mpmath.workdps(60):
                    value = sum(found, mpf(0)) / len(found)
            case "best":
                value = max(found)
            case _:
                value = min(found)
        assert_equal(value, values["q1"], EXACT_TOLERANCE, f"{len(found)} orders")


def test_the_large_ties_are_the_ones_that_the_suite_is_known_for() -> None:
    assert {case.id for case, _ in LARGE} == {
        *(f"ties-{measure}" for measure in MEASURES),
        *(f"ties-among-judged-{measure}" for measure in ("ap", "rr", "precision", "recall")),
        *(f"ties-of-{size}" for size in (15, 16, 17, 120)),
    }
