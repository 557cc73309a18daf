"""`score`: the reference alone."""

from __future__ import annotations

from collections.abc import Sequence

from ndcgauge import __version__
from ndcgauge.data.options import Progress, silent
from ndcgauge.data.packing import MAX_BYTES
from ndcgauge.data.sources import Source
from ndcgauge.jobs.comparison import finite
from ndcgauge.jobs.document import safe
from ndcgauge.jobs.loading import each_run, open_inputs, unread_warnings
from ndcgauge.jobs.request import Request
from ndcgauge.reference import evaluate
from ndcgauge.results.model import ScoreEntry, Scores, Tool


def score(
    qrels: str | Source,
    runs: Sequence[str | Source],
    request: Request,
    *,
    qrels_format: str = "auto",
    run_format: str = "auto",
    max_bytes: int = MAX_BYTES,
    progress: Progress = silent,
) -> tuple[Scores, tuple[str, ...]]:
    """The values of every measure on every run, and warnings of the reader.

    Errors as `open_inputs`, `load_run` and `evaluate`.
    """
    inputs = open_inputs(
        qrels,
        runs,
        request,
        qrels_format=qrels_format,
        run_format=run_format,
        max_bytes=max_bytes,
        progress=progress,
    )
    entries: list[ScoreEntry] = []
    warnings: dict[str, None] = {}
    for source, loaded in each_run(inputs, request, progress):
        warnings.update(dict.fromkeys(loaded.warnings))
        collection = loaded.collection
        specs = [request.spec(measure, collection) for measure in request.measures]
        scores = evaluate(collection, specs)
        for row, spec in enumerate(specs):
            values = zip(scores.queries, scores.values[row].tolist(), scores.counted[row].tolist(), strict=True)
            entries.append(
                ScoreEntry(
                    run=safe(source.name),
                    measure=spec.name,
                    spec=spec.to_dict(),
                    mean=finite(float(scores.means[row])),
                    queries={safe(str(query)): finite(value) for query, value, counted in values if counted},
                )
            )
    warnings.update(dict.fromkeys(unread_warnings(inputs)))
    unread = {safe(name): safe(said) for name, said in inputs.unread.items()}
    return Scores(tool=Tool(version=__version__), scores=entries, unread=unread), tuple(warnings)
