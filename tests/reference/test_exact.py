"""The exact reference against numbers worked out by hand, and against the reported cases."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.real.conventions import CONVENTIONS, UNSTATABLE

from ndcgauge.errors import InputError, UsageError
from ndcgauge.reference.exact import ExactScores, TooManyOrdersError, exact_evaluate, exact_lines
from ndcgauge.spec import MetricSpec, parse_measure

Qrels = list[tuple[str, str, float]]
Run = list[tuple[str, str, float, float]]


def scores(qrels: Qrels, run: Run, measure: str, **changes: str) -> ExactScores:
    name = parse_measure(measure)
    cutoff = "none" if name.cutoff is None else str(name.cutoff)
    return exact_evaluate(*exact_lines(qrels, run), MetricSpec.of(name.stem, {"cutoff": cutoff, **changes}))


def value(qrels: Qrels, run: Run, measure: str, **changes: str) -> float:
    return float(scores(qrels, run, measure, **changes).values["q"])


def judged(**grades: float) -> Qrels:
    return [("q", doc, grade) for doc, grade in grades.items()]


def ranked(docs: str) -> Run:
    return [("q", doc, float(i), 100.0 - i) for i, doc in enumerate(docs.split(), 1)]


def tied(docs: str) -> Run:
    return [("q", doc, 1.0, 1.0) for doc in docs.split()]


WORKED = judged(D1=3, D2=2, D3=1, D4=1, D5=1), ranked("D2 X D1 D3 Y D4")


def log2(number: float) -> float:
    return math.log2(number)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, 0.7683428854275793),
        ({"gain": "exponential"}, 0.7136783887047222),
        ({"discount": "jk:2"}, 0.7284256081420957),
        ({"unjudged": "drop"}, 0.8645150802455124),
        ({"ideal": "retrieved"}, 0.825585742947138),
        ({"unretrieved": "append"}, 0.8280865851326172),
        ({"gain": "0:0,1:1,2:4,3:10"}, 0.7070809999775942),
        ({"gain": "0:0,1:1,2:10,3:100"}, 0.5647930492374658),
    ],
)
def test_the_worked_example(changes: dict[str, str], expected: float) -> None:
    assert value(*WORKED, "ndcg@10", **changes) == pytest.approx(expected, rel=1e-15, abs=0)


@pytest.mark.parametrize(("measure", "expected"), [("recall@3", 0.4), ("recall@100", 0.8), ("P@5", 0.6), ("rr", 1.0)])
def test_binary_measures_of_the_worked_example(measure: str, expected: float) -> None:
    assert value(*WORKED, measure) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("mask", "expected"),
    [("10101", (1 + Fraction(2, 3) + Fraction(3, 5)) / 3), ("01010", Fraction(1, 2)), ("11000", Fraction(1))],
)
def test_average_precision_over_those_found(mask: str, expected: Fraction) -> None:
    qrels = judged(**{f"d{i}": float(bit) for i, bit in enumerate(mask)}, missed=1)
    run = ranked(" ".join(f"d{i}" for i in range(len(mask))))
    assert value(qrels, run, "ap", ap_denominator="retrieved") == pytest.approx(float(expected), rel=1e-15)


def test_average_is_the_mean_over_all_permutations() -> None:
    qrels, run = judged(a=3, b=1, c=1, d=0), tied("a b c d x")
    of_orders = [value(qrels, ranked(" ".join(order)), "ndcg@3") for order in permutations("abcdx")]
    assert value(qrels, run, "ndcg@3", ties="average") == pytest.approx(math.fsum(of_orders) / 120, rel=1e-14)
    assert value(qrels, run, "ndcg@3", ties="best") == pytest.approx(max(of_orders), rel=1e-15)
    assert value(qrels, run, "ndcg@3", ties="worst") == pytest.approx(min(of_orders), rel=1e-15, abs=1e-300)


def test_average_where_what_is_appended_depends_on_the_order() -> None:
    # One of the tied a, x is kept. a kept (1/2): a, then b: AP 1. x kept: x, then a, b in either order: (1/2 + 2/3)/2.
    spec = {"ties": "average", "depth": "1", "unretrieved": "append"}
    expected = (1 + Fraction(1, 2) * (Fraction(1, 2) + Fraction(2, 3))) / 2
    assert value(judged(a=1, b=1), tied("a x"), "ap", **spec) == pytest.approx(float(expected), rel=1e-15)


@pytest.mark.parametrize(
    ("ties", "docs", "expected"),
    [
        # The relevant b stands in the order that follows each.
        ("docid-desc", "a c b", 1 / 2),  # c b a
        ("docid-asc", "c b d", 1),  # b c d
        ("line", "c a b", 1 / 3),
        ("line-reversed", "a c b", 1),
        ("observed", "a b c", 1 / 3),  # c a b
    ],
)
def test_tie_rules(ties: str, docs: str, expected: float) -> None:
    spec = MetricSpec.of("rr", {"ties": ties})
    exact = exact_evaluate(*exact_lines(judged(b=1), tied(docs)), spec, {"q": ["c", "a", "b"]})
    assert float(exact.values["q"]) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("ties", "dcg"),
    [
        # m (grade 1) stands before c (grade 3) in the qrels; the ids say c, m.
        ("line", 1 / log2(3) + 3 / log2(4)),
        ("line-reversed", 3 / log2(3) + 1 / log2(4)),
        ("docid-asc", 3 / log2(3) + 1 / log2(4)),
        ("docid-desc", 1 / log2(3) + 3 / log2(4)),
        ("average", 2 / log2(3) + 2 / log2(4)),
    ],
)
@pytest.mark.parametrize("unretrieved", ["append", "score:0"])
def test_tie_rules_among_documents_that_the_run_lacks(ties: str, dcg: float, unretrieved: str) -> None:
    found = value(judged(m=1, c=3), ranked("x"), "dcg", ties=ties, unretrieved=unretrieved)
    assert found == pytest.approx(dcg, rel=1e-15)


def test_documents_that_no_measure_tells_apart_are_not_enumerated() -> None:
    # A constant scorer: 12! orders, but the relevant document is at one of 12 ranks, each as likely.
    run = tied(" ".join("abcdefghijkl"))
    harmonic = sum(Fraction(1, rank) for rank in range(1, 13))
    assert value(judged(e=1), run, "rr", ties="average") == pytest.approx(float(harmonic / 12), rel=1e-15)
    assert value(judged(e=1), run, "rr", ties="worst") == pytest.approx(1 / 12, rel=1e-15)


def test_float32_turns_near_scores_into_ties() -> None:
    run = [("q", "a", 1.0, 16777217.0), ("q", "b", 2.0, 16777216.0)]
    assert value(judged(a=1), run, "rr") == 1
    assert value(judged(a=1), run, "rr", score_precision="float32") == 0.5


@pytest.mark.parametrize(
    ("negative", "dcg", "ideal"),
    [
        # Ranking n (grade -2), a (grade 1), u (no judgment).
        ("unjudged", 1 / log2(3), 1.0),
        ("zero", 1 / log2(3), 1.0),
        ("keep", -2 + 1 / log2(3), 1 - 2 / log2(3)),
        ("keep-dcg", -2 + 1 / log2(3), 1.0),
        ("drop", 1.0, 1.0),
    ],
)
def test_negative_grades(negative: str, dcg: float, ideal: float) -> None:
    qrels, run = judged(n=-2, a=1), ranked("n a u")
    assert value(qrels, run, "dcg", negative=negative) == pytest.approx(dcg, rel=1e-15)
    # 1 - 2/log2(3) is below 0: no positive ideal.
    expected = dcg / ideal if ideal > 0 else 0.0
    assert value(qrels, run, "ndcg", negative=negative) == pytest.approx(expected, rel=1e-15)
    counted = {"unjudged": 1 / 3, "drop": 1 / 2}.get(negative, 2 / 3)
    assert value(qrels, run, "judged", negative=negative) == pytest.approx(counted, rel=1e-15)


@pytest.mark.parametrize(
    ("grades", "changes", "expected"),
    [
        ({"a": 1.9}, {}, 1.0),
        ({"a": 1.9}, {"grades": "as-written"}, 1.9),
        ({"a": 3}, {"gain": "exponential"}, 7.0),
        ({"a": 0.5}, {"grades": "as-written", "gain": "exponential"}, math.sqrt(2) - 1),
        ({"a": 3}, {"gain": "binary"}, 1.0),
        ({"a": 1}, {"gain": "binary", "threshold": "2"}, 0.0),
        ({"a": 1}, {"min_grade": "2"}, 0.0),
        ({"a": 2}, {"min_grade": "2"}, 2.0),
        ({"a": 3}, {"gain": "0:0,3:10"}, 10.0),
    ],
)
def test_gains(grades: dict[str, float], changes: dict[str, str], expected: float) -> None:
    assert value(judged(**grades), ranked("a"), "dcg", **changes) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("discount", "weight"),
    [
        ("log2", 1 / log2(4)),
        ("log2+2", 1 / log2(5)),
        ("jk:2", 1 / log2(3)),
        ("jk:4", 1.0),
        ("reciprocal", 1 / 3),
        ("log2*reciprocal", 1 / (3 * log2(4))),
        ("none", 1.0),
    ],
)
def test_discounts_at_rank_three(discount: str, weight: float) -> None:
    assert value(judged(a=1), ranked("x y a"), "dcg", discount=discount) == pytest.approx(weight, rel=1e-15)


@pytest.mark.parametrize(
    ("changes", "ideal"),
    [
        ({}, 3 + 1 / log2(3)),
        ({"ideal": "retrieved"}, 1.0),
        ({"ideal": "perfect"}, 3 + 3 / log2(3)),
        ({"ideal_cutoff": "none"}, 3 + 1 / log2(3) + 1 / log2(4)),
        ({"ideal_cutoff": "retrieved"}, 3.0),
    ],
)
def test_ideals(changes: dict[str, str], ideal: float) -> None:
    # One document retrieved, grade 1; judged: 3, 1, 1.
    found = value(judged(a=3, b=1, c=1), ranked("b"), "ndcg@2", **changes)
    assert found == pytest.approx(1 / ideal, rel=1e-15)


QUERIES: tuple[Qrels, Run] = (
    [("both", "a", 1.0), ("missing", "a", 1.0), ("none", "a", 0.0)],
    [("both", "a", 1.0, 1.0), ("none", "a", 1.0, 1.0), ("unjudged", "a", 1.0, 1.0)],
)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, {"both": 1.0, "none": 0.0}),
        ({"queries": "judged"}, {"both": 1.0, "missing": 0.0, "none": 0.0}),
        ({"queries": "run"}, {"both": 1.0, "none": 0.0, "unjudged": 0.0}),
        ({"zero_ideal": "one"}, {"both": 1.0, "none": 1.0}),
        ({"zero_ideal": "skip", "queries": "run"}, {"both": 1.0, "unjudged": 0.0}),
    ],
)
@pytest.mark.parametrize("measure", ["ndcg", "ap", "rr", "recall", "precision"])
def test_which_queries_count(measure: str, changes: dict[str, str], expected: dict[str, float]) -> None:
    found = scores(*QUERIES, measure, **changes)
    assert {query: float(each) for query, each in found.values.items()} == expected
    assert found.mean is not None
    assert float(found.mean) == pytest.approx(sum(expected.values()) / len(expected), rel=1e-15)


def test_undefined_values_and_means() -> None:
    found = scores(*QUERIES, "ndcg", zero_ideal="nan")
    assert math.isnan(float(found.values["none"]))
    assert math.isnan(float(found.mean))
    assert scores([("q", "a", 1.0)], [("p", "a", 1.0, 1.0)], "ndcg").mean is None


@pytest.mark.parametrize(
    ("measure", "changes", "expected"),
    [
        # q: two of three documents judged, one relevant of two. missing: one relevant. unjudged: two documents.
        ("judged", {}, Fraction(2, 3)),
        ("judged@4", {"judged_denominator": "k", "queries": "judged"}, Fraction(2, 8)),
        ("judged", {"queries": "run"}, Fraction(2, 5)),
        ("precision@4", {"queries": "judged"}, Fraction(1, 8)),
        ("precision", {"queries": "run"}, Fraction(1, 5)),
        ("recall", {"queries": "judged"}, Fraction(1, 3)),
        ("recall@1", {"queries": "judged", "recall_denominator": "any"}, Fraction(1, 2)),
        ("ap", {"queries": "judged"}, Fraction(1, 3)),
        ("ap", {"queries": "judged", "ap_denominator": "retrieved"}, Fraction(1)),
    ],
)
def test_pooled_ratios(measure: str, changes: dict[str, str], expected: Fraction) -> None:
    qrels = [("q", "a", 1.0), ("q", "b", 0.0), ("q", "c", 1.0), ("missing", "a", 1.0)]
    run = [*ranked("a b x"), ("unjudged", "a", 1.0, 2.0), ("unjudged", "b", 2.0, 1.0)]
    found = scores(qrels, run, measure, averaging="pooled", **changes)
    assert found.mean is not None
    assert float(found.mean) == pytest.approx(float(expected), rel=1e-15)


def test_row_rounding_rounds_rows_then_means() -> None:
    qrels = [("p", "a", 1.0), ("q", "a", 1.0)]
    run = [("p", "a", 1.0, 1.0), *ranked("x y a")]
    found = scores(qrels, run, "rr", row_rounding="2")
    assert float(found.values["q"]) == 0.33
    assert float(found.mean) == pytest.approx((1 + 0.33) / 2, rel=1e-15)


def test_own_document_low_scores_and_depth() -> None:
    qrels, run = judged(q=1, a=1), [("q", "q", 1.0, 2.0), ("q", "x", 2.0, 1.0), ("q", "a", 3.0, 0.0)]
    assert value(qrels, run, "recall") == 1
    assert value(qrels, run, "recall", self="drop") == 0.5
    # Dropped by `self`, so never appended; x and a are left.
    assert value(qrels, run, "recall", self="drop", unretrieved="append") == 0.5
    assert value(qrels, run, "recall", min_score="0") == 0.5
    assert value(qrels, run, "recall", min_score="0", unretrieved="append") == 1
    assert value(qrels, run, "recall", depth="2") == 0.5


def test_documents_put_in_at_a_score() -> None:
    qrels, run = judged(m=1), [("q", "x", 1.0, 2.0), ("q", "y", 2.0, 1.0)]
    assert value(qrels, run, "rr", unretrieved="score:3") == 1
    assert value(qrels, run, "rr", unretrieved="score:1.5") == 0.5
    assert value(qrels, run, "rr", unretrieved="score:1", ties="average") == pytest.approx(5 / 12, rel=1e-15)
    assert value(qrels, run, "rr", unretrieved="score:1.5", order="rank") == pytest.approx(1 / 3, rel=1e-15)


def test_repeated_lines() -> None:
    run = [("q", "x", 1.0, 3.0), ("q", "a", 2.0, 2.0), ("q", "x", 3.0, 1.0)]
    for duplicates, expected in (("first", 1 / 2), ("last", 1.0), ("all", 1 / 2)):
        assert value(judged(a=1), run, "rr", run_duplicates=duplicates) == expected
    qrels = [("q", "a", 1.0), ("q", "a", 3.0)]
    for duplicates, expected in (("first", 1.0), ("last", 3.0), ("all", 4.0)):
        assert value(qrels, ranked("a"), "dcg", qrels_duplicates=duplicates) == expected
    # Two relevant lines, both at rank 1: precision sum 2 * 2/1, over R = 2.
    assert value(qrels, ranked("a"), "ap", qrels_duplicates="all") == 2


def test_refusals() -> None:
    with pytest.raises(InputError):
        value(judged(a=1), [*ranked("a"), *ranked("a")], "rr")
    with pytest.raises(InputError):
        value([*judged(a=1), *judged(a=2)], ranked("a"), "rr")
    with pytest.raises(UsageError):
        value(judged(a=1), ranked("a"), "rr", ties="random")
    with pytest.raises(UsageError):
        value(judged(a=1), ranked("a"), "rr", ties="observed")
    with pytest.raises(UsageError):
        value(judged(a=2), ranked("a"), "dcg", gain="0:0,1:1")
    with pytest.raises(TooManyOrdersError):
        value(judged(**dict(zip("abcdefgh", range(8), strict=True))), tied("a b c d e f g h"), "ndcg", ties="average")


CASES = Path(__file__).parents[3] / "shared" / "reported-cases"
STATED_TO = 5.1e-7
"""The reported cases state six decimals."""


def reported() -> Iterator[Any]:
    """(case, convention, measure, values) of every expectation that the axes can state."""
    for file in sorted(CASES.glob("*/case.yaml")):
        for each in yaml.safe_load(file.read_text(encoding="utf-8"))["expected"]:
            if each["convention"] not in UNSTATABLE:
                for measure, values in each["values"].items():
                    name = f"{file.parent.name}[{each['convention']}, {measure}]"
                    yield pytest.param(file.parent, each["convention"], measure, values, id=name)


@pytest.mark.skipif(not CASES.is_dir(), reason="the reported cases are not beside the repository")
@pytest.mark.parametrize(("folder", "convention", "measure", "values"), list(reported()))
def test_reported_cases(folder: Path, convention: str, measure: str, values: dict[str, Any]) -> None:
    qrels = [line.split() for line in (folder / "qrels.txt").read_text(encoding="utf-8").splitlines() if line.strip()]
    run = [line.split() for line in (folder / "run.txt").read_text(encoding="utf-8").splitlines() if line.strip()]
    lines: tuple[Qrels, Run] = (
        [(query, doc, float(grade)) for query, _, doc, grade in qrels],
        [(query, doc, float(rank), float(score)) for query, _, doc, rank, score, _ in run],
    )
    changes = {"cutoff": "10"} if convention == "cutoff 10" else CONVENTIONS[convention]
    stem = parse_measure(measure).stem
    changes = {axis: value for axis, value in changes.items() if axis in MetricSpec.of(stem).axes}
    found = scores(*lines, measure, **changes)
    for query, number in values.items():
        if number == "excluded":
            assert query not in found.values
        elif number == "undefined":
            assert query == "mean"
            assert found.mean is None
        else:
            got = float(found.mean if query == "mean" else found.values[query])
            if "rounding" in changes:
                got = float(format(got, f".{changes['rounding']}f"))
            assert got == pytest.approx(number, abs=STATED_TO), query
