"""Two more evaluators, by a short script and by their own command line: no adapter, no change of ours."""

from __future__ import annotations

import importlib.util
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from ndcgauge.jobs.check import check, check_options

SCRIPT = Path(__file__).parent / "scripts" / "pytrec_eval_evaluator.py"
COMMAND = Path(sys.executable).parent / "ir_measures"


@pytest.mark.skipif(importlib.util.find_spec("pytrec_eval") is None, reason="pytrec_eval-terrier is not installed")
def test_pytrec_eval_by_a_short_script_is_trec_eval_with_double_scores() -> None:
    program = f"pytrec=exec:{shlex.join([sys.executable, str(SCRIPT)])}"
    found = check(check_options([program], measures=["ndcg", "ap"])).evaluators[0]
    assert found.outcome == "checked"
    measured = {axis: each.measured for axis, each in found.fingerprint.items()}
    expected = {"ties": "docid-desc", "gain": "linear", "discount": "log2", "unjudged": "zero", "unretrieved": "absent"}
    assert {axis: measured[axis] for axis in expected} == expected
    assert (measured["order"], measured["ideal"], measured["zero_ideal"]) == ("score", "judged", "zero")
    # It gives rows and no mean, so which queries a mean would count cannot be seen.
    assert measured["queries"] == "undetermined"


@pytest.mark.skipif(shutil.which(str(COMMAND)) is None, reason="ir_measures is not installed")
def test_ir_measures_by_its_own_command_line() -> None:
    program = f"irm=trec:{COMMAND} -q -p 9 {{qrels}} {{run}} nDCG@10"
    report = check(check_options([program], measures=["ndcg@10"], pattern="ties-of"))
    found = report.evaluators[0]
    assert found.outcome == "checked"
    ties = found.fingerprint["ties"]
    # By pytrec_eval inside, which is trec_eval.
    assert (ties.measured, ties.declared) == ("docid-desc", "docid-desc")
    assert {"ties-of-15", "ties-of-120"} <= set(ties.cases)
    assert found.fingerprint["rounding"].declared == "9"
    assert found.matching == found.asked == len(report.cases)
