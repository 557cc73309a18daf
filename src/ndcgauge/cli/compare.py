"""`ndcgauge compare`: evaluators side by side, every difference split."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ndcgauge.cli.options import (
    Baseline,
    Complete,
    Duplicates,
    Evaluators,
    FailOn,
    FailOnOption,
    Form,
    Jobs,
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
    Timeout,
    Tolerance,
    Verbose,
)
from ndcgauge.cli.scoring import MAX_BYTES

if TYPE_CHECKING:
    from pathlib import Path

    from ndcgauge.results.model import Report

FORMS = ("terminal", "json", "md", "html", "tex", "junit", "svg", "trec", "ir_metadata")


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command("compare", help="Evaluators side by side on the same files: who differs, why, and by how much.")(
        compare
    )


def compare(
    qrels: QrelsFile,
    runs: RunFiles,
    measure: Measures = None,
    evaluator: Evaluators = None,
    baseline: Baseline = "trec_eval",
    sets: Sets = None,
    complete: Complete = False,
    per_query: PerQuery = False,
    output: Outputs = None,
    form: Form = "terminal",
    profile: Annotated[
        list[str] | None,
        typer.Option("--profile", metavar="NAME=PRESET", help="What a program is declared to compute."),
    ] = None,
    groups: Annotated[
        str | None,
        typer.Option("--groups", metavar="FILE", help="Means by group of queries: a line is a query id and a group."),
    ] = None,
    perturb_grades: Annotated[
        list[str] | None,
        typer.Option("--perturb-grades", metavar="OLD=NEW", help="What changes if this grade were another: 3=2."),
    ] = None,
    tolerance: Tolerance = "1e-9",
    fail_on: FailOnOption = FailOn.NEVER,
    no_probes: Annotated[
        bool, typer.Option("--no-probes", help="Does not call evaluators again on rewritten files.")
    ] = False,
    identities: Annotated[
        bool,
        typer.Option("--identities", help="Checks what must hold of each evaluator alone, such as nDCG <= 1."),
    ] = False,
    run_format: RunFormat = "auto",
    qrels_format: QrelsFormat = "auto",
    max_bytes: MaxBytes = MAX_BYTES,
    on_duplicate: OnDuplicate = Duplicates.ERROR,
    on_nul: OnNul = Nul.ERROR,
    jobs: Jobs = None,
    timeout: Timeout = 600.0,
    no_progress: NoProgress = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Compares and reports; the exit code is that of DESIGN §10."""
    from datetime import UTC, datetime

    from ndcgauge.cli.main import EXIT_INPUT
    from ndcgauge.cli.output import check_outputs, progress, say
    from ndcgauge.report import SUFFIXES

    if form not in FORMS:
        raise typer.BadParameter(f"one of {', '.join(FORMS)}", param_hint="--format")
    paths = check_outputs(output, SUFFIXES)
    from ndcgauge.jobs.compare import compare as compared
    from ndcgauge.jobs.compare import options
    from ndcgauge.jobs.request import request
    from ndcgauge.jobs.sizes import parse_size
    from ndcgauge.jobs.tolerance import parse_tolerance

    asked = request(
        measure, baseline=baseline, sets=sets, complete=complete, on_duplicate=on_duplicate.value, on_nul=on_nul.value
    )
    chosen = options(
        evaluator,
        asked,
        profiles=profile,
        tolerance=parse_tolerance(tolerance),
        timeout=timeout,
        jobs=jobs,
        probes=not no_probes,
        groups=groups,
        perturb=perturb_grades,
        fail_on=fail_on.value,
        identities=identities,
    )
    report = compared(
        qrels,
        runs,
        asked,
        chosen,
        command=["ndcgauge", *sys.argv[1:]],
        created=datetime.now(UTC),
        qrels_format=qrels_format,
        run_format=run_format,
        max_bytes=parse_size(max_bytes),
        tell=progress(no_progress=no_progress, quiet=quiet),
    )
    show(report, form, paths, per_query=per_query, verbose=verbose, quiet=quiet)
    say((f"ndcgauge: {each}" for each in report.unread.values()), quiet=False)
    return EXIT_INPUT if report.unread else exit_code(report, fail_on, chosen.named)


def show(report: Report, form: str, paths: list[Path], *, per_query: bool, verbose: bool, quiet: bool) -> None:
    """Writes the files and prints the report in a form, the verdict and warnings beside it.

    Files first: whoever reads standard output may stop reading (`| head`). What could not be written is still printed.
    """
    from ndcgauge.report import SUFFIXES, pieces
    from ndcgauge.results.files import write_whole

    try:
        if "html" in (form, *(SUFFIXES[path.suffix] for path in paths)):
            from ndcgauge.report.figures.loading import load_for_figures

            load_for_figures()
        for path in paths:
            write_whole(path, pieces(report, SUFFIXES[path.suffix]))
    finally:
        _print(report, form, per_query=per_query, verbose=verbose, quiet=quiet)


def _print(report: Report, form: str, *, per_query: bool, verbose: bool, quiet: bool) -> None:
    from ndcgauge.cli.output import colored, put, say, width
    from ndcgauge.report import render
    from ndcgauge.report.terminal import render_terminal, verdict_text

    if form == "terminal":
        put(render_terminal(report, width=width(), verbose=verbose, per_query=per_query, color=colored()))
    else:
        put(render(report, form))
    say((f"warning: {each}" for each in report.warnings), quiet=quiet)
    if form != "terminal" or not sys.stdout.isatty():
        say([verdict_text(report)], quiet=quiet)


def exit_code(report: Report, fail_on: FailOn, named: frozenset[str]) -> int:
    """4 where an evaluator that the user named could not answer, 1 beyond `--fail-on`, else 0."""
    broken = {"unavailable", "crashed", "timed-out"}
    if any(each.id in named and each.outcome in broken for each in report.evaluators):
        return 4
    match fail_on:
        case FailOn.NEVER:
            return 0
        case FailOn.DIFFERS:
            return int(any(each.verdict != "agrees" for each in report.discrepancies))
        case FailOn.UNEXPLAINED:
            open_verdicts = ("partly explained", "unexplained")
            return int(any(each.verdict in open_verdicts for each in report.discrepancies))
