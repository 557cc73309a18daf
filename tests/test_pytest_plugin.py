"""The plug-in, as the author of a library uses it: in a folder that knows nothing of ndcgauge."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

COMPUTING = Path(__file__).parent / "suite" / "fakes" / "computing.py"
LIBRARY = """
import math

__version__ = "2.5"


def evaluate(qrels, run, measure):
    stem, _, cutoff = measure.partition("@")
    if stem != "ndcg":
        raise NotImplementedError(measure)
    rows = {}
    for query in qrels.keys() & run.keys():
        ranking = sorted(run[query], key=lambda doc: (run[query][doc], doc.encode("utf-8", "surrogateescape")))[::-1]
        k = int(cutoff) if cutoff else None
        gains = [max(int(qrels[query].get(doc, 0)), 0) for doc in ranking[:k]]
        ideal = sorted((max(int(grade), 0) for grade in qrels[query].values()), reverse=True)[:k]
        dcg, best = (sum(gain / math.log2(i + 2) for i, gain in enumerate(each)) for each in (gains, ideal))
        rows[query] = dcg / best if best else 0.0
    return rows


def wrong(qrels, run, measure):
    return {query: value / 2 for query, value in evaluate(qrels, run, measure).items()}


def raw(request):
    assert request["op"] == "evaluate"
    return {"results": [{"unsupported": "measure", "message": "none"} for _ in request["measures"]]}
"""


def test_without_the_option_nothing_is_added(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_own():\n    import sys\n    assert 'ndcgauge.jobs' not in sys.modules")
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=1)


def test_a_function_is_tested_case_by_case(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(mylibrary=LIBRARY)
    options = ("--ndcgauge-evaluator", "mylibrary:evaluate", "-k", "gain or nul-ndcg", "-v")
    result = pytester.runpytest_subprocess(*options)
    outcomes = result.parseoutcomes()
    assert outcomes["passed"] >= 10
    assert "failed" not in outcomes
    result.stdout.fnmatch_lines(["*gain/gain-dcg SKIPPED*", "*gain/gain-ndcg PASSED*", "*nul/nul-ndcg SKIPPED*"])


def test_a_failure_shows_the_case_and_no_traceback(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(mylibrary=LIBRARY)
    result = pytester.runpytest_subprocess("--ndcgauge-evaluator", "mylibrary:wrong", "-k", "gain/gain-ndcg")
    result.assert_outcomes(failed=1, deselected=result.parseoutcomes()["deselected"])
    result.stdout.fnmatch_lines(["*expected*", "*gain=linear*"])
    assert "Traceback" not in result.stdout.str()


def test_a_function_of_a_request_speaks_the_protocol(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(mylibrary=LIBRARY)
    result = pytester.runpytest_subprocess("--ndcgauge-evaluator", "mylibrary:raw", "-k", "gain/gain-ndcg", "-rs")
    assert result.parseoutcomes()["skipped"] == 1


def test_a_program_with_a_profile_and_the_authors_own_tests(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_own():\n    pass")
    command = shlex.join([sys.executable, str(COMPUTING), "gain=exponential"])
    options = ("--ndcgauge-evaluator", f"exec:{command}", "--ndcgauge-measure", "ndcg", "-k", "gain or own")
    wrong = pytester.runpytest_subprocess(*options).parseoutcomes()
    assert wrong["failed"] >= 2
    right = pytester.runpytest_subprocess(*options, "--ndcgauge-profile", "trec_eval,gain=exponential").parseoutcomes()
    assert "failed" not in right
    assert right["passed"] == wrong["passed"] + wrong["failed"]


@pytest.mark.parametrize(
    ("option", "message"),
    [("nothing at all", "is no evaluator"), ("no_such_module:evaluate", "ModuleNotFoundError")],
)
def test_an_evaluator_that_is_none(pytester: pytest.Pytester, option: str, message: str) -> None:
    result = pytester.runpytest_subprocess("--ndcgauge-evaluator", option, "-k", "gain/gain-ndcg")
    assert result.ret != 0
    assert message in result.stdout.str() + result.stderr.str()
