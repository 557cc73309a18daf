"""The commands and their help. Importing this costs typer alone: each command loads its work when it runs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer

VERBS = (
    "demo",
    "compare",
    "check",
    "cases",
    "score",
    "explain",
    "audit",
    "evaluators",
    "spec",
    "report",
    "cite",
    "fuzz",
)
"""Each is a module of this package with `register`, in the order of the help."""


def command(first: str | None = None) -> Any:
    """The command line as a command of click, or of the copy of it inside typer; it has `main`.

    first: the first argument. Where it is a verb, only that one is made: typer spends longer on the
    options of all than on answering with one.
    """
    app = typer.Typer(
        name="ndcgauge",
        help="Two ranking evaluators gave two numbers for one run: why, exactly, and by how much each reason.",
        no_args_is_help=True,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for verb in (first,) if first in VERBS else VERBS:
        import_module(f"ndcgauge.cli.{verb}").register(app)

    @app.callback()
    def root(
        version: bool = typer.Option(False, "--version", is_eager=True, callback=_version, help="The version."),
    ) -> None:
        del version

    del root
    return typer.main.get_command(app)


def _version(asked: bool) -> None:
    if asked:
        from ndcgauge import __version__

        typer.echo(f"ndcgauge {__version__}")
        raise typer.Exit
