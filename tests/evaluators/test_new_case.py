"""From files on which two real libraries differ to a case that passes lint and shows the same difference again."""

from __future__ import annotations

from pathlib import Path

import pytest

from ndcgauge.evaluators.references import Catalogued
from ndcgauge.evaluators.workers import Workers, unavailable
from ndcgauge.jobs.cases import linted, new_case
from ndcgauge.jobs.compare import compare, options
from ndcgauge.jobs.request import request
from ndcgauge.suite.loading import load_case

TIED = ("129.65334818922022", "129.65334818633315")
"""Two scores that are one number in single precision."""


@pytest.mark.parametrize("other", ["ranx", "sklearn"])
def test_the_case_shows_what_the_files_show(other: str, warm: Workers, tmp_path: Path) -> None:
    for name in ("pyserini", other):
        if unavailable(Catalogued(name)) is not None:
            pytest.skip(f"{name} is not installed")
    names = [f"doc{number:02d}" for number in range(30)]
    scores = [f"{200 - number}.0" for number in range(28)] + list(TIED)
    lines = sorted(zip(names, scores, strict=True), key=lambda each: -float(each[1]))
    (tmp_path / "qrels").write_text("".join(f"7 0 {doc} {int(doc in ('doc03', 'doc28'))}\n" for doc in names))
    (tmp_path / "run").write_text(
        "".join(f"7 Q0 {doc} {rank} {score} t\n" for rank, (doc, score) in enumerate(lines, 1))
    )
    told: list[str] = []
    files = (str(tmp_path / "qrels"), str(tmp_path / "run"))
    found = new_case(*files, ["pyserini", other], measure="ndcg", tell=told.append, workers=warm)
    assert found.axes == ("score_precision",)
    # One relevant document and one that ties with it in single precision alone.
    assert found.lines_after == 3
    assert any("lines are left" in each for each in told)

    path = tmp_path / "own" / "score_precision" / "mine.toml"
    path.parent.mkdir(parents=True)
    finished = found.text.replace(
        'why     = ""', 'why     = "Scores that are near each other tie in single precision."'
    )
    path.write_text(finished.replace("refs    = []", 'refs    = ["NIST trec_eval 9.0.4, form_res_rels.c"]'))
    assert linted(path.parents[1]).findings == []

    case = load_case(path)
    # What makes no difference here, such as a NUL that no file has, is not in the case.
    assert [dict(each.when) for each in case.expectations] == [
        {"score_precision": "float32"},
        {"score_precision": "float64"},
    ]
    (tmp_path / "case.qrels").write_bytes(case.qrels)
    (tmp_path / "case.run").write_bytes(case.run)
    question = request(["ndcg"], baseline="pyserini")
    again = compare(
        str(tmp_path / "case.qrels"),
        [str(tmp_path / "case.run")],
        question,
        options(["pyserini", other], question),
        workers=warm,
    )
    (difference,) = [each for each in again.discrepancies if each.evaluator == other]
    # Where the order is an observed one, that order explains these two documents as well.
    assert ["score_precision"] in difference.minimal
    # 1 against 1/log2(3), which is printed as 0.6309.
    assert difference.difference == pytest.approx(1 - 0.6309, abs=1e-9)
