"""What `score` computes, as plain values: its commonest form, trec_eval's lines, needs nothing else imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ndcgauge.data.options import Progress, silent
from ndcgauge.data.packing import MAX_BYTES
from ndcgauge.data.sources import Source
from ndcgauge.jobs.json_values import finite
from ndcgauge.jobs.loading import Run, each_run, open_inputs, unread_warnings
from ndcgauge.jobs.request import Request
from ndcgauge.reference.evaluate import evaluate
from ndcgauge.spec import MetricSpec


@dataclass(frozen=True)
class ScoredRun:
    """The reference's values of one measure on one run."""

    run: str
    """As the user named it."""
    measure: str
    spec: MetricSpec
    mean: float | None
    """None where it is undefined."""
    queries: Mapping[str, float | None]
    """Query id to value, in the byte order of the ids; None where it is undefined."""


@dataclass(frozen=True)
class Scored:
    """Every measure on every run."""

    scores: tuple[ScoredRun, ...]
    """Run by run, measure by measure."""
    warnings: tuple[str, ...]
    """What the reader took notice of."""
    unread: Mapping[str, str] = field(default_factory=dict[str, str])
    """Runs that could not be read, beside others that could: name to what was said."""


def score_runs(
    qrels: str | Source,
    runs: Sequence[Run],
    request: Request,
    *,
    qrels_format: str = "auto",
    run_format: str = "auto",
    max_bytes: int = MAX_BYTES,
    progress: Progress = silent,
) -> Scored:
    """The values of every measure on every run.

    Errors as `open_inputs`, `load_run` and `evaluate`.
    """
    inputs = open_inputs(
        qrels, runs, request, qrels_format=qrels_format, run_format=run_format, max_bytes=max_bytes, progress=progress
    )
    rows: list[ScoredRun] = []
    warnings: dict[str, None] = {}
    for source, loaded in each_run(inputs, request, progress):
        warnings.update(dict.fromkeys(loaded.warnings))
        collection = loaded.collection
        specs = [request.spec(measure, collection) for measure in request.measures]
        scores = evaluate(collection, specs)
        for row, spec in enumerate(specs):
            values = zip(scores.queries, scores.values[row].tolist(), scores.counted[row].tolist(), strict=True)
            queries = {query: finite(value) for query, value, counted in values if counted}
            rows.append(ScoredRun(source.name, spec.name, spec, finite(float(scores.means[row])), queries))
    warnings.update(dict.fromkeys(unread_warnings(inputs)))
    return Scored(tuple(rows), tuple(warnings), inputs.unread)
