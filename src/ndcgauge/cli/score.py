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
) -> None:
    """Prints the mean (and with -q each query) of every measure on every run."""
    from ndcgauge.cli.scoring import FORMS, print_scores

    if form not in FORMS:
        raise typer.BadParameter(f"one of {', '.join(FORMS)}", param_hint="--format")
    print_scores(
        qrels,
        runs,
        measure=measure,
        baseline=baseline,
        sets=sets,
        complete=complete,
        per_query=per_query,
        form=form,
        output=output,
        on_duplicate=on_duplicate.value,
        on_nul=on_nul.value,
        qrels_format=qrels_format,
        run_format=run_format,
        max_bytes=max_bytes,
        no_progress=no_progress,
        quiet=quiet,
        verbose=verbose,
    )
