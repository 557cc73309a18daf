"""The JSON Schema of the documents, which is kept beside this module as well: other programs read it from there."""

from __future__ import annotations

import json
from importlib.resources import files

from ndcgauge.results.checks import CheckReport
from ndcgauge.results.model import Document, Report, Scores

DOCUMENTS: dict[str, type[Document]] = {"report": Report, "scores": Scores, "check": CheckReport}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(document: str) -> str:
    """The JSON Schema of `report`, `scores` or `check`, as text, made from the model."""
    schema = {"$schema": _DIALECT, **DOCUMENTS[document].model_json_schema(by_alias=True)}
    return json.dumps(schema, indent=1, sort_keys=True) + "\n"


def kept_schema(document: str) -> str:
    """The JSON Schema of `report`, `scores` or `check`, as it is kept in the package."""
    return (files("ndcgauge.results") / "schemas" / f"{document}.json").read_text(encoding="utf-8")
