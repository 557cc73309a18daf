"""`ndcgauge check`: what evaluators really compute, measured by the case suite."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ndcgauge.cli.options import (
    Evaluators,
    FailOn,
    FailOnOption,
    Form,
    Jobs,
    NoProgress,
    Outputs,
    Quiet,
    Timeout,
    Verbose,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ndcgauge.results.checks import CheckReport

FORMS = ("terminal", "json", "md", "html", "junit")


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command("check", help="The case suite against evaluators: what they really compute, axis by axis.")(check)


def check(
    evaluator: Evaluators = None,
    select: Annotated[
        str | None, typer.Option("-k", metavar="TEXT", help="Only cases with this text in their folder or id.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("-m", "--measure", help="Only cases of this measure; with a cutoff, asked at it. Repeatable."),
    ] = None,
    output: Outputs = None,
    form: Form = "terminal",
    profile: Annotated[
        list[str] | None,
        typer.Option(
            "--profile",
            metavar="NAME=PRESET[,AXIS=VALUE...]",
            help="What a program is declared to compute: trec_eval unless said.",
        ),
    ] = None,
    fail_on: FailOnOption = FailOn.NEVER,
    jobs: Jobs = None,
    timeout: Timeout = 600.0,
    no_progress: NoProgress = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Checks and reports; the exit code is that of DESIGN §10."""
    from datetime import UTC, datetime

    from ndcgauge.cli.output import check_outputs, progress
    from ndcgauge.report import CHECK_SUFFIXES

    if form not in FORMS:
        raise typer.BadParameter(f"one of {', '.join(FORMS)}", param_hint="--format")
    paths = check_outputs(output, CHECK_SUFFIXES)
    from ndcgauge.jobs.check import check as checked
    from ndcgauge.jobs.check import check_options

    chosen = check_options(evaluator, profiles=profile, pattern=select, measures=measure, timeout=timeout, jobs=jobs)
    report = checked(
        chosen,
        command=["ndcgauge", *sys.argv[1:]],
        created=datetime.now(UTC),
        tell=progress(no_progress=no_progress, quiet=quiet),
    )
    show(report, form, paths, verbose=verbose, quiet=quiet)
    return exit_code(report, fail_on, chosen.named)


def show(report: CheckReport, form: str, paths: list[Path], *, verbose: bool, quiet: bool) -> None:
    """Writes the files and prints the report in a form, the verdict and warnings beside it.

    Files first: whoever reads standard output may stop reading (`| head`). What could not be written is still printed.
    """
    from ndcgauge.report import CHECK_SUFFIXES, render_check
    from ndcgauge.results.files import write_whole

    try:
        for path in paths:
            write_whole(path, render_check(report, CHECK_SUFFIXES[path.suffix]))
    finally:
        _print(report, form, verbose=verbose, quiet=quiet)


def _print(report: CheckReport, form: str, *, verbose: bool, quiet: bool) -> None:
    from ndcgauge.cli.output import colored, put, say, width
    from ndcgauge.report import render_check
    from ndcgauge.report.check_verdict import check_verdict
    from ndcgauge.report.checks import render_check_terminal

    if form == "terminal":
        put(render_check_terminal(report, width=width(), verbose=verbose, color=colored()))
    else:
        put(render_check(report, form))
    say((f"warning: {each}" for each in report.warnings), quiet=quiet)
    if form != "terminal" or not sys.stdout.isatty():
        say([check_verdict(report)], quiet=quiet)


def exit_code(report: CheckReport, fail_on: FailOn, named: frozenset[str]) -> int:
    """4 where an evaluator that the user named gave nothing, 1 beyond `--fail-on`, else 0."""
    if any(each.id in named and each.outcome != "checked" for each in report.evaluators):
        return 4
    ran = [each for each in report.evaluators if each.outcome == "checked"]
    match fail_on:
        case FailOn.NEVER:
            return 0
        case FailOn.DIFFERS:
            return int(any(not each.conforms for each in ran))
        case FailOn.UNEXPLAINED:
            unexplained = ("mixed", "unexplained", "arbitrary")
            axes = (axis for each in ran for axis in each.fingerprint.values() if not axis.known)
            return int(any(axis.measured in unexplained for axis in axes))
