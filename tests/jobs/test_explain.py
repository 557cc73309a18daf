from __future__ import annotations

import pytest

from ndcgauge.errors import InputError, UsageError
from ndcgauge.jobs.demo import by_hand, worked_example
from ndcgauge.jobs.explain import explain
from ndcgauge.jobs.explanation_text import render_explanation
from ndcgauge.jobs.request import request


def test_the_worked_example_is_the_table_of_a_calculation_by_hand() -> None:
    table = by_hand().listing
    # 2/log2(2), 0, 3/log2(4), 1/log2(5), 0, 1/log2(7)
    assert [each.doc for each in table.ranking] == ["D2", "X", "D1", "D3", "Y", "D4"]
    assert [each.grade for each in table.ranking] == [2.0, None, 3.0, 1.0, None, 1.0]
    assert [each.product for each in table.ranking] == pytest.approx([2, 0, 1.5, 0.43067656, 0, 0.35620719], abs=1e-8)
    assert [each.gain for each in table.ideal] == [3, 2, 1, 1, 1]
    assert round(table.dcg, 4) == 4.2869
    assert round(table.ideal_dcg, 4) == 5.5794
    assert by_hand().value == pytest.approx(0.7683428854275793, abs=1e-15)


@pytest.mark.parametrize(
    "changes",
    [
        ["ties=average"],
        ["ties=best"],
        ["ties=worst"],
        ["ties=docid-asc"],
        ["ties=line-reversed"],
        ["unjudged=drop"],
        ["unretrieved=append"],
        ["ideal=retrieved"],
        ["ideal=perfect"],
        ["ideal_cutoff=retrieved"],
        ["order=rank"],
        ["gain=exponential", "discount=jk:2"],
        ["unretrieved=score:2.5"],
        ["depth=3"],
        ["min_score=2"],
    ],
)
def test_table_and_reference_agree(changes: list[str]) -> None:
    # explain raises where they do not.
    assert explain(*worked_example(), "q1", request(["ndcg@10", "dcg@3"], sets=changes))


def test_a_query_that_is_not_in_both_is_an_error_with_examples() -> None:
    with pytest.raises(InputError, match="neither file") as caught:
        explain(*worked_example(), "q7", request())
    assert "q1" in str(caught.value)


def test_measures_that_are_no_sums_over_ranks_are_refused() -> None:
    with pytest.raises(UsageError):
        explain(*worked_example(), "q1", request(["map"]))


def test_the_text_shows_both_rankings_and_the_quotient() -> None:
    text = render_explanation(by_hand(), rows=10, width=80, color=False)
    assert "\x1b" not in text
    assert all(len(line) <= 80 for line in text.splitlines() if "sha" not in line and "/" not in line)
    for shown in ("D2", "unjudged", "4.286883745", "5.57938887", "0.7683428854275793", "the ideal"):
        assert shown in text
