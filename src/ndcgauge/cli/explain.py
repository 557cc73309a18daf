"""`ndcgauge explain`: one query, rank by rank."""

from __future__ import annotations

from typing import Annotated

import typer

from ndcgauge.cli.options import (
    MAX_BYTES,
    Baseline,
    Complete,
    Duplicates,
    MaxBytes,
    Measures,
    Nul,
    OnDuplicate,
    OnNul,
    QrelsFile,
    QrelsFormat,
    RunFile,
    RunFormat,
    Sets,
)


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command(
        "explain", help="One query, rank by rank: document, grade, gain, discount, product; the ideal; the value."
    )(explain)


def explain(
    qrels: QrelsFile,
    run: RunFile,
    query: Annotated[str, typer.Option("--query", help="The query's id.")],
    measure: Measures = None,
    baseline: Baseline = "trec_eval",
    sets: Sets = None,
    complete: Complete = False,
    depth: Annotated[int, typer.Option("--rows", min=1, help="Ranks to show beyond the cutoff's.")] = 10,
    on_duplicate: OnDuplicate = Duplicates.ERROR,
    on_nul: OnNul = Nul.ERROR,
    qrels_format: QrelsFormat = "auto",
    run_format: RunFormat = "auto",
    max_bytes: MaxBytes = MAX_BYTES,
) -> None:
    """Prints the table that one would make by hand."""
    from ndcgauge.cli.output import colored, put, width
    from ndcgauge.jobs.explain import explain as explained
    from ndcgauge.jobs.explanation_text import render_explanation
    from ndcgauge.jobs.request import request
    from ndcgauge.jobs.sizes import parse_size

    asked = request(
        measure, baseline=baseline, sets=sets, complete=complete, on_duplicate=on_duplicate.value, on_nul=on_nul.value
    )
    for each in explained(
        qrels, run, query, asked, qrels_format=qrels_format, run_format=run_format, max_bytes=parse_size(max_bytes)
    ):
        put(render_explanation(each, rows=depth, width=width(), color=colored()))
