"""`compare` on every real pair and measure: nothing unexplained where an evaluator gave values; else its own words."""

from __future__ import annotations

import gzip
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.real.pairs import HAS_NUL, REASON, every_pair

from ndcgauge.evaluators.workers import Workers
from ndcgauge.jobs.compare import compare, options
from ndcgauge.jobs.request import request
from ndcgauge.results.model import EvaluatorEntry

ALL = every_pair()
MEASURES = ("ndcg@10", "map", "recip_rank", "P@10", "recall@100", "judged@10")
EVALUATORS = ("sklearn", "ranx", "pyserini-c")
COUNT: Counter[str] = Counter()

pytestmark = [
    pytest.mark.skipif(not ALL, reason=REASON),
    pytest.mark.skipif(
        not os.environ.get("NDCGAUGE_REAL"), reason="takes twenty minutes: NDCGAUGE_REAL=1, or nox -s real"
    ),
]


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers() as warm:
        yield warm


def has_ties(run: str) -> bool:
    """Whether two documents of a query have the same score."""
    packed = Path(run).read_bytes()
    lines = (gzip.decompress(packed) if run.endswith(".gz") else packed).split(b"\n")
    scores = [(line.split()[0], float(line.split()[4])) for line in lines if line.split() and line[:1] != b"#"]
    return len(set(scores)) < len(scores)


def is_the_threshold_of_scikit_learn(entry: EvaluatorEntry, run: str) -> bool:
    """AP of scikit-learn takes a tie as one threshold, which no value of `ties` states: unexplained, and said."""
    said = any("a tie is one threshold" in note for note in entry.notes)
    return (entry.id, entry.measure) == ("sklearn", "ap") and said and has_ties(run)


@pytest.mark.parametrize(("name", "qrels", "run"), [pytest.param(*each, id=each[0]) for each in ALL])
def test_no_difference_is_left_unexplained(name: str, qrels: str, run: str, workers: Workers) -> None:
    if name in HAS_NUL:
        pytest.skip("the run has NUL bytes: bad input")
    asked = request(MEASURES, complete=True, on_duplicate="last")
    report = compare(qrels, [run], asked, options(EVALUATORS, asked), workers=workers)
    found = {(each.evaluator, each.measure): each for each in report.discrepancies}
    problems: list[str] = []
    for entry in report.evaluators:
        each = found.get((entry.id, entry.measure))
        told = f"{entry.id} {entry.measure}"
        if each is None:
            # It has no such measure, refused or failed: its outcome says so in its own words.
            assert entry.outcome in ("refused", "crashed", "unsupported"), (entry.outcome, entry.message)
            assert entry.message
            COUNT[f"{told} {entry.outcome}"] += 1
            if entry.outcome != "unsupported":
                print(f"{name}: {told} {entry.message} {entry.notes}")
        elif is_the_threshold_of_scikit_learn(entry, run):
            COUNT[f"{told} a tie as one threshold"] += 1
        else:
            COUNT[f"{told} {each.verdict}"] += 1
            if each.verdict not in ("agrees", "explained") or abs(each.residual) > 1e-9:
                problems.append(f"{told}: {each.verdict} {each.residual} {each.contributions} {entry.notes}")
    assert not problems


def test_the_count_is_told() -> None:
    for what, count in sorted(COUNT.items()):
        print(f"{what}: {count}")
