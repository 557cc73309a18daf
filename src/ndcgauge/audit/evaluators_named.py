"""Which known evaluators compute a number."""

from __future__ import annotations

from ndcgauge.audit.printed import Printed
from ndcgauge.data.collection import Collection
from ndcgauge.errors import UsageError
from ndcgauge.reference import Evaluation, NoClosedForm
from ndcgauge.search.anchors import Anchor
from ndcgauge.spec import MetricSpec


def profile_value(evaluation: Evaluation, anchor: Anchor) -> float | None:
    """What a profile gives; None where it has no value, or where an order that only a call shows decides it."""
    spec = anchor.spec
    try:
        mean = evaluation.score(spec)[2]
        if anchor.shown_order:
            bounds = [evaluation.score(spec.with_axes({"ties": each}))[2] for each in ("worst", "best")]
            if max(bounds) - min(bounds) > 1e-12:
                return None
    except (NoClosedForm, UsageError):
        return None
    return mean


def naming(
    collection: Collection, evaluation: Evaluation, anchors: tuple[Anchor, ...], printed: Printed
) -> tuple[str, ...]:
    """The evaluators whose profile's value rounds to the number."""
    del collection
    return tuple(
        anchor.name
        for anchor in anchors
        if anchor.evaluator
        and (value := profile_value(evaluation, anchor)) is not None
        and printed.rounding(value) is not None
    )


def refusal(evaluation: Evaluation, spec: MetricSpec) -> tuple[float | None, str | None]:
    """The value of a specification, or why it has none on this data."""
    try:
        return evaluation.score(spec)[2], None
    except (NoClosedForm, UsageError) as error:
        return None, error.message
