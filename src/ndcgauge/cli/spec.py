"""`ndcgauge spec`: presets and evaluators as specifications, and what differs between two."""

from __future__ import annotations

from typing import Annotated

import typer

from ndcgauge.cli.options import Measures, Sets


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command("spec", help="Shows a specification axis by axis, or what differs between two.")(spec)


def spec(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME] [OTHER]", help="A preset or an evaluator; two are compared.")
    ] = None,
    measure: Measures = None,
    sets: Sets = None,
    form: Annotated[str, typer.Option("-f", "--format", help="terminal or json.")] = "terminal",
) -> None:
    """Prints the specification of one name, or the axes that differ between two."""
    from ndcgauge.jobs.specs import describe_presets, describe_spec, diff_specs

    given = list(names or ())
    if form not in ("terminal", "json"):
        raise typer.BadParameter("terminal or json", param_hint="--format")
    if not given and not sets and not measure:
        typer.echo(describe_presets(form))
    elif len(given) <= 1:
        typer.echo(describe_spec(given[0] if given else "trec_eval", measure, sets, form))
    elif len(given) == 2:
        typer.echo(diff_specs(given[0], given[1], measure, form))
    else:
        raise typer.BadParameter("one name, or two to compare")
