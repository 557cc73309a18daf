import pytest

from ndcgauge.errors import UsageError
from ndcgauge.spec import parse_measure


@pytest.mark.parametrize(
    ("text", "name", "changes"),
    [
        ("ndcg@10", "ndcg@10", {}),
        ("nDCG@10", "ndcg@10", {}),
        ("ndcg_cut.10", "ndcg@10", {}),
        ("ndcg_cut_10", "ndcg@10", {}),
        ("ndcg", "ndcg", {}),
        ("nDCG(dcg='exp-log2')@10", "ndcg@10", {"gain": "exponential"}),
        ('nDCG(dcg="log2")@10', "ndcg@10", {"gain": "linear"}),
        ("ndcg_burges@10", "ndcg@10", {"gain": "exponential"}),
        ("dcg@5", "dcg@5", {}),
        ("map", "ap", {}),
        ("AP", "ap", {}),
        ("AP(rel=2)@100", "ap@100", {"threshold": "2"}),
        ("map_cut_100", "ap@100", {}),
        ("rr", "rr", {}),
        ("mrr@10", "rr@10", {}),
        ("recip_rank", "rr", {}),
        ("RR@10", "rr@10", {}),
        ("P@10", "precision@10", {}),
        ("P_10", "precision@10", {}),
        ("precision@5", "precision@5", {}),
        ("R@1000", "recall@1000", {}),
        ("recall_100", "recall@100", {}),
        ("recall.100", "recall@100", {}),
        ("hit_rate@5", "recall@5", {"recall_denominator": "any"}),
        ("judged@10", "judged@10", {}),
        ("Judged@10", "judged@10", {}),
    ],
)
def test_names_of_all_tools_are_read(text: str, name: str, changes: dict[str, str]) -> None:
    measure = parse_measure(text)
    assert (measure.name, measure.changes) == (name, changes)


@pytest.mark.parametrize(
    "text", ["", "ndcg@", "ndcg@0", "ndcg@ten", "bpref", "ndcg_cut.1=3", "nDCG(foo=1)@10", "nDCG(dcg)@10", "ndcg@10@5"]
)
def test_anything_else_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError):
        parse_measure(text)


@pytest.mark.parametrize(
    ("text", "trec"),
    [("ndcg@10", "ndcg_cut_10"), ("ndcg", "ndcg"), ("map", "map"), ("P@15", "P_15"), ("rr", "recip_rank")],
)
def test_trec_names_are_those_that_trec_eval_prints(text: str, trec: str) -> None:
    assert parse_measure(text).trec_name == trec
