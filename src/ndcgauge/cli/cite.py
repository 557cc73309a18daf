"""`ndcgauge cite`: BibTeX."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command("cite", help="BibTeX of what reports name: presets, evaluators, ndcgauge itself.")(cite)


def cite(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY | REPORT.json]...", help="Keys, or saved reports of an audit; all without."),
    ] = None,
) -> int:
    """Prints the entries."""
    from ndcgauge.cli.output import put
    from ndcgauge.jobs.citations import cite as cited

    put(cited(names or ()))
    return 0
