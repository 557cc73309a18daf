from __future__ import annotations

import math
import typing
from typing import Any

import pytest
from pydantic import ValidationError
from tests.report.documents import report, scores

from ndcgauge.results import checks, model, several
from ndcgauge.results.document import ByKey, Document
from ndcgauge.results.model import ClaimEntry, QueryOutcome, Report, ScoreEntry

EVALUATOR_KEYS = {"id", "measure", "run", "outcome", "mean", "verified", "answered", "asked", "behaves_as", "queries"}
DISCREPANCY_KEYS = {
    "run",
    "measure",
    "baseline",
    "evaluator",
    "difference",
    "contributions",
    "families",
    "residual",
    "minimal",
    "queries_differing",
    "spec_used",
    "verdict",
}
TOP_KEYS = {
    "schema",
    "tool",
    "created",
    "command",
    "inputs",
    "spec",
    "evaluators",
    "discrepancies",
    "attribution",
    "warnings",
    "environment",
}


def plain() -> dict[str, Any]:
    return report().model_dump(mode="json", by_alias=True)


def test_the_keys_of_design_are_there() -> None:
    document = plain()
    assert set(document) >= TOP_KEYS
    assert document["schema"] == "ndcgauge-report/1"
    assert all(set(each) >= EVALUATOR_KEYS for each in document["evaluators"])
    assert all(set(each) >= DISCREPANCY_KEYS for each in document["discrepancies"])
    assert document["evaluators"][0]["queries"]["301"] == {"outcome": "value", "value": 0.5, "message": None}


def test_the_keys_of_scores_are_there() -> None:
    document = scores().model_dump(mode="json", by_alias=True)
    assert set(document) == {"schema", "tool", "scores"}
    assert all(set(each) == {"run", "measure", "spec", "mean", "queries"} for each in document["scores"])


def test_a_key_that_is_not_ours_is_refused() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        Report.model_validate({**plain(), "surprise": 1})


def test_a_document_does_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        report().warnings = []  # type: ignore[misc]


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_json_has_no_number_for_what_is_none(number: float) -> None:
    with pytest.raises(ValidationError, match="finite"):
        QueryOutcome(outcome="value", value=number)


def test_an_evaluator_without_a_baseline_is_refused() -> None:
    document = plain()
    document["evaluators"][1]["run"] = "another.run"
    with pytest.raises(ValidationError, match=r"ndcg@10 of another\.run has no reference"):
        Report.model_validate(document)


def test_a_measure_without_a_specification_is_refused() -> None:
    with pytest.raises(ValidationError, match="no entry for ndcg@10"):
        Report.model_validate({**plain(), "spec": []})


def test_a_claim_has_the_keys_of_design() -> None:
    claim = {
        "measure": "ndcg@10",
        "value": "0.7137",
        "verdict": "reproduced under another specification",
        "specifications": [{"gain": "exponential"}],
        "classes": 1,
        "searched": 12,
        "determined": {"gain": "exponential"},
        "free": ["self"],
        "evaluators": ["ranx-burges"],
        "hypothesis": None,
        "envelope": [0.7, 0.8],
        "closest": {"value": 0.71368, "spec": {"gain": "exponential"}},
        "chance": 0.01,
    }
    document = Report.model_validate({**plain(), "claims": [claim]})
    assert document.claims == [ClaimEntry.model_validate(claim)]
    (dumped,) = document.model_dump(mode="json", by_alias=True)["claims"]
    # What DESIGN names is there as it was given; further keys have their defaults.
    assert {key: dumped[key] for key in claim} == claim


def plain_mappings(kind: Any) -> list[Any]:
    """The mappings in a type that are not in the order of their keys."""
    if typing.get_origin(kind) is typing.Annotated:
        inner, *marks = typing.get_args(kind)
        ordered = any(mark in marks for mark in typing.get_args(ByKey)[1:])
        return (
            [each for part in typing.get_args(inner) for each in plain_mappings(part)]
            if ordered
            else plain_mappings(inner)
        )
    found = [each for part in typing.get_args(kind) for each in plain_mappings(part)]
    return [kind, *found] if typing.get_origin(kind) is dict else found


def test_every_mapping_of_a_document_is_in_the_order_of_its_keys() -> None:
    assert plain_mappings(dict[str, ByKey[int]] | None) == [dict[str, ByKey[int]]]
    parts = [
        each
        for module in (model, several, checks)
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Document)
    ]
    assert len(parts) > 20
    for part in parts:
        for name, kind in typing.get_type_hints(part, include_extras=True).items():
            if name in part.model_fields:
                assert plain_mappings(kind) == [], (part.__name__, name)


def test_the_order_of_keys_is_not_the_order_in_which_they_came() -> None:
    entry = ScoreEntry(run="r", measure="ndcg@10", spec={"ties": "average", "gain": "linear"}, mean=None, queries={})
    assert list(entry.spec) == ["gain", "ties"]
