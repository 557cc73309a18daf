"""What an audit found out about a claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ndcgauge.audit.claim import Claim
from ndcgauge.audit.hypotheses import Attempt
from ndcgauge.spec import MetricSpec


class Verdict(StrEnum):
    """The verdicts of DESIGN §8, and one for what an evaluator is said to have printed."""

    REPRODUCED = "reproduced"
    OTHERWISE = "reproduced under another specification"
    AMBIGUOUS = "ambiguous"
    MISTAKE = "reproduced by a mistake"
    IMPOSSIBLE = "impossible"
    NOT = "not reproduced"
    CONTRADICTED = "contradicted"
    """The evaluator that is said to have printed the number prints another one."""


@dataclass(frozen=True)
class Candidate:
    """A specification that gives the number."""

    spec: MetricSpec
    value: float
    axes: int
    """In how many acting axes it differs from the nearest specification that somebody really computes."""
    nearest: tuple[str, ...]
    """The presets, evaluators, or `stated`, that it is nearest to."""
    changes: Mapping[str, str]
    """The acting axes in which it differs from the stated specification, with its values."""
    rounding: str
    """The rule by which its value rounds to the claim."""
    group: int
    """Number of its class among those that give the claim, from 0."""


@dataclass(frozen=True)
class Separator:
    """A query whose value tells two candidates apart."""

    query: str
    values: tuple[float, ...]
    """One for each class of candidates compared."""


@dataclass(frozen=True)
class Finding:
    """The answer to one claim."""

    claim: Claim
    run: str
    verdict: Verdict
    spec: MetricSpec
    """The stated specification."""
    value: float | None
    """Its value; None where it has none on this data."""
    refusal: str | None
    """Why it has none."""
    candidates: tuple[Candidate, ...]
    """The nearest ones, those that are told of; `matching_specifications` are all."""
    classes: int
    searched: int
    matching_classes: int
    matching_specifications: int
    """Of the points that can act on the data."""
    determined: Mapping[str, str]
    free: tuple[str, ...]
    evaluators: tuple[str, ...]
    hypothesis: Attempt | None
    other_hypotheses: tuple[Attempt, ...]
    envelope: tuple[float | None, float | None]
    closest: tuple[float | None, MetricSpec]
    chance: float
    chance_near: float
    """The share of numbers near the truth that candidates at the least distance or less give."""
    ask: tuple[str, ...] = ()
    separators: tuple[Separator, ...] = ()
    notes: tuple[str, ...] = ()
    printed_by: Mapping[str, float | None] = field(default_factory=dict[str, "float | None"])
    """What the evaluator that is said to have printed it really gives."""
    evaluator_outcome: str | None = None
    """`value`, or why that evaluator gave none; None where none is named."""
