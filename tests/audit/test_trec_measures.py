"""num_q, Rprec and bpref by hand, and as trec_eval gives them (../shared has its expected outputs: tests/real)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.audit.files import collection, inquirer

from ndcgauge.audit.claim import parse_claim
from ndcgauge.audit.finding import Verdict
from ndcgauge.audit.trec_measures import trec_value
from ndcgauge.errors import UsageError
from ndcgauge.reference import Evaluation
from ndcgauge.spec import MetricSpec

# Relevant: A, B, C. Judged and not relevant: X, Y. Unjudged: U.
QRELS = "q 0 A 1\nq 0 B 1\nq 0 C 2\nq 0 X 0\nq 0 Y 0\nabsent 0 A 1\n"
RUN = "".join(f"q Q0 {doc} {rank} {10 - rank} t\n" for rank, doc in enumerate("AUXBYC", start=1))
SPEC = MetricSpec.of("precision")


@pytest.fixture
def evaluation(tmp_path: Path) -> Evaluation:
    return Evaluation(collection(tmp_path, QRELS, RUN), {})


def test_by_hand(evaluation: Evaluation) -> None:
    # R = 3, of the first three (A, U, X) one is relevant.
    assert trec_value(evaluation, "Rprec", SPEC) == pytest.approx(1 / 3)
    # N = 2 judged others, min(R, N) = 2: A has none above, B has X, C has X and Y.
    assert trec_value(evaluation, "bpref", SPEC) == pytest.approx((1 + (1 - 1 / 2) + (1 - 2 / 2)) / 3)
    assert trec_value(evaluation, "num_q", SPEC) == 1
    complete = SPEC.replace(queries="judged")
    assert trec_value(evaluation, "num_q", complete) == 2
    assert trec_value(evaluation, "bpref", complete) == pytest.approx(1.5 / 6)


def test_relevance_levels(evaluation: Evaluation) -> None:
    # From grade 2 on: C alone is relevant, at rank 6; four judged others, two of them (X, Y) and A, B above it.
    strict = SPEC.replace(threshold="2")
    assert trec_value(evaluation, "Rprec", strict) == 0
    # min(4 above, R = 1) / min(R = 1, N = 4) = 1.
    assert trec_value(evaluation, "bpref", strict) == 0


def test_ties_without_an_order_are_refused(evaluation: Evaluation) -> None:
    with pytest.raises(UsageError):
        trec_value(evaluation, "bpref", SPEC.replace(ties="average"))


def test_claims(tmp_path: Path) -> None:
    asked = inquirer(tmp_path, QRELS, RUN)
    assert asked.inquire(parse_claim("bpref=0.5000")).verdict is Verdict.REPRODUCED
    other = asked.inquire(parse_claim("bpref=0.2500"))
    assert other.verdict is Verdict.OTHERWISE
    assert other.candidates[0].changes == {"queries": "judged"}
    assert asked.inquire(parse_claim("Rprec=0.9000")).verdict is Verdict.NOT
