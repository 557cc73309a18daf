"""`derived-formats` and `small-formats` of ../shared/data read to the same values as their originals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.real.pairs import REASON, SHARED

from ndcgauge.data.accounting import account
from ndcgauge.jobs.loading import load_run, open_inputs
from ndcgauge.jobs.request import request
from ndcgauge.jobs.score import score

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason=REASON)
DERIVED, SMALL = SHARED / "derived-formats", SHARED / "small-formats"


def means(qrels: Path, run: Path, measures: list[str]) -> dict[str, str]:
    scores, _ = score(str(qrels), [str(run)], request(measures, complete=True))
    return {name: f"{each.mean:.4f}" for name, each in zip(measures, scores.scores, strict=True)}


def derived() -> list[tuple[str, str, dict[str, float]]]:
    if not DERIVED.is_dir():
        return []
    document = json.loads((DERIVED / "expected.json").read_text())
    return [
        (qrels, run, next(iter(pair["values"].values()))["c"])
        for pair in document["pairs"].values()
        for qrels in pair["qrels"]
        for run in pair["run"]
    ]


@pytest.mark.parametrize(("qrels", "run", "values"), derived())
def test_derived_formats_have_the_trusted_values(qrels: str, run: str, values: dict[str, float]) -> None:
    assert means(DERIVED / qrels, DERIVED / run, list(values)) == {
        name: f"{value:.4f}" for name, value in values.items()
    }


def test_there_are_five_derived_pairs() -> None:
    assert len(derived()) == 5


@pytest.mark.parametrize("form", ["trec", "trec.gz", "json", "parquet"])
def test_ranx_fixtures_are_one_pair_in_four_formats(form: str) -> None:
    # By hand: q1 has grades 3, 2, 1 in that order and q2 2, 1: both ideal.
    inputs = open_inputs(str(SMALL / f"ranx.qrels.{form}"), [str(SMALL / f"ranx.run.{form}")], request(["ndcg@10"]))
    collection = load_run(inputs, inputs.run_sources[0], request(["ndcg@10"])).collection
    assert dict(account(collection, (10,)).scale) == {"1": 2, "2": 2, "3": 1}
    run = "ranx.run.json" if form == "json" else f"ranx.run.{form}"
    scores, _ = score(str(SMALL / f"ranx.qrels.{form}"), [str(SMALL / run)], request(["ndcg@10", "map"]))
    assert [dict(each.queries) for each in scores.scores] == [{"q1": 1.0, "q2": 1.0}] * 2


@pytest.mark.parametrize(
    ("qrels", "lines", "queries", "form"),
    [
        ("beir.scifact.test.tsv", 339, 300, "beir qrels (query-id, corpus-id, score)"),
        ("msmarco.qrels.dev.small.tsv.gz", 7437, 6980, "trec qrels"),
        ("pyserini.nfcorpus-qrels.tsv", None, None, "trec qrels"),
        ("cwl.qrel_file", 23, 3, "trec qrels"),
        ("irm.compat.qrels", 311, 2, "trec qrels"),
        ("pyterrier.vaswani.qrels", 2083, 93, "trec qrels"),
    ],
)
def test_qrels_of_other_tools(qrels: str, lines: int | None, queries: int | None, form: str) -> None:
    # Counts from ../shared/data/README.md and from BEIR's and MS MARCO's own statistics.
    found = open_inputs(str(SMALL / qrels), [], request(["ndcg@10"])).qrels.file
    assert found.format == form
    if lines is not None:
        assert (found.lines, found.queries) == (lines, queries)
