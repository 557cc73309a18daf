"""`ndcgauge score`: the reference alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from ndcgauge.cli.options import (
    Baseline,
    Complete,
    Duplicates,
    Form,
    Measures,
    NoProgress,
    Nul,
    OnDuplicate,
    OnNul,
    Outputs,
    PerQuery,
    QrelsFile,
    QrelsFormat,
    Quiet,
    RunFiles,
    RunFormat,
    Sets,
    Verbose,
)

if TYPE_CHECKING:
    from ndcgauge.jobs.scoring import Scored

FORMS = ("terminal", "json", "trec")
SUFFIXES = {".json": "json", ".trec": "trec", ".txt": "terminal"}


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command("score", help="Scores runs with the reference: any specification, trec_eval's by default.")(score)


def score(
    qrels: QrelsFile,
    runs: RunFiles,
    measure: Measures = None,
    baseline: Baseline = "trec_eval",
    sets: Sets = None,
    complete: Complete = False,
    per_query: PerQuery = False,
    form: Form = "terminal",
    output: Outputs = None,
    on_duplicate: OnDuplicate = Duplicates.ERROR,
    on_nul: OnNul = Nul.ERROR,
    qrels_format: QrelsFormat = "auto",
    run_format: RunFormat = "auto",
    no_progress: NoProgress = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Prints the mean (and with -q each query) of every measure on every run."""
    del no_progress, verbose
    from ndcgauge.cli.output import check_outputs, put, say

    if form not in FORMS:
        raise typer.BadParameter(f"one of {', '.join(FORMS)}", param_hint="--format")
    paths = check_outputs(output, SUFFIXES)
    from ndcgauge.jobs.request import request
    from ndcgauge.jobs.scoring import score_runs

    asked = request(
        measure, baseline=baseline, sets=sets, complete=complete, on_duplicate=on_duplicate.value, on_nul=on_nul.value
    )
    scored = score_runs(qrels, runs, asked, qrels_format=qrels_format, run_format=run_format)
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
    from ndcgauge.cli.output import colored, width
    from ndcgauge.report.scores import render_scores

    return render_scores(document(scored), per_query=per_query, width=width(), color=colored())
