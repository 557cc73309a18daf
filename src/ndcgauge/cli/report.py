"""`ndcgauge report`: a saved report in another form, without evaluating anything; the schemas."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ndcgauge.cli.compare import FORMS
from ndcgauge.cli.options import FailOn, Form, Outputs, PerQuery, Quiet, Verbose


class Kept(StrEnum):
    """The documents that have a JSON Schema."""

    REPORT = "report"
    SCORES = "scores"


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command("report", help="Renders a saved report (.json) in other forms, or prints the JSON Schema.")(report)


def report(
    saved: Annotated[
        str | None, typer.Argument(metavar="SAVED.json", help="A report that `-o` wrote as .json, or its .json.gz.")
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
    if form not in FORMS:
        raise typer.BadParameter(f"one of {', '.join(FORMS)}", param_hint="--format")
    from ndcgauge.cli.compare import exit_code, show
    from ndcgauge.cli.output import check_outputs
    from ndcgauge.report import SUFFIXES
    from ndcgauge.results.files import load_report

    paths = check_outputs(output, SUFFIXES)
    document = load_report(Path(saved))
    if fail_on is not None:
        document = document.model_copy(update={"fail_on": fail_on.value})
    show(document, form, paths, per_query=per_query, verbose=verbose, quiet=quiet)
    return exit_code(document, FailOn(document.fail_on), frozenset())
