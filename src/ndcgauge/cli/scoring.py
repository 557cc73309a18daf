"""The work of `ndcgauge score`, once its command line is understood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ndcgauge.cli.output import check_outputs, colored, put, say, width
from ndcgauge.cli.reading_progress import reading_progress

if TYPE_CHECKING:
    from ndcgauge.jobs.scoring import Scored

FORMS = ("terminal", "json", "trec")
MAX_BYTES = "8G"
SUFFIXES = {".json": "json", ".trec": "trec", ".txt": "terminal"}


def print_scores(
    qrels: str,
    runs: Sequence[str],
    *,
    measure: Sequence[str] | None = None,
    baseline: str = "trec_eval",
    sets: Sequence[str] | None = None,
    complete: bool = False,
    per_query: bool = False,
    form: str = "terminal",
    output: Sequence[str] | None = None,
    on_duplicate: str = "error",
    on_nul: str = "error",
    qrels_format: str = "auto",
    run_format: str = "auto",
    max_bytes: str = MAX_BYTES,
    no_progress: bool = False,
    quiet: bool = False,
    verbose: bool = False,
) -> None:
    """Prints every measure on every run in one of FORMS, and writes the files that were asked for.

    Arguments as the flags of DESIGN §10. Errors as `request` and `score_runs`.
    """
    del verbose
    paths = check_outputs(output, SUFFIXES)
    from ndcgauge.jobs.request import request
    from ndcgauge.jobs.scoring import score_runs
    from ndcgauge.jobs.sizes import parse_size

    asked = request(measure, baseline=baseline, sets=sets, complete=complete, on_duplicate=on_duplicate, on_nul=on_nul)
    with reading_progress(wanted=not (no_progress or quiet)) as progress:
        scored = score_runs(
            qrels,
            runs,
            asked,
            qrels_format=qrels_format,
            run_format=run_format,
            max_bytes=parse_size(max_bytes),
            progress=progress,
        )
    say((f"warning: {each}" for each in scored.warnings), quiet=quiet)
    put(_render(scored, form, per_query))
    if paths:
        from ndcgauge.results.files import write_whole

        for path in paths:
            write_whole(path, _render(scored, SUFFIXES[path.suffix], per_query))


def _render(scored: Scored, form: str, per_query: bool) -> str:
    if form == "trec":
        # Of plain values: the document, and what renders tables, cost more to import than 50 queries to score.
        from ndcgauge.report.trec import render_trec

        return render_trec(scored, per_query=per_query)
    from ndcgauge.jobs.score import document

    if form == "json":
        from ndcgauge.results.files import to_json

        return to_json(document(scored))
    from ndcgauge.report.scores import render_scores

    return render_scores(document(scored), per_query=per_query, width=width(), color=colored())
