"""The kept schemas are those of the model; to make them anew, write `json_schema(name)` into the named file."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from tests.report.check_documents import check_report
from tests.report.documents import report, scores
from tests.report.large import large
from tests.report.several_runs import several

from ndcgauge.results.files import to_json
from ndcgauge.results.model import Document
from ndcgauge.results.schema import DOCUMENTS, json_schema, kept_schema

MADE: list[tuple[str, Document]] = [
    ("report", report()),
    ("report", several()),
    ("report", large(50)),
    ("scores", scores()),
    ("check", check_report()),
]


def validator(name: str) -> Any:
    schema = json.loads(kept_schema(name))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_kept_schema_is_current(name: str) -> None:
    assert kept_schema(name) == json_schema(name)


@pytest.mark.parametrize(("name", "document"), MADE)
def test_what_we_write_is_valid(name: str, document: Document) -> None:
    validator(name).validate(json.loads(to_json(document)))


@pytest.mark.parametrize(
    ("key", "value"),
    [("surprise", 1), ("schema", "ndcgauge-report/2"), ("evaluators", None), ("warnings", [1]), ("tool", {})],
)
def test_what_is_no_report_is_not_valid(key: str, value: object) -> None:
    document = {**json.loads(to_json(report())), key: value}
    assert not validator("report").is_valid(document)
