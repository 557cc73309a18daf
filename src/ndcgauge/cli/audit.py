"""`ndcgauge audit`: published numbers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ndcgauge.cli.options import (
    Complete,
    Duplicates,
    Evaluators,
    FailOn,
    FailOnOption,
    Form,
    NoProgress,
    Nul,
    OnDuplicate,
    OnNul,
    Outputs,
    Quiet,
    Sets,
    Timeout,
    Verbose,
)

if TYPE_CHECKING:
    from ndcgauge.results.model import Report

FORMS = ("terminal", "json", "md")


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command(
        "audit",
        help="A published number: which specifications give it, which mistakes do, what the source failed to state.",
    )(audit)


def audit(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="QRELS RUN [RUN...] | CLAIMS.toml", help="The files, or a file with many claims."),
    ] = None,
    claim: Annotated[
        list[str] | None,
        typer.Option("--claim", metavar="MEASURE=NUMBER", help="As printed: 'ndcg@10=0.7137'. Repeatable."),
    ] = None,
    also_qrels: Annotated[
        list[str] | None, typer.Option("--also-qrels", metavar="FILE", help="Other qrels that may have been used.")
    ] = None,
    queries: Annotated[
        list[str] | None,
        typer.Option(
            "--queries", metavar="FILE", help="Ids of a fold or subset, one a line, that the mean may be over."
        ),
    ] = None,
    evaluator: Evaluators = None,
    sets: Sets = None,
    complete: Complete = False,
    init: Annotated[bool, typer.Option("--init", help="Prints a commented claims file to start from.")] = False,
    output: Outputs = None,
    form: Form = "terminal",
    fail_on: FailOnOption = FailOn.NEVER,
    on_duplicate: OnDuplicate = Duplicates.ERROR,
    on_nul: OnNul = Nul.ERROR,
    timeout: Timeout = 600.0,
    no_progress: NoProgress = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Audits and reports; the exit code is that of DESIGN §10."""
    from datetime import UTC, datetime

    from ndcgauge.cli.output import check_outputs, progress, put
    from ndcgauge.errors import UsageError
    from ndcgauge.report import SUFFIXES

    if form not in FORMS:
        raise typer.BadParameter(f"one of {', '.join(FORMS)}", param_hint="--format")
    if init:
        from ndcgauge.audit.example import EXAMPLE

        put(EXAMPLE)
        return 0
    paths = check_outputs(output, SUFFIXES)
    from ndcgauge.jobs.audit import audit as audited
    from ndcgauge.jobs.audit_request import from_command_line, from_file

    named = list(files or ())
    if len(named) == 1 and named[0].endswith(".toml"):
        if claim or also_qrels or queries or sets or complete or evaluator:
            raise UsageError("a claims file says itself what is claimed", fix="write these options into the file")
        asked = from_file(named[0], on_nul.value)
    else:
        asked = from_command_line(
            named,
            claim or (),
            also_qrels=also_qrels or (),
            queries=queries or (),
            evaluators=evaluator or (),
            sets=sets or (),
            complete=complete,
            on_duplicate=on_duplicate.value,
            on_nul=on_nul.value,
        )
    report = audited(
        asked,
        command=["ndcgauge", *sys.argv[1:]],
        created=datetime.now(UTC),
        timeout=timeout,
        tell=progress(no_progress=no_progress, quiet=quiet),
    )
    from ndcgauge.report import pieces
    from ndcgauge.results.files import write_whole

    # Files first: whoever reads standard output may stop reading (`| head`). What cannot be written is still printed.
    try:
        for path in paths:
            write_whole(path, pieces(report, SUFFIXES[path.suffix]))
    finally:
        _show(report, form, verbose=verbose, quiet=quiet)
    return exit_code(report, fail_on)


def _show(report: Report, form: str, *, verbose: bool, quiet: bool) -> None:
    from ndcgauge.cli.output import colored, put, say, width
    from ndcgauge.report import render
    from ndcgauge.report.terminal import render_terminal

    if form == "terminal":
        put(render_terminal(report, width=width(), verbose=verbose, color=colored()))
    else:
        put(render(report, form))
    say((f"warning: {each}" for each in report.warnings), quiet=quiet)
    if form != "terminal" or not sys.stdout.isatty():
        say((each.summary for each in report.claims or ()), quiet=quiet)


def exit_code(report: Report, fail_on: FailOn) -> int:
    """4 where a named evaluator could not answer, 1 beyond `--fail-on`, else 0."""
    broken = {"unavailable", "crashed", "timed-out"}
    if any(each.evaluator_outcome in broken for each in report.claims or ()):
        return 4
    verdicts = {each.verdict for each in report.claims or ()}
    match fail_on:
        case FailOn.NEVER:
            return 0
        case FailOn.DIFFERS:
            return int(bool(verdicts - {"reproduced"}))
        case FailOn.UNEXPLAINED:
            return int(bool(verdicts & {"not reproduced", "impossible"}))
