"""Which columns of a table, or members of a JSON record, are query, document, grade, score and rank.

The names are those that BEIR and MTEB, ir_datasets and ir_measures, PyTerrier and ranx write. Where
several would do, the first of each list is taken (PyTerrier has both `docno`, the id, and `docid`, an
internal number), and the report says which were read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

QUERY = ("query-id", "q-id", "qid", "query", "topic-id", "topic")
DOC = ("corpus-id", "docno", "doc-id", "d-id", "docid", "did", "pid", "passage-id", "document-id", "document", "doc")
GRADE = ("relevance", "rel", "grade", "label", "judgment", "qrel", "score")
SCORE = ("score", "sim")
RANK = ("rank",)


@dataclass(frozen=True)
class QrelsFields:
    """The names, as the file writes them, of what qrels need."""

    query: str
    doc: str
    grade: str

    def __str__(self) -> str:
        return f"{self.query}, {self.doc}, {self.grade}"


@dataclass(frozen=True)
class RunFields:
    """The names, as the file writes them, of what a run needs: a score, a rank, or both."""

    query: str
    doc: str
    score: str | None
    rank: str | None

    def __str__(self) -> str:
        return ", ".join(each for each in (self.query, self.doc, self.rank, self.score) if each is not None)


def qrels_fields(names: Sequence[str]) -> QrelsFields | None:
    """The fields of qrels among some names; None where one is missing."""
    query, doc, grade = (_first(names, wanted) for wanted in (QUERY, DOC, GRADE))
    return None if query is None or doc is None or grade is None else QrelsFields(query, doc, grade)


def run_fields(names: Sequence[str]) -> RunFields | None:
    """The fields of a run among some names; None where the query, the document, or both score and rank are missing."""
    query, doc, score, rank = (_first(names, wanted) for wanted in (QUERY, DOC, SCORE, RANK))
    if query is None or doc is None or (score is None and rank is None):
        return None
    return RunFields(query, doc, score, rank)


def wanted_fields(role: str) -> str:
    """What a file of a role (`qrels` or `run`) must have, for a fix."""
    last = "a grade (score, relevance, label …)" if role == "qrels" else "a score or a rank"
    return f"name a query (query-id, qid …), a document (corpus-id, docno …) and {last}"


def _first(names: Sequence[str], wanted: Sequence[str]) -> str | None:
    known = {name.strip().lower().replace("_", "-"): name for name in reversed(names)}
    return next((known[each] for each in wanted if each in known), None)
