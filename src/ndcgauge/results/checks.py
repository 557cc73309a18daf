"""The document of `check`: fingerprints of evaluators, and what they gave on every case (DESIGN §9)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ndcgauge.results.document import ByKey, Document
from ndcgauge.results.model import CHECK_SCHEMA, Environment, Tool

Standing = Literal["same", "different", "undeclared", "undetermined"]


class AxisEntry(Document):
    """One axis: what is declared, and what the cases show."""

    declared: str | None
    """Null where the catalogue says that it is undocumented."""
    measured: str
    """A value of the axis; `mixed`; `arbitrary` (an order of ties by no rule); `unexplained`; `undetermined`."""
    cases: list[str]
    """The cases that show it, or between which it is mixed."""
    standing: Standing
    known: bool
    """Whether it is as declared, or differs only on cases that the ledger knows."""
    equal: list[str]
    """Other values that cannot be told from the measured one, because of the evaluator's other axes."""
    values: ByKey[list[str]]
    """Where it is mixed: value to the cases that show it."""
    reason: str | None


class KnownEntry(Document):
    """A difference that the ledger knows."""

    case: str
    why: str
    link: str


class CheckedEvaluator(Document):
    """One evaluator, measured by the suite."""

    id: str
    title: str
    version: str | None
    versions: ByKey[str]
    outcome: Literal["checked", "unavailable", "crashed"]
    message: str | None
    conforms: bool
    """Whether fingerprint and cases are as declared beyond the ledger, and no entry of the ledger is stale."""
    fingerprint: ByKey[AxisEntry]
    """By axis: what all measures of one declaration show together."""
    measures: ByKey[ByKey[AxisEntry]]
    """By measure and axis."""
    asked: int
    """Cases of measures that it has."""
    matching: int
    known: list[KnownEntry]
    """The cases that differ as the ledger says."""
    stale: list[str]
    """The cases that the ledger says differ, and that do not."""


class CheckedResult(Document):
    """What an evaluator gave on a case."""

    outcome: str
    value: float | None
    """The mean over the queries of the case; null where it has none, or is not finite."""
    matches: bool
    """Whether it is what the evaluator's declared specification gives."""
    known: bool
    """Whether the ledger knows that it is not."""
    message: str | None


class CheckedCase(Document):
    """A case with every evaluator's result."""

    id: str
    axes: list[str]
    title: str
    measure: str
    results: ByKey[CheckedResult]


class CheckReport(Document):
    """The whole document of `ndcgauge check`."""

    schema_: Annotated[Literal["ndcgauge-check/1"], Field(alias="schema")] = CHECK_SCHEMA
    tool: Tool
    created: str | None
    command: list[str]
    evaluators: list[CheckedEvaluator]
    cases: list[CheckedCase]
    warnings: list[str]
    environment: Environment
