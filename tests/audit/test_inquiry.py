"""Verdicts: the worked examples of the issue, and claims planted from known specifications."""

from __future__ import annotations

from math import log2
from pathlib import Path

import pytest
from tests.audit.files import QRELS, RUN, inquirer, random_pair

from ndcgauge.audit.claim import parse_claim
from ndcgauge.audit.finding import Verdict
from ndcgauge.reference.exact import exact_evaluate, exact_lines
from ndcgauge.spec import MetricSpec


def test_the_first_worked_example(tmp_path: Path) -> None:
    # D2 (2), X, D1 (3), D3 (1), Y, D4 (1), with gains 2^grade - 1.
    value = (3 + 7 / 2 + 1 / log2(5) + 1 / log2(7)) / (7 + 3 / log2(3) + 1 / 2 + 1 / log2(5) + 1 / log2(6))
    assert f"{value:.4f}" == "0.7137"
    found = inquirer(tmp_path, QRELS, RUN).inquire(parse_claim("ndcg@10=0.7137"))
    assert found.verdict is Verdict.OTHERWISE
    assert found.candidates[0].changes == {"gain": "exponential"}
    assert found.candidates[0].value == pytest.approx(value)
    assert found.evaluators == ("ranx-burges",)
    assert found.determined["gain"] == "exponential"
    # No ties, no grades below 0, nothing repeated: the number says nothing of these.
    assert {"ties", "negative", "run_duplicates", "queries"} <= set(found.free)
    assert found.searched > found.classes > found.matching_classes >= 1


def test_what_the_stated_specification_gives_is_reproduced(tmp_path: Path) -> None:
    asked = inquirer(tmp_path, QRELS, RUN)
    found = asked.inquire(parse_claim("ndcg@10=0.7683"))
    assert found.verdict is Verdict.REPRODUCED
    assert "ranx" in found.evaluators
    assert "gain" in found.ask[0]
    # Stated, it is no other specification.
    assert asked.inquire(parse_claim("ndcg@10=0.7137", {"gain": "exponential"})).verdict is Verdict.REPRODUCED
    # And what was stated and is wrong is another one.
    wrong = asked.inquire(parse_claim("ndcg@10=0.7683", {"gain": "exponential"}))
    assert wrong.verdict is Verdict.OTHERWISE
    assert wrong.candidates[0].changes == {"gain": "linear"}


def test_beyond_every_envelope_is_impossible(tmp_path: Path) -> None:
    asked = inquirer(tmp_path, QRELS, RUN)
    assert asked.inquire(parse_claim("ndcg@10=1.5")).verdict is Verdict.IMPOSSIBLE
    found = asked.inquire(parse_claim("ndcg@10=0.98765"))
    assert found.verdict is Verdict.NOT
    assert found.closest[0] is not None


def test_ties_open_what_no_rule_of_the_lattice_gives(tmp_path: Path) -> None:
    """Three tied documents of grades 1, 2 and 4: orders that no tie rule has lie inside the envelope."""
    qrels = "q 0 a 1\nq 0 b 4\nq 0 c 2\n"
    run = "q Q0 a 1 1 t\nq Q0 b 1 1 t\nq Q0 c 1 1 t\n"
    found = inquirer(tmp_path, qrels, run).inquire(parse_claim("ndcg@3=0.876543"))
    assert found.verdict is not Verdict.IMPOSSIBLE
    low, high = found.envelope
    ideal = 4 + 2 / log2(3) + 1 / 2
    assert low == pytest.approx((1 + 2 / log2(3) + 4 / 2) / ideal)
    assert high == pytest.approx(1.0)


def exact_mean(qrels: str, run: str, spec: MetricSpec) -> float:
    judged = [line.split() for line in qrels.splitlines()]
    lines = [line.split() for line in run.splitlines()]
    mean = exact_evaluate(
        *exact_lines(
            [(query, doc, float(grade)) for query, _, doc, grade in judged],
            [(query, doc, float(rank), float(score)) for query, _, doc, rank, score, _ in lines],
        ),
        spec,
    ).mean
    assert mean is not None
    return float(mean)


@pytest.mark.parametrize(
    "changes",
    [
        {"gain": "exponential"},
        {"ties": "average"},
        {"unjudged": "drop"},
        {"discount": "jk:2"},
        {"ideal": "retrieved"},
        {"row_rounding": "3"},
        {"averaging": "pooled"},
        {"gain": "exponential", "ties": "average"},
        {"discount": "jk:2", "ideal": "retrieved"},
        {"unjudged": "drop", "gain": "binary", "threshold": "2"},
    ],
    ids=str,
)
def test_planted_specifications_are_found(changes: dict[str, str], tmp_path: Path) -> None:
    """The value comes from the exact reference, the slow second implementation, never from the search."""
    qrels, run = random_pair(3, 6)
    spec = MetricSpec.of("ndcg", {"cutoff": "5", **changes})
    value = exact_mean(qrels, run, spec)
    found = inquirer(tmp_path / "audit", qrels, run).inquire(parse_claim(f"ndcg@5={value:.10f}"))
    assert found.verdict is Verdict.OTHERWISE
    assert any(each.changes == changes for each in found.candidates)
    for axis, wanted in changes.items():
        assert found.determined.get(axis, wanted) == wanted


def test_repeated_documents_are_refused_by_trec_eval_and_counted_by_others(tmp_path: Path) -> None:
    run = "q1 Q0 X 1 9 t\nq1 Q0 D1 2 8 t\nq1 Q0 Y 3 7 t\nq1 Q0 D1 4 6 t\n"
    asked = inquirer(tmp_path, "q1 0 D1 1\n", run)
    # The last line counts: rank 3 of X, Y, D1.
    found = asked.inquire(parse_claim(f"ndcg@10={1 / log2(4):.4f}"))
    assert found.value is None
    assert found.refusal is not None
    assert found.verdict is Verdict.OTHERWISE
    assert found.candidates[0].changes["run_duplicates"] == "last"
    assert "ranx" in found.evaluators
