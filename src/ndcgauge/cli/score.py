"""`ndcgauge score`: the reference alone."""

from __future__ import annotations

import typer

from ndcgauge.cli.options import (
    MAX_BYTES,
    Baseline,
    Complete,
    Duplicates,
    Form,
    MaxBytes,
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
    max_bytes: MaxBytes = MAX_BYTES,
    no_progress: NoProgress = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Prints the mean (and with -q each query) of every measure on every run."""
    del no_progress, verbose
    from ndcgauge.cli.main import EXIT_INPUT
    from ndcgauge.cli.output import check_outputs, put, say

    if form not in FORMS:
        raise typer.BadParameter(f"one of {', '.join(FORMS)}", param_hint="--format")
    paths = check_outputs(output, SUFFIXES)
    from ndcgauge.jobs.request import request
    from ndcgauge.jobs.score import score as scored
    from ndcgauge.jobs.sizes import parse_size

    asked = request(
        measure, baseline=baseline, sets=sets, complete=complete, on_duplicate=on_duplicate.value, on_nul=on_nul.value
    )
    document, warnings = scored(
        qrels, runs, asked, qrels_format=qrels_format, run_format=run_format, max_bytes=parse_size(max_bytes)
    )
    say((f"warning: {each}" for each in warnings), quiet=quiet)
    put(_render(document, form, per_query))
    from ndcgauge.results.files import write_whole

    for path in paths:
        write_whole(path, _render(document, SUFFIXES[path.suffix], per_query))
    say((f"ndcgauge: {each}" for each in document.unread.values()), quiet=False)
    return EXIT_INPUT if document.unread else 0


def _render(document: object, form: str, per_query: bool) -> str:
    from ndcgauge.cli.output import colored, width
    from ndcgauge.results.model import Scores

    assert isinstance(document, Scores)
    if form == "json":
        from ndcgauge.results.files import to_json

        return to_json(document)
    if form == "trec":
        from ndcgauge.report.trec import render_trec

        return render_trec(document, per_query=per_query)
    from ndcgauge.report.scores import render_scores

    return render_scores(document, per_query=per_query, width=width(), color=colored())
