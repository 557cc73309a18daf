"""The commands and their help. Importing this costs typer alone: each command loads its work when it runs."""

from __future__ import annotations

from typing import Any

import typer

from ndcgauge.cli import cases, check, compare, demo, evaluators, explain, score, spec


def command() -> Any:
    """The command line as a command of click, or of the copy of it inside typer; it has `main`."""
    app = typer.Typer(
        name="ndcgauge",
        help="Two ranking evaluators gave two numbers for one run: why, exactly, and by how much each reason.",
        no_args_is_help=True,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for module in (demo, compare, check, cases, score, explain, evaluators, spec):
        module.register(app)

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
