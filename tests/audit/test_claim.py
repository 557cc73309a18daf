from __future__ import annotations

import pytest

from ndcgauge.audit.claim import parse_claim
from ndcgauge.errors import UsageError


def test_what_is_unsaid_is_trec_evals() -> None:
    spec = parse_claim("ndcg@10=0.7137").spec
    assert spec.short() == "ndcg@10 [trec_eval]"


def test_a_measures_name_says_axes() -> None:
    claim = parse_claim("nDCG(dcg='exp-log2')@10=0.71", {"ties": "average", "ap_denominator": "retrieved"})
    assert claim.said == {"gain": "exponential", "ties": "average"}
    assert (claim.spec["gain"], claim.spec["ties"], claim.spec["cutoff"]) == ("exponential", "average", "10")


def test_what_an_evaluator_printed_is_under_its_profile() -> None:
    assert parse_claim("ndcg@10=0.7", evaluator="sklearn").spec["ties"] == "average"
    # The order that ranx shows is not known before it is called.
    assert parse_claim("ndcg@10=0.7", evaluator="ranx==0.3.16").spec["ties"] == "line"
    assert parse_claim("ndcg@10=0.7", {"gain": "exponential"}, "sklearn").spec["gain"] == "exponential"
    assert parse_claim("ndcg@10=0.7", evaluator="sklearn").spec["rounding"] == "none"


@pytest.mark.parametrize("text", ["0.7137", "ndcg@10", "=0.7", "ndgc@10=0.7", "ndcg@10=high"])
def test_what_is_no_claim_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_claim(text)
