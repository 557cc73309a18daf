"""The report document: one versioned JSON, of which every form is a pure function (DESIGN §9).

Numbers that are undefined (a mean over no query, NaN) are null in the document, and the outcome
beside them says why. Keys that DESIGN §9 names may be relied on by other programs.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

REPORT_SCHEMA = "ndcgauge-report/1"
SCORES_SCHEMA = "ndcgauge-scores/1"


class Document(BaseModel):
    """A frozen part of the document with closed keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @field_validator("*")
    @classmethod
    def _by_key(cls, value: object) -> object:
        """Mappings are in the order of their keys, as in JSON: a form made now and one made of the file are equal."""
        return dict(sorted(cast("dict[str, object]", value).items())) if isinstance(value, dict) else value


class Tool(Document):
    """What made the document."""

    name: Literal["ndcgauge"] = "ndcgauge"
    version: str


class Accounting(Document):
    """How qrels and run meet."""

    judged: int
    """Queries in the qrels."""
    retrieved: int
    """Queries in the run."""
    both: int
    judged_only: list[str]
    """Judged queries that the run lacks."""
    run_only: int
    without_relevant: list[str]
    """Judged queries without a positive grade."""
    judged_at_k: float | None
    """Mean share of the top k that is judged, over the queries in both files."""
    k: int
    tied_in_top_k: int
    """Queries with a tie among their first k documents."""
    tied_across_k: int
    """Queries whose k-th and next document tie."""
    tied_across_k_float32: int
    """Queries whose k-th and next document tie in single precision only."""
    own_documents: int
    """Queries that retrieve a document with their own id."""


class InputFile(Document):
    """A file as it was read."""

    role: Literal["qrels", "run"]
    name: str
    sha256: str
    lines: int
    queries: int
    format: str
    unpacked: bool = False
    """Whether evaluators were given an unpacked copy, byte for byte."""
    written: bool = False
    """Whether evaluators were given a TREC file that was written from this one, which is in another format."""
    relevance_scale: dict[str, int] | None = None
    """Grade to its number of judgments (qrels)."""
    accounting: Accounting | None = None
    """How the run meets the qrels (runs)."""


class SpecEntry(Document):
    """The baseline's specification of one measure, every axis written out."""

    measure: str
    hash: str
    short: str
    sentence: str
    axes: dict[str, str]


class QueryOutcome(Document):
    """What an evaluator said for a query."""

    outcome: str
    value: float | None = None
    message: str | None = None


class Timing(Document):
    """Wall time as the evaluator's own process measured it."""

    load: float
    evaluate: float


class EvaluatorEntry(Document):
    """One evaluator on one run and measure."""

    id: str
    title: str
    measure: str
    run: str
    outcome: str
    """Of the aggregate: `value`, `refused`, `crashed` …"""
    message: str | None
    """The outcome in a sentence, where it is no value."""
    mean: float | None
    verified: bool
    answered: int
    asked: int
    profile: dict[str, str] | None
    behaves_as: dict[str, str] | None
    """The axes in which what it computes differs from its profile; null where verified or unknown."""
    alternatives: list[dict[str, str]]
    """Other changes that would give the same values on this data."""
    notes: list[str]
    largest_difference: float | None
    """From the reference under the profile, over answered queries and the mean."""
    largest_ulp: float | None
    decimals: int | None
    versions: dict[str, str]
    python: str
    called: str
    seconds: Timing
    outcomes: dict[str, int]
    """Number of queries by kind of outcome."""
    smallest_query: str | None
    queries: dict[str, QueryOutcome]


class MovedDocument(Document):
    """A judged document that stands elsewhere."""

    doc: str
    grade: str
    baseline_rank: str | None
    evaluator_rank: str | None


class WorstQueryEntry(Document):
    """A query on which baseline and evaluator differ."""

    query: str
    baseline: float
    evaluator: float
    difference: float
    moved: list[MovedDocument]


class DiscrepancyEntry(Document):
    """The difference (evaluator - baseline), split."""

    run: str
    measure: str
    baseline: str
    evaluator: str
    difference: float
    over: int
    """Queries that both answered."""
    contributions: dict[str, float]
    contributions_queries: dict[str, int]
    families: dict[str, float]
    rounding: float
    residual: float
    minimal: list[list[str]]
    queries_differing: int
    spec_used: dict[str, str]
    verdict: Literal["agrees", "explained", "partly explained", "unexplained"]
    worst: list[WorstQueryEntry]
    notes: list[str]


class EnvelopeEntry(Document):
    """What tie-breaking alone can make of the baseline's mean."""

    run: str
    measure: str
    worst: float | None
    average: float | None
    best: float | None
    queries_open: int
    """Queries whose worst and best value differ."""
    note: str | None = None


class ReferenceEntry(Document):
    """The baseline's own value."""

    run: str
    measure: str
    baseline: str
    mean: float | None
    queries: dict[str, float | None]


class Attribution(Document):
    """What attribution rests on, apart from single discrepancies."""

    envelopes: list[EnvelopeEntry]
    references: list[ReferenceEntry]


class Environment(Document):
    """Where the document was made; nothing in it names a machine."""

    python: str
    packages: dict[str, str]
    created_by: str


class ClosestEntry(Document):
    """The specification whose value comes closest to a claim."""

    value: float | None
    spec: dict[str, str]


class ClaimEntry(Document):
    """A published number, and which specifications give it (DESIGN §8)."""

    measure: str
    value: str
    """As it was printed: its decimals count."""
    verdict: str
    specifications: list[dict[str, str]]
    classes: int
    searched: int
    determined: dict[str, str]
    """Axes on which all specifications that give it agree."""
    free: list[str]
    evaluators: list[str]
    hypothesis: str | None
    """The mistake that gives it, in words."""
    envelope: Annotated[list[float], Field(min_length=2, max_length=2)]
    closest: ClosestEntry
    chance: float


class CaseResult(Document):
    """What an evaluator gave for a case, and whether its profile says so."""

    outcome: str
    value: float | None
    matches: bool


class CaseEntry(Document):
    """A case of the suite with every evaluator's result (DESIGN §7)."""

    id: str
    axes: list[str]
    results: dict[str, CaseResult]


class Report(Document):
    """The whole document. `claims` and `cases` are null where nothing was audited or checked."""

    schema_: Annotated[Literal["ndcgauge-report/1"], Field(alias="schema")] = REPORT_SCHEMA
    tool: Tool
    created: str | None
    """Time in UTC, ISO 8601; null where the caller asked for reproducible bytes."""
    command: list[str]
    inputs: list[InputFile]
    spec: list[SpecEntry]
    evaluators: list[EvaluatorEntry]
    discrepancies: list[DiscrepancyEntry]
    attribution: Attribution
    warnings: list[str]
    unread: dict[str, str] = {}
    """Runs that could not be read, and are left out: name to what was said."""
    environment: Environment
    claims: list[ClaimEntry] | None = None
    cases: list[CaseEntry] | None = None

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        """Renderers look up the baseline of every evaluator and the specification of every measure."""
        references = {(each.run, each.measure) for each in self.attribution.references}
        specs = {each.measure for each in self.spec}
        for each in (*self.evaluators, *self.discrepancies, *self.attribution.envelopes):
            if (each.run, each.measure) not in references:
                raise ValueError(f"{each.measure} of {each.run} has no reference in `attribution`")
        missing = sorted({measure for _, measure in references} - specs)
        if missing:
            raise ValueError(f"`spec` has no entry for {', '.join(missing)}")
        return self


class ScoreEntry(Document):
    """The reference's values of one measure on one run."""

    run: str
    measure: str
    spec: dict[str, str]
    mean: float | None
    queries: dict[str, float | None]


class Scores(Document):
    """The document of `score --format json`."""

    schema_: Annotated[Literal["ndcgauge-scores/1"], Field(alias="schema")] = SCORES_SCHEMA
    tool: Tool
    scores: list[ScoreEntry]
    unread: dict[str, str] = {}
    """Runs that could not be read, and are left out: name to what was said."""
