"""The real evaluators on the worked example: values of the libraries, causes of the tool."""

from __future__ import annotations

import importlib.util

import pytest

from ndcgauge.jobs.demo import demo
from ndcgauge.results.model import Report

# Derived by hand: DCG 4.2869, ideal 5.5794 (linear); 7.2869, 10.2103 (exponential).
VALUES = {
    "sklearn": (0.8280865851326172, [["unretrieved"]]),
    "sklearn-retrieved": (0.825585742947138, [["ideal"]]),
    "sklearn-padded": (0.7683428854275793, [[]]),
    "sklearn-ignore-ties": (0.8280865851326172, [["unretrieved"]]),
    "ranx": (0.7683428854275793, [[]]),
    "ranx-burges": (0.7136783887047222, [["gain"]]),
    "pyserini": (0.7683, [[]]),
    "pyserini-c": (0.7683, [[]]),
    "pyserini-judged": (0.8645, [["unjudged"]]),
}
LIBRARIES = {"sklearn": "sklearn", "ranx": "ranx", "pyserini": "pyserini"}


@pytest.fixture(scope="module")
def report() -> Report:
    return demo()


@pytest.mark.parametrize("name", VALUES)
def test_value_and_cause(name: str, report: Report) -> None:
    library = LIBRARIES[name.split("-")[0]]
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    value, minimal = VALUES[name]
    entry = next(each for each in report.evaluators if each.id == name)
    found = next(each for each in report.discrepancies if each.evaluator == name)
    assert entry.mean == pytest.approx(value, abs=1e-12)
    assert entry.verified
    assert found.minimal == minimal
    assert found.verdict == ("agrees" if minimal == [[]] else "explained")
    assert abs(found.residual) < 1e-12
