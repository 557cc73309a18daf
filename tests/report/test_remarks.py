from __future__ import annotations

from typing import Any

from tests.report.documents import report

from ndcgauge.report.remarks import envelope_line, grades
from ndcgauge.results.model import Report


def line(**envelope: Any) -> str | None:
    document = report().model_dump(by_alias=True)
    document["attribution"]["envelopes"][0].update(envelope)
    return envelope_line(Report.model_validate(document), "bm25.run", "ndcg@10")


def test_the_envelope_names_whose_it_is_and_how_many_queries_are_open() -> None:
    told = "Tie envelope of trec_eval -c's mean: worst 0.4100, average 0.4700, best 0.5200; "
    assert line() == told + "the order of ties decides 2 queries"
    assert line(queries_open=1) == told + "the order of ties decides 1 query"


def test_an_envelope_without_ties_says_so() -> None:
    assert line(queries_open=0) == "Tie envelope of trec_eval -c: no order of tied documents changes a value"


def test_an_envelope_that_cannot_be_had_says_why() -> None:
    assert line(worst=None, average=None, best=None, note="a tie is too large") == (
        "Tie envelope of trec_eval -c: a tie is too large"
    )


def test_a_document_without_an_envelope_has_no_line() -> None:
    document = report().model_dump(by_alias=True)
    document["attribution"]["envelopes"] = []
    assert envelope_line(Report.model_validate(document), "bm25.run", "ndcg@10") is None


def test_grades_are_numbers() -> None:
    assert grades({"10": 1, "-0.5": 2000, "2": 3}) == ["-0.5 (2,000)", "2 (3)", "10 (1)"]
