"""The work of `ndcgauge score`, once its command line is understood."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ndcgauge.cli.output import check_outputs, colored, put, say, width
from ndcgauge.cli.reading_progress import reading_progress
from ndcgauge.errors import InputError

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
) -> int:
    """Prints every measure on every run in one of FORMS, and writes the files that were asked for.

    Arguments as the flags of DESIGN §10. The exit code: 3 where one of several runs was
    left out. Errors as `request` and `score_runs`.
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
            write_whole(path, _pieces(scored, SUFFIXES[path.suffix], per_query))
    say((f"ndcgauge: {each}" for each in scored.unread.values()), quiet=False)
    return InputError.exit_code if scored.unread else 0


def _pieces(scored: Scored, form: str, per_query: bool) -> Iterable[str]:
    """As `_render`, for a file: JSON is never whole in memory."""
    if form != "json":
        return (_render(scored, form, per_query),)
    from ndcgauge.jobs.score import document
    from ndcgauge.results.files import json_pieces

    return json_pieces(document(scored))


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
