"""`compare` on every real pair: nothing unexplained where an evaluator gave values; otherwise its own words."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import pytest
from tests.real.pairs import HAS_NUL, REASON, Pair, pairs

from ndcgauge.evaluators.workers import Workers
from ndcgauge.jobs.compare import compare, options
from ndcgauge.jobs.request import request

ALL = pairs()
COUNT: Counter[str] = Counter()

pytestmark = [
    pytest.mark.skipif(not ALL, reason=REASON),
    pytest.mark.skipif(
        not os.environ.get("NDCGAUGE_REAL"), reason="takes ten minutes: NDCGAUGE_REAL=1, or nox -s real"
    ),
]


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers() as warm:
        yield warm


@pytest.mark.parametrize("pair", [each for each in ALL if each.name not in HAS_NUL], ids=lambda pair: pair.name)
def test_no_difference_is_left_unexplained(pair: Pair, workers: Workers) -> None:
    asked = request(
        ["ndcg@10"],
        complete=True,
        on_duplicate="last",
        on_nul="stop" if pair.name in HAS_NUL else "error",
    )
    names = ["sklearn", "ranx", "pyserini-c"]
    report = compare(pair.qrels, [pair.run], asked, options(names, asked), workers=workers)
    found = {each.evaluator: each for each in report.discrepancies}
    problems: list[str] = []
    for entry in report.evaluators:
        if entry.answered == 0:
            # It refused or failed: its outcome says so in its own words.
            assert entry.outcome in ("refused", "crashed"), (entry.outcome, entry.message)
            assert entry.message
            COUNT[f"{entry.id} {entry.outcome}"] += 1
            print(f"{pair.name}: {entry.id} {entry.message} {entry.notes}")
            continue
        each = found[entry.id]
        COUNT[f"{entry.id} {each.verdict}"] += 1
        if each.verdict not in ("agrees", "explained") or abs(each.residual) > 1e-9:
            problems.append(f"{entry.id}: {each.verdict} {each.residual} {each.contributions} {entry.notes}")
    assert not problems


def test_the_count_is_told() -> None:
    for what, count in sorted(COUNT.items()):
        print(f"{what}: {count}")
