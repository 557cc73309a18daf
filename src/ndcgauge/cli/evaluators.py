"""`ndcgauge evaluators`: which are here, at which version, what they compute, how to get the others."""

from __future__ import annotations

from typing import Annotated

import typer

from ndcgauge.cli.options import Measures


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command("evaluators", help="Available? Version? What do they compute? --doctor runs a smoke case.")(evaluators)


def evaluators(
    measure: Measures = None,
    doctor: Annotated[
        bool, typer.Option("--doctor", help="Runs the worked example with each and checks the value.")
    ] = False,
    form: Annotated[str, typer.Option("-f", "--format", help="terminal or json.")] = "terminal",
) -> int:
    """Lists the catalogue; the exit code is 4 where the doctor finds an evaluator that does not work."""
    import json

    from ndcgauge.cli.output import put
    from ndcgauge.jobs.evaluators import examine, listed, listing_text

    if form not in ("terminal", "json"):
        raise typer.BadParameter("terminal or json", param_hint="--format")
    found = examine(measure) if doctor else listed(measure)
    put(json.dumps(found, indent=1) if form == "json" else listing_text(found))
    return 4 if doctor and any(each.get("works") is False for each in found) else 0
