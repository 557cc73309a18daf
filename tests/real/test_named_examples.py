"""The real examples that README and the issues name."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.real.pairs import REASON, SHARED

from ndcgauge.evaluators.references import Catalogued
from ndcgauge.evaluators.workers import Workers, unavailable
from ndcgauge.jobs.compare import compare, options
from ndcgauge.jobs.request import request
from ndcgauge.jobs.score import score
from ndcgauge.results.model import Report

pytestmark = [
    pytest.mark.skipif(not SHARED.is_dir(), reason=REASON),
    pytest.mark.skipif(unavailable(Catalogued("pyserini")) is not None, reason="pyserini is not installed"),
]
COVID = SHARED / "trec-covid"


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers() as warm:
        yield warm


def compared(number: int, run: str, names: list[str], workers: Workers) -> Report:
    asked = request(["ndcg@10"], complete=True)
    qrels = COVID / f"qrels.covid-round{number}.txt.gz"
    return compare(str(qrels), [str(COVID / run)], asked, options(names, asked), workers=workers)


def test_round_4_of_readme_is_tie_breaking(workers: Workers) -> None:
    report = compared(4, "round4.ILPS_UvA_big_diverse.gz", ["sklearn", "ranx", "pyserini-c"], workers)
    means = {each.id: each.mean for each in report.evaluators}
    # Recorded from the real evaluators in expected.json; the order of ranx' unstable sort is its processor's.
    assert means["pyserini-c"] == 0.0758
    assert means["sklearn"] == pytest.approx(0.132776, abs=5e-7)
    for each in report.discrepancies:
        assert each.minimal == ([[]] if each.evaluator == "pyserini-c" else [["ties"]])
        assert abs(each.residual) < 1e-9
    tied = report.attribution.envelopes[0]
    assert tied.worst is not None
    assert tied.best is not None
    assert all(tied.worst - 1e-4 <= mean <= tied.best + 1e-4 for mean in means.values() if mean is not None)
    assert report.inputs[1].accounting is not None
    assert report.inputs[1].accounting.tied_across_k == 45


def test_round_1_bert_is_score_precision_alone(workers: Workers) -> None:
    report = compared(1, "round1.BERT.gz", ["pyserini-c"], workers)
    assert report.attribution.references[0].mean == pytest.approx(0.1736, abs=5e-5)
    assert report.evaluators[0].mean == 0.1731
    assert report.discrepancies[0].minimal == [["score_precision"]]


def test_judged_at_10_of_pyserini_is_one_pooled_ratio(workers: Workers) -> None:
    asked = request(["judged@10"], complete=True)
    files = str(COVID / "qrels.covid-round4.txt.gz"), [str(COVID / "round4.ILPS_UvA_big_diverse.gz")]
    report = compare(*files, asked, options(["pyserini-c"], asked), workers=workers)
    assert report.evaluators[0].verified
    assert report.evaluators[0].mean is not None
    assert report.attribution.envelopes


@pytest.mark.parametrize("name", ["NLPR03vb10", "humR03dc"])
def test_the_published_p_10_of_robust_2003_is_p_15(name: str) -> None:
    record = json.loads((SHARED / "robust2003" / "expected.json").read_text())["pairs"][name]
    claim = next(each for each in record["published_claims"] if each["measure"] == "P_10")
    qrels, run = (str(SHARED / "robust2003" / record[each]) for each in ("qrels", "run"))
    scores, _ = score(qrels, [run], request(["P@15", "P@10"], complete=True))
    fifteen, ten = (each.mean for each in scores.scores)
    assert f"{fifteen:.4f}" == f"{claim['claimed']:.4f}" != f"{ten:.4f}"
    assert f"{ten:.4f}" == f"{claim['values']['trec_eval_10.0']:.4f}"
