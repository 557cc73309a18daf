"""Each mistake, planted by hand, is named; expected values are closed forms."""

from __future__ import annotations

from math import log2
from pathlib import Path

import pytest
from tests.audit.files import SHOWN, SHOWN_RUN, inquirer

from ndcgauge.audit.claim import parse_claim
from ndcgauge.audit.finding import Finding, Verdict
from ndcgauge.audit.hypotheses import Attempt, Mistake, attempts, attempts_at
from ndcgauge.audit.inquiry import Inquirer
from ndcgauge.audit.printed import parse_printed
from ndcgauge.spec import MetricSpec

# Three queries with one relevant document each, found at ranks 1, 2 and 4.
QRELS = "q1 0 A 1\nq2 0 A 1\nq3 0 A 1\n"
RUN = "".join(
    f"q{query} Q0 {'A' if rank == hit else f'X{rank}'} {rank} {10 - rank} t\n"
    for query, hit in ((1, 1), (2, 2), (3, 4))
    for rank in range(1, 6)
)
ROWS = (1.0, 1 / log2(3), 1 / log2(5))
NDCG = MetricSpec.of("ndcg", {"cutoff": "10"})


def tried(asked: Inquirer, kind: Mistake, spec: MetricSpec = NDCG, number: str = "0.5000") -> list[Attempt]:
    value = asked.material.evaluation.score(spec)[2]
    found = [*attempts(asked.material, spec), *attempts_at(value, spec, parse_printed(number))]
    return [each for each in found if each.mistake is kind]


@pytest.fixture
def plain(tmp_path: Path) -> Inquirer:
    return inquirer(tmp_path, QRELS, RUN)


def test_another_cutoff(plain: Inquirer) -> None:
    at_two = next(each for each in tried(plain, Mistake.CUTOFF) if "ndcg@2," in each.text)
    assert at_two.value == pytest.approx((1 + 1 / log2(3)) / 3)
    assert at_two.text == "it is ndcg@2, not ndcg@10"


def test_another_measure(plain: Inquirer) -> None:
    values = {each.text: each.value for each in tried(plain, Mistake.MEASURE)}
    assert values["it is rr@10, not ndcg@10"] == pytest.approx((1 + 1 / 2 + 1 / 4) / 3)
    assert values["it is precision@10, not ndcg@10"] == pytest.approx(0.1)
    # dcg is unnormalised; with one relevant document of gain 1 it equals ndcg.
    assert values["it is dcg@10, not ndcg@10"] == pytest.approx(sum(ROWS) / 3)


def test_a_mean_over_another_number_of_queries(plain: Inquirer) -> None:
    values = {each.text.split(" (factor ")[1].split(")")[0]: each.value for each in tried(plain, Mistake.QUERIES)}
    assert values["3/4"] == pytest.approx(sum(ROWS) / 4)
    assert values["3/2"] == pytest.approx(sum(ROWS) / 2)


def test_percent(plain: Inquirer) -> None:
    assert [each.value for each in tried(plain, Mistake.PERCENT, number="68.7")] == [pytest.approx(100 * sum(ROWS) / 3)]
    assert plain.inquire(parse_claim(f"ndcg@10={100 * sum(ROWS) / 3:.2f}")).verdict is Verdict.MISTAKE
    assert plain.inquire(parse_claim(f"ndcg@10={100 * sum(ROWS) / 3:.2f}%")).verdict is Verdict.REPRODUCED


def test_rows_rounded_first(plain: Inquirer) -> None:
    values = {each.text.split(" decimal")[0][-1]: each.value for each in tried(plain, Mistake.ROUNDED_ROWS)}
    assert values["1"] == pytest.approx((1 + 0.6 + 0.4) / 3)
    assert values["2"] == pytest.approx((1 + 0.63 + 0.43) / 3)


def test_rounded_twice(tmp_path: Path) -> None:
    # P@10 over 9 queries with 4 hits in all is 4/90 = 0.04444…: to five decimals 0.04444, never up.
    # One hit at rank 20 of 20: 1/log2(21) = 0.22767; over 1 query: 0.2277 and 0.23, no difference either.
    # (1/log2(3) + 1/log2(5) + 1/log2(8)) / 3 = 0.46497…: to three decimals 0.465, then 0.47; at once 0.46.
    runs = "".join(
        f"q{query} Q0 {'A' if rank == hit else f'X{rank}'} {rank} {10 - rank} t\n"
        for query, hit in ((1, 2), (2, 4), (3, 7))
        for rank in range(1, 8)
    )
    value = (1 / log2(3) + 1 / log2(5) + 1 / log2(8)) / 3
    assert f"{value:.2f}" == "0.46"
    assert f"{value:.3f}" == "0.465"
    asked = inquirer(tmp_path, QRELS, runs)
    twice = tried(asked, Mistake.TWICE, number="0.47")
    assert [each.value for each in twice] == [0.47]
    assert "0.465" in twice[0].text


def test_cut_off(plain: Inquirer) -> None:
    value = sum(ROWS) / 3
    assert [each.value for each in tried(plain, Mistake.TRUNCATED, number="0.68")] == [int(value * 100) / 100]


def test_exchanged_rows(tmp_path: Path) -> None:
    # The relevant documents at ranks 1, 1 and 2.
    better = "q1 Q0 A 1 1 t\nq2 Q0 A 1 1 t\nq3 Q0 X 1 2 t\nq3 Q0 A 2 1 t\n"
    asked = inquirer(tmp_path, QRELS, RUN, others={"better.run": better})
    found = asked.inquire(parse_claim(f"ndcg@10={(2 + 1 / log2(3)) / 3:.6f}"))
    assert found.verdict is Verdict.MISTAKE
    assert found.hypothesis is not None
    assert found.hypothesis.mistake is Mistake.ROWS
    assert "better.run" in found.hypothesis.text


def test_other_qrels(tmp_path: Path) -> None:
    other = "q1 0 X2 1\nq2 0 X3 1\nq3 0 X5 1\n"
    asked = inquirer(tmp_path, QRELS, RUN, other_qrels={"other.qrels": other})
    value = (1 / log2(3) + 1 / log2(4) + 1 / log2(6)) / 3
    assert [each.value for each in tried(asked, Mistake.QRELS)] == [pytest.approx(value)]


def test_a_subset_of_the_queries(tmp_path: Path) -> None:
    asked = inquirer(tmp_path, QRELS, RUN, subsets={"fold.txt": ["q1", "q3", "absent"]})
    found = tried(asked, Mistake.SUBSET)
    assert [each.value for each in found] == [pytest.approx((ROWS[0] + ROWS[2]) / 2)]
    assert "the 2 queries of fold.txt" in found[0].text


def shown(folder: Path, number: str) -> Finding:
    return inquirer(folder, SHOWN, SHOWN_RUN).inquire(
        parse_claim(f"ndcg@10={number}", {"gain": "exponential", "order": "rank"})
    )


def test_rounded_intermediate_values_of_the_issue(tmp_path: Path) -> None:
    # 1 + 7/1.58 + 3/2 = 6.93 and 7 + 3/1.58 + 1/2 = 9.40, with log2(3) = 1.58496 written as 1.58.
    found = shown(tmp_path, "0.737")
    assert found.verdict is Verdict.MISTAKE
    assert found.matching_classes == 0
    assert found.hypothesis is not None
    assert found.hypothesis.mistake is Mistake.INTERMEDIATES
    assert found.hypothesis.text.endswith("6.93 / 9.40")
    assert found.hypothesis.value == pytest.approx((1 + 7 / 1.58 + 1.5) / (7 + 3 / 1.58 + 0.5))
    assert found.value == pytest.approx((1 + 7 / log2(3) + 1.5) / (7 + 3 / log2(3) + 0.5))
    assert found.closest[0] == found.value
    assert f"{found.value:.4f}" == "0.7364"


def test_at_four_decimals_the_same_is_reproduced(tmp_path: Path) -> None:
    assert shown(tmp_path, "0.7364").verdict is Verdict.REPRODUCED
