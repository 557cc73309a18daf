"""The report document: one versioned JSON, of which every form is a pure function (DESIGN §9).

Numbers that are undefined (a mean over no query, NaN) are null in the document, and the outcome
beside them says why. Keys that DESIGN §9 names may be relied on by other programs.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self, cast

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from ndcgauge.results.document import ByKey, Document
from ndcgauge.results.several import GroupEntry, OrderEntry, Perturbation

REPORT_SCHEMA = "ndcgauge-report/1"
SCORES_SCHEMA = "ndcgauge-scores/1"
CHECK_SCHEMA = "ndcgauge-check/1"


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
    relevance_scale: ByKey[int] | None = None
    """Grade to its number of judgments (qrels)."""
    accounting: Accounting | None = None
    """How the run meets the qrels (runs)."""


class SpecEntry(Document):
    """The baseline's specification of one measure, every axis written out."""

    measure: str
    hash: str
    short: str
    sentence: str
    axes: ByKey[str]


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
    profile: ByKey[str] | None
    behaves_as: ByKey[str] | None
    """The axes in which what it computes differs from its profile; null where verified or unknown."""
    alternatives: list[ByKey[str]]
    """Other changes that would give the same values on this data."""
    notes: list[str]
    largest_difference: float | None
    """From the reference under the profile, over answered queries and the mean."""
    largest_ulp: float | None
    decimals: int | None
    versions: ByKey[str]
    python: str
    called: str
    seconds: Timing
    outcomes: ByKey[int]
    """Number of queries by kind of outcome."""
    smallest_query: str | None
    queries: ByKey[QueryOutcome]


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
    contributions: ByKey[float]
    contributions_queries: ByKey[int]
    families: ByKey[float]
    rounding: float
    residual: float
    minimal: list[list[str]]
    queries_differing: int
    spec_used: ByKey[str]
    verdict: Literal["agrees", "explained", "partly explained", "unexplained"]
    worst: list[WorstQueryEntry]
    notes: list[str]


Interval = Annotated[list[float], Field(min_length=3, max_length=3)]
"""Worst, average and best."""


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
    queries: ByKey[Interval] = Field(default_factory=dict[str, Interval])
    """Those of the queries whose worst and best value differ."""


class ReferenceEntry(Document):
    """The baseline's own value."""

    run: str
    measure: str
    baseline: str
    mean: float | None
    queries: ByKey[float | None]


class Attribution(Document):
    """What attribution rests on, apart from single discrepancies."""

    envelopes: list[EnvelopeEntry]
    references: list[ReferenceEntry]


class Environment(Document):
    """Where the document was made; nothing in it names a machine."""

    python: str
    packages: ByKey[str]
    created_by: str


class ClosestEntry(Document):
    """The specification whose value comes closest to a claim."""

    value: float | None
    spec: ByKey[str]


class CandidateEntry(Document):
    """A specification that gives a claimed number, as it differs from the stated one."""

    short: str
    hash: str
    value: float
    axes: int
    """In how many axes it differs from the nearest specification that somebody really computes."""
    nearest: list[str]
    """The presets, evaluators, or `stated`, that it is nearest to."""
    changes: ByKey[str]
    """Axes that act on the data in which it differs from the stated specification."""
    rounding: str
    """The rule by which its value rounds to the claim."""
    group: int
    """Number of its class among those told of."""


class SeparatorEntry(Document):
    """A query whose value tells candidates apart."""

    query: str
    values: list[float | None]
    """One for each class of candidates, in the order of their groups."""


class ClaimEntry(Document):
    """A published number, and which specifications give it (DESIGN §8)."""

    measure: str
    value: str
    """As it was printed: its decimals count."""
    verdict: Literal[
        "reproduced",
        "reproduced under another specification",
        "ambiguous",
        "reproduced by a mistake",
        "impossible",
        "not reproduced",
        "contradicted",
    ]
    specifications: list[ByKey[str]]
    """The nearest specifications that give it, every axis written out; `candidates` says how each differs."""
    classes: int
    """Classes of the lattice on this data: specifications that equal each other on every query."""
    searched: int
    """Specifications of the lattice."""
    determined: ByKey[str]
    """Axes on which all specifications of the classes told of agree."""
    free: list[str]
    """Axes of which the number says nothing."""
    evaluators: list[str]
    """Known evaluators whose declared specification gives it."""
    hypothesis: str | None
    """The mistake that gives it, in words."""
    envelope: Annotated[list[float | None], Field(min_length=2, max_length=2)]
    """What tie-breaking alone can make of the stated specification; nulls where that is not known."""
    closest: ClosestEntry
    chance: float
    """How likely a number that nobody computed so would be reproduced by some specification all the same."""
    run: str = ""
    qrels: str = ""
    source: str | None = None
    place: str | None = None
    stated: ByKey[str] = Field(default_factory=dict[str, str])
    """Axes that the source states."""
    stated_value: float | None = None
    """What the stated specification gives."""
    refusal: str | None = None
    """Why it gives nothing."""
    candidates: list[CandidateEntry] = Field(default_factory=list[CandidateEntry])
    matching_classes: int = 0
    """Classes that give it, at any distance."""
    chance_near: float = 0.0
    """The share of numbers near the stated value that candidates this near or nearer give."""
    mistakes: list[str] = Field(default_factory=list[str])
    """Other mistakes that would give it too."""
    ask: list[str] = Field(default_factory=list[str])
    """What to ask its authors."""
    separators: list[SeparatorEntry] = Field(default_factory=list[SeparatorEntry])
    printed_by: ByKey[float | None] = Field(default_factory=dict[str, float | None])
    """What the evaluator that is said to have printed it gives."""
    evaluator_outcome: str | None = None
    """`value`, or why that evaluator gave none; null where none is named."""
    summary: str = ""
    """The verdict in a sentence."""
    sentence: str = ""
    """A sentence for a paper."""
    row: list[str] = Field(default_factory=list[str])
    """Cells for a paper's table: source, measure, published, reproduced, specification, verdict."""
    citations: list[str] = Field(default_factory=list[str])
    """BibTeX keys of `ndcgauge cite`."""
    notes: list[str] = Field(default_factory=list[str])


class Report(Document):
    """The whole document. `claims` is null where nothing was audited."""

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
    unread: ByKey[str] = Field(default_factory=dict[str, str])
    """Runs that could not be read, and are left out: name to what was said."""
    environment: Environment
    claims: list[ClaimEntry] | None = None
    orders: list[OrderEntry] = Field(default_factory=list[OrderEntry])
    """Of two runs and more: how every evaluator orders them."""
    groups: list[GroupEntry] = Field(default_factory=list[GroupEntry])
    perturbation: Perturbation | None = None
    fail_on: Literal["never", "differs", "unexplained"] = "never"
    """From which verdict on the command that made this failed: a test case of JUnit fails from there on too."""

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
    spec: ByKey[str]
    mean: float | None
    queries: ByKey[float | None]


class Scores(Document):
    """The document of `score --format json`."""

    schema_: Annotated[Literal["ndcgauge-scores/1"], Field(alias="schema")] = SCORES_SCHEMA
    tool: Tool
    scores: list[ScoreEntry]
    unread: ByKey[str] = Field(default_factory=dict[str, str])
    """Runs that could not be read, and are left out: name to what was said."""

    @model_serializer(mode="wrap")
    def _without_nothing(self, handler: SerializerFunctionWrapHandler) -> dict[str, object]:
        """`unread` stands in the document only where a run was left out."""
        values = cast("dict[str, object]", handler(self))
        return {key: value for key, value in values.items() if key != "unread" or value}


__all__ = [
    "REPORT_SCHEMA",
    "SCORES_SCHEMA",
    "Accounting",
    "Attribution",
    "ClaimEntry",
    "ClosestEntry",
    "DiscrepancyEntry",
    "Document",
    "EnvelopeEntry",
    "Environment",
    "EvaluatorEntry",
    "InputFile",
    "MovedDocument",
    "QueryOutcome",
    "ReferenceEntry",
    "Report",
    "ScoreEntry",
    "Scores",
    "SpecEntry",
    "Timing",
    "Tool",
    "WorstQueryEntry",
]
