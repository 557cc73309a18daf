"""`ndcgauge report`: a saved report in another form, without evaluating anything; the schemas."""

from __future__ import annotations

import gc
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ndcgauge.cli.options import FailOn, Form, Outputs, PerQuery, Quiet, Verbose

if TYPE_CHECKING:
    from ndcgauge.results.checks import CheckReport


class Kept(StrEnum):
    """The documents that have a JSON Schema."""

    REPORT = "report"
    SCORES = "scores"
    CHECK = "check"


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command("report", help="Renders a saved report (.json) in other forms, or prints the JSON Schema.")(report)


def report(
    saved: Annotated[
        str | None,
        typer.Argument(
            metavar="SAVED.json", help="What `compare`, `audit` or `check` wrote with `-o` as .json, or its .json.gz."
        ),
    ] = None,
    output: Outputs = None,
    form: Form = "terminal",
    schema: Annotated[
        bool, typer.Option("--schema", help="Prints the JSON Schema of the document, and does nothing else.")
    ] = False,
    of: Annotated[Kept, typer.Option("--of", help="Whose schema.")] = Kept.REPORT,
    fail_on: Annotated[
        FailOn | None,
        typer.Option("--fail-on", help="From which verdict on the exit code is 1; as it was saved by default."),
    ] = None,
    per_query: PerQuery = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Prints the report in a form and writes the files; nothing is evaluated."""
    if schema:
        from ndcgauge.cli.output import put
        from ndcgauge.results.schema import kept_schema

        put(kept_schema(of.value))
        return 0
    if saved is None:
        raise typer.BadParameter("name a saved report, or say --schema", param_hint="SAVED.json")
    from ndcgauge.results.checks import CheckReport
    from ndcgauge.results.files import load_document

    document = load_document(Path(saved))
    if not gc.isenabled():
        # `main` turned it off: what is loaded stays as long as the process.
        gc.freeze()
        gc.set_threshold(10_000)
        gc.enable()
    if isinstance(document, CheckReport):
        return _check(document, output, form, fail_on, per_query=per_query, verbose=verbose, quiet=quiet)
    from ndcgauge.cli.compare import FORMS, exit_code, show
    from ndcgauge.cli.output import check_outputs
    from ndcgauge.report import SUFFIXES

    if form not in FORMS:
        raise typer.BadParameter(f"one of {', '.join(FORMS)}", param_hint="--format")
    paths = check_outputs(output, SUFFIXES)
    if fail_on is not None:
        document = document.model_copy(update={"fail_on": fail_on.value})
    show(document, form, paths, per_query=per_query, verbose=verbose, quiet=quiet)
    return exit_code(document, FailOn(document.fail_on), frozenset())


def _check(
    document: CheckReport,
    output: list[str] | None,
    form: str,
    fail_on: FailOn | None,
    *,
    per_query: bool,
    verbose: bool,
    quiet: bool,
) -> int:
    """The same for the document of a check, which has forms of its own and no queries."""
    from ndcgauge.cli.check import FORMS, exit_code, show
    from ndcgauge.cli.output import check_outputs
    from ndcgauge.errors import UsageError
    from ndcgauge.report import CHECK_SUFFIXES

    if per_query:
        raise UsageError("-q: the document of a check has cases, and no queries")
    if form not in FORMS:
        raise typer.BadParameter(f"of a check one of {', '.join(FORMS)}", param_hint="--format")
    paths = check_outputs(output, CHECK_SUFFIXES)
    show(document, form, paths, verbose=verbose, quiet=quiet)
    return exit_code(document, fail_on or FailOn.NEVER, frozenset())
