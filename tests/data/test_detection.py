"""The format is told by the first line, and can be forced."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.data import formats
from tests.data.writing import source

from ndcgauge.data.detection import qrels_form, run_form
from ndcgauge.errors import InputError

RUNS = {
    b"q1 Q0 d1 1 2.0 t\n": None,
    b"# a comment\n\nq1\tQ0\td1\t1\t2.0\tt\n": None,
    b"": None,
    b"q1\td1\t1\n": "msmarco run (query, document, rank)",
    b"0 11067 5.17\n": None,
    b"query-id\tcorpus-id\tscore\n": "beir run (query-id, corpus-id, score)",
    b"qid\tdocid\tdocno\trank\tscore\tquery\r\n": "beir run (qid, docno, rank, score)",
    b"qid docno rank\n": "beir run (qid, docno, rank)",
    b'{"q1": {"d1": 2.0}}': "json run ({query: {document: score}})",
    b'\xef\xbb\xbf\n {\n "q1": {\n': "json run ({query: {document: score}})",
    b"{}": "json run ({query: {document: score}})",
    b'{"q_id": "q1", "doc_id": "d1", "score": 2}\n': "jsonl run (q_id, doc_id, score)",
    b'{"query_id": "q1", "doc_id": "d1", "rank": 2}\n': "jsonl run (query_id, doc_id, rank)",
}
QRELS = {
    b"q1 0 d1 1\n": None,
    b"q1\td1\t1\n": None,
    b"query-id\tcorpus-id\tscore\r\nq\td\t1\r\n": "beir qrels (query-id, corpus-id, score)",
    b"query_id\titeration\tdoc_id\trelevance\n": "beir qrels (query_id, doc_id, relevance)",
    b'{"q1": {"d1": 2}}': "json qrels ({query: {document: grade}})",
    b'{"qid": "q1", "docno": "d1", "label": 2, "score": 0.5}\n': "jsonl qrels (qid, docno, label)",
}


@pytest.mark.parametrize("data", RUNS)
def test_runs(tmp_path: Path, data: bytes) -> None:
    form = run_form(source(tmp_path, "run", data))
    assert (None if form is None else form.title) == RUNS[data]


@pytest.mark.parametrize("data", QRELS)
def test_qrels(tmp_path: Path, data: bytes) -> None:
    form = qrels_form(source(tmp_path, "qrels", data))
    assert (None if form is None else form.title) == QRELS[data]


def test_parquet_is_told_by_its_bytes(tmp_path: Path) -> None:
    data = formats.parquet(tmp_path / "p", [("q", "d", 1)], ("q_id", "doc_id", "score"))
    found = qrels_form(source(tmp_path, "any.name", data))
    assert found is not None
    assert found.title == "parquet qrels (q_id, doc_id, score)"


def test_a_format_can_be_forced(tmp_path: Path) -> None:
    odd = source(tmp_path, "run", b"query-id\tcorpus-id\t1\n")
    assert run_form(odd) is not None
    forced = run_form(odd, "msmarco")
    assert forced is not None and forced.title.startswith("msmarco")
    assert run_form(source(tmp_path, "json", b'{"q": {"d": 1}}'), "trec") is None


@pytest.mark.parametrize("wanted", ["beir", "jsonl", "parquet"])
def test_a_forced_format_that_cannot_be_meant_is_refused_with_a_fix(tmp_path: Path, wanted: str) -> None:
    with pytest.raises(InputError) as caught:
        run_form(source(tmp_path, "run", b"q1 Q0 d1 1 2.0 t\n"), wanted)
    assert caught.value.fix


def test_a_list_in_json_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="list"):
        qrels_form(source(tmp_path, "q", b'[{"qid": "1"}]'))
