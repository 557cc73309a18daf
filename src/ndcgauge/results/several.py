"""Parts of the report document that look at several runs, groups of queries, or changed labels."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ndcgauge.results.document import ByKey, Document

Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
"""Two runs."""


class OrderEntry(Document):
    """How one evaluator orders the runs of a report by their means, beside the baseline's order."""

    measure: str
    evaluator: str
    """The baseline's own entry comes first."""
    means: ByKey[float | None]
    """Run to the evaluator's mean; null where it has none."""
    order: list[list[str]]
    """The runs, the best first; runs with equal means stand together."""
    tau: float | None
    """Kendall's tau-b with the baseline's means; null where it is undefined (fewer than two runs, all tied)."""
    swapped: list[Pair]
    """Pairs of runs that stand the other way round: the baseline's better one first."""
    undecided: list[Pair]
    """Pairs that the baseline tells apart, its better one first, and whose means are equal here."""
    changes_winner: bool
    """Whether a run that is not the baseline's best is strictly better here than every one that is."""


class GroupValue(Document):
    """An evaluator's mean over the queries of a group that both it and the baseline have a value for."""

    over: int
    baseline: float | None
    mean: float | None
    difference: float | None


class GroupEntry(Document):
    """The means over one group of queries (`--groups`): a macro average over all hides them."""

    run: str
    measure: str
    group: str
    """Empty for the queries that the file of groups does not name."""
    queries: int
    """Queries of the group that the baseline's mean counts."""
    mean: float | None
    """The baseline's, over these."""
    evaluators: ByKey[GroupValue]


class SensitivityEntry(Document):
    """One run under changed labels (`--perturb-grades`), for one gain."""

    measure: str
    run: str
    gain: str
    mean: float | None
    """With the labels as they are, under the baseline's specification with this gain."""
    perturbed: float | None
    """With the labels changed."""
    difference: float | None
    queries_changed: int
    """Queries whose value changes."""
    largest: float | None
    """The largest change of a query's value, with its sign."""
    largest_query: str | None


class PerturbedOrder(Document):
    """The order of the runs before and after the labels changed, for one gain."""

    measure: str
    gain: str
    before: list[list[str]]
    after: list[list[str]]
    tau: float | None
    swapped: list[Pair]
    changes_winner: bool


class Perturbation(Document):
    """Label sensitivity: what the means and the order of the runs would be if some grades were their neighbours."""

    changes: ByKey[str]
    """Grade to the grade that it becomes, all at once."""
    judgments: int
    """Judgments that have one of these grades."""
    entries: list[SensitivityEntry]
    orders: list[PerturbedOrder]
    """Empty for a single run."""
