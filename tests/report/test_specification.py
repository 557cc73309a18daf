"""The specification, three ways: what a publication must state is in each."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

from tests.report.documents import report

from ndcgauge.jobs.compare import compare, options
from ndcgauge.jobs.loading import load_run, open_inputs
from ndcgauge.jobs.request import request
from ndcgauge.jobs.score import score
from ndcgauge.report.specification import (
    machine_block,
    machine_json,
    publication_sentences,
    query_set_hash,
    render_header,
    spec_table,
)
from ndcgauge.results.run_header import read_header, specification_of, stated_hashes
from ndcgauge.spec import MetricSpec

QRELS = "q1 0 D1 3\nq1 0 D2 1\nq2 0 D1 2\n"
RUN = "q1 Q0 D2 1 2 r\nq1 Q0 D1 2 1 r\nq2 Q0 D9 1 1 r\n"


def test_the_sentence_names_what_a_publication_must_fix() -> None:
    (sentence,) = publication_sentences(report())
    for part in (
        "nDCG@10 with linear gain",
        "mean over all judged queries",
        "computed with ndcgauge 9.9",
        "qrels some.qrels (1,234 judgments, sha256 0123456789ab)",
        "-1 (2), 0 (1,000), 3 (232)",
        "3 queries",
        "spec:0123456789ab",
    ):
        assert part in sentence


def test_an_evaluator_that_is_the_baseline_is_named_with_its_version() -> None:
    document = report()
    reference = document.attribution.references[0].model_copy(update={"baseline": "exact"})
    attribution = document.attribution.model_copy(update={"references": [reference]})
    (sentence,) = publication_sentences(document.model_copy(update={"attribution": attribution}))
    assert "computed with exact (exact 1.2)" in sentence


def test_the_hash_of_a_query_set_is_that_of_sort_and_sha256sum() -> None:
    names = ["10", "9", "é", "A", "a"]
    shell = subprocess.run(
        ["sh", "-c", "LC_ALL=C sort -u"],
        input="\n".join([*names, "9"]) + "\n",
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert query_set_hash(names) == hashlib.sha256(shell.stdout.encode()).hexdigest()


def test_the_table_has_every_axis() -> None:
    rows = {row[0].text: row[1].text for row in spec_table(report(), "ndcg@10").rows}
    assert rows == {"cutoff": "10", "gain": "linear", "queries": "judged", "ties": "docid-desc"}


def test_the_block_is_json_of_the_same_content() -> None:
    assert json.loads(machine_json(report())) == machine_block(report())


def test_the_header_is_read_back() -> None:
    header = read_header(render_header(report()).splitlines())
    assert header is not None
    assert header["research goal"]["evaluation"]["reported measures"] == ["ndcg@10"]
    assert specification_of(header) == machine_block(report())
    assert stated_hashes(header) == {"ndcg@10": "spec:0123456789ab"}


def test_other_comments_are_no_header() -> None:
    assert read_header(["# made by hand", "# ir_metadata.start", "# a: 1"]) is None
    assert read_header(["# ir_metadata.start", "# a: [1", "# ir_metadata.end"]) is None
    other = read_header(["# ir_metadata.start", "# tag: mine", "# ir_metadata.end"])
    assert other == {"tag": "mine"}
    assert specification_of(other) is None


def test_a_run_with_the_header_scores_as_without_and_gives_it_back(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    asked = request(["ndcg@10"], sets=["gain=exponential"])
    files = str(tmp_path / "qrels"), str(tmp_path / "run")
    made = compare(files[0], [files[1]], asked, options(["sklearn"], asked))
    (tmp_path / "run").write_text(render_header(made) + RUN)
    scored, _ = score(files[0], [files[1]], asked)
    assert scored.scores[0].mean == made.attribution.references[0].mean
    inputs = open_inputs(files[0], [files[1]], asked)
    loaded = load_run(inputs, inputs.run_sources[0], asked)
    header = read_header(loaded.run_file.comments)
    assert header is not None
    block = specification_of(header)
    assert block is not None
    (stated,) = block["measures"]
    # The axes in the header are a specification: the one that was computed.
    cutoff = {"cutoff": stated["axes"]["cutoff"]}
    assert MetricSpec.of("ndcg", cutoff).replace(**stated["axes"]).hash == stated["hash"] == made.spec[0].hash
    # Under another specification the header is found to state something else.
    other = request(["ndcg@10"])
    warned = compare(files[0], [files[1]], other, options(["sklearn"], other)).warnings
    assert any(made.spec[0].hash in each and "the header of" in each for each in warned)
    same = compare(files[0], [files[1]], asked, options(["sklearn"], asked)).warnings
    assert not any("the header of" in each for each in same)
