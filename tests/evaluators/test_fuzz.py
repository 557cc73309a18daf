"""`fuzz` on the real libraries: the differences that are known of them are found, each on its smallest input."""

from __future__ import annotations

import itertools
import os

import pytest

from ndcgauge.evaluators.references import Catalogued, resolve
from ndcgauge.evaluators.workers import unavailable
from ndcgauge.jobs.fuzz import Finding, fuzz
from ndcgauge.spec import parse_measure


def findings(left: str, right: str, looks: int) -> dict[str, Finding]:
    """Cause to finding, from `looks` times 256 examples, each cause made as small as it gets."""
    for name in (left, right):
        if (missing := unavailable(Catalogued(name))) is not None:
            pytest.skip(f"{name} is not installed: {missing.how_to_install}")
    clock = itertools.chain(itertools.repeat(0.0, looks + 1), itertools.repeat(1.0))
    result = fuzz([resolve(left), resolve(right)], parse_measure("ndcg@10"), budget=1.0, clock=lambda: next(clock))
    return {str(each.difference.cause): each for each in result.findings}


def test_sklearn_and_the_padded_call_differ_on_lists_shorter_than_the_cutoff() -> None:
    found = findings("sklearn", "sklearn-padded", 1)
    append = found["unretrieved"].difference.example
    # One document is retrieved, another judged: scikit-learn refuses a single one.
    assert (len(append.retrieved), len(append.missing)) == (1, 1)
    assert found["unretrieved"].smallest
    report = found["unretrieved"].report
    assert report is not None
    assert report.discrepancies[-1].minimal == [["unretrieved"]]
    assert "refused against value" in found


@pytest.mark.skipif(not os.environ.get("NDCGAUGE_REAL"), reason="a minute of trec_eval's starts: nox -s real")
def test_ranx_and_pyserini_differ_by_ties_at_sixteen_documents_and_by_single_precision() -> None:
    found = findings("ranx", "pyserini", 3)
    # Below 16 documents ranx's sort is by insertion and keeps the order of lines; from there on it has none.
    unstable = found["ties (an order of ties that follows no rule)"].difference.example
    assert len(unstable.retrieved) == 16
    lines = found["ties (as line)"].difference.example
    assert len({each.score for each in lines.retrieved}) == 1
    assert len(lines.retrieved) == 2
    # trec_eval 9.0.4 takes the two scores for one; ranx does not.
    single = found["score_precision, ties (as line)"].difference.example
    one, other = single.retrieved
    assert one.score != other.score
    assert abs(one.score - other.score) <= 1e-6 * abs(one.score)
