"""`score`: the reference alone."""

from __future__ import annotations

from collections.abc import Sequence

from ndcgauge import __version__
from ndcgauge.data.options import Progress, silent
from ndcgauge.data.packing import MAX_BYTES
from ndcgauge.data.sources import Source
from ndcgauge.jobs.json_values import safe
from ndcgauge.jobs.loading import Run
from ndcgauge.jobs.request import Request
from ndcgauge.jobs.scoring import Scored, score_runs
from ndcgauge.results.model import ScoreEntry, Scores, Tool


def score(
    qrels: str | Source,
    runs: Sequence[Run],
    request: Request,
    *,
    qrels_format: str = "auto",
    run_format: str = "auto",
    max_bytes: int = MAX_BYTES,
    progress: Progress = silent,
) -> tuple[Scores, tuple[str, ...]]:
    """The document of every measure on every run, and warnings of the reader.

    Errors as `score_runs`.
    """
    scored = score_runs(
        qrels, runs, request, qrels_format=qrels_format, run_format=run_format, max_bytes=max_bytes, progress=progress
    )
    return document(scored), scored.warnings


def document(scored: Scored) -> Scores:
    """Values as the document that `--format json` prints."""
    return Scores(
        tool=Tool(version=__version__),
        scores=[
            ScoreEntry(
                run=safe(each.run),
                measure=each.measure,
                spec=each.spec.to_dict(),
                mean=each.mean,
                queries={safe(query): value for query, value in each.queries.items()},
            )
            for each in scored.scores
        ],
        unread={safe(name): safe(said) for name, said in scored.unread.items()},
    )
