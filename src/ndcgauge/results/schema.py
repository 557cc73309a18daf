"""The JSON Schema of the documents."""

from __future__ import annotations

import json

from ndcgauge.results.model import Document, Report, Scores

DOCUMENTS: dict[str, type[Document]] = {"report": Report, "scores": Scores}


def json_schema(document: str) -> str:
    """The JSON Schema of `report` or `scores`, as text."""
    return json.dumps(DOCUMENTS[document].model_json_schema(by_alias=True), indent=1, sort_keys=True) + "\n"
