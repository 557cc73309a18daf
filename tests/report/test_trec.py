from __future__ import annotations

import pytest
from tests.report.documents import Texts, report, scores

from ndcgauge.report.trec import render_report_trec, render_trec, trec_name


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        ("ndcg@10", "ndcg_cut_10"),
        ("ndcg", "ndcg"),
        ("ap", "map"),
        ("ap@100", "map_cut_100"),
        ("rr", "recip_rank"),
        ("precision@10", "P_10"),
        ("recall@100", "recall_100"),
        ("judged@10", "judged_10"),
    ],
)
def test_names_of_trec_eval(measure: str, name: str) -> None:
    assert trec_name(measure) == name


def test_means_alone() -> None:
    # The format string of trec_eval 10 is "%-22s\t%s\t%6.4f\n".
    assert render_trec(scores(), per_query=False) == (
        "ndcg_cut_10           \tall\t0.4375\nmap                   \tall\tnan\n"
    )


def test_queries_come_before_the_means() -> None:
    assert render_trec(scores(), per_query=True).splitlines() == [
        "ndcg_cut_10           \t301\t0.5000",
        "ndcg_cut_10           \t302\t0.7500",
        "ndcg_cut_10           \t303\t0.0625",
        "ndcg_cut_10           \tall\t0.4375",
        "map                   \tall\tnan",
    ]


def test_several_measures_query_by_query() -> None:
    document = scores()
    both = [document.scores[0], document.scores[0].model_copy(update={"measure": "rr"})]
    lines = render_trec(document.model_copy(update={"scores": both}), per_query=True).splitlines()
    assert [line.split()[:2] for line in lines[:4]] == [
        ["ndcg_cut_10", "301"],
        ["recip_rank", "301"],
        ["ndcg_cut_10", "302"],
        ["recip_rank", "302"],
    ]


def test_several_runs_one_after_another() -> None:
    document = scores()
    first = document.scores[0]
    other = first.model_copy(update={"run": "other.run", "mean": 0.25})
    text = render_trec(document.model_copy(update={"scores": [first, other]}), per_query=False)
    assert [line.split()[-1] for line in text.splitlines()] == ["0.4375", "0.2500"]


def test_an_id_cannot_break_line_or_column() -> None:
    texts = Texts(queries=("a\tb", "c\nd", "e\rf"))
    lines = render_trec(scores(texts), per_query=True).split("\n")[:-1]
    assert len(lines) == 5
    assert all(line.count("\t") == 2 for line in lines)


def test_a_report_gives_the_baselines_values() -> None:
    lines = render_report_trec(report()).splitlines()
    assert lines == [f"ndcg_cut_10           \t{query}\t0.5000" for query in ("301", "302", "303", "all")]


def test_a_report_of_several_runs_names_them() -> None:
    document = report()
    first = document.attribution.references[0]
    other = first.model_copy(update={"run": "other.run", "mean": 0.25})
    attribution = document.attribution.model_copy(update={"references": [first, other]})
    lines = render_report_trec(document.model_copy(update={"attribution": attribution})).splitlines()
    assert [line.split("\t")[2] for line in lines if line.startswith("runid ")] == ["bm25.run", "other.run"]
