"""The interval of a measure that tie-breaking alone can reach."""

from __future__ import annotations

from typing import NamedTuple

from ndcgauge.data.collection import Collection, Floats
from ndcgauge.reference.evaluate import evaluate
from ndcgauge.reference.standing import NoClosedForm
from ndcgauge.spec import MetricSpec


class Envelope(NamedTuple):
    """Worst, average and best over all orders of every tie."""

    worst: Floats
    """(queries,) NaN where the query does not count."""
    average: Floats
    best: Floats
    means: tuple[float, float, float]
    """The means of the three."""


def envelope(collection: Collection, spec: MetricSpec) -> Envelope:
    """The envelope of a specification, whatever its own tie rule is.

    Raises NoClosedForm for a pooled ratio, whose extremes are orders of the ties of all queries at
    once and not each query's own; otherwise errors as `evaluate`.
    """
    if spec["averaging"] == "pooled" and spec.measure not in ("dcg", "rr"):
        raise NoClosedForm("the extremes of a pooled ratio need the orders of all queries at once")
    scores = evaluate(collection, [spec.replace(ties=ties) for ties in ("worst", "average", "best")])
    return Envelope(
        worst=scores.values[0],
        average=scores.values[1],
        best=scores.values[2],
        means=(float(scores.means[0]), float(scores.means[1]), float(scores.means[2])),
    )
