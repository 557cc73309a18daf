"""`ndcgauge demo`: the main job on the worked example, with every evaluator."""

from __future__ import annotations

import typer

from ndcgauge.cli.options import NoProgress, Outputs, Quiet, Timeout, Verbose

DEFAULT_OUTPUTS = ("ndcgauge-demo.json", "ndcgauge-demo.html", "ndcgauge-demo.md")


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command(
        "demo", help="The worked example with every evaluator: seven numbers, and the reason of each. Writes a report."
    )(demo)


def demo(
    output: Outputs = None,
    timeout: Timeout = 600.0,
    no_progress: NoProgress = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Prints the table by hand, then the comparison; writes the report."""
    import sys
    from dataclasses import replace

    from ndcgauge.cli.compare import show
    from ndcgauge.cli.output import check_outputs, colored, put, say, width
    from ndcgauge.report import SUFFIXES

    paths = check_outputs(output or DEFAULT_OUTPUTS, SUFFIXES)
    from ndcgauge.jobs.demo import by_hand
    from ndcgauge.jobs.demo import demo as compared
    from ndcgauge.jobs.explanation_text import render_explanation

    table = replace(by_hand(), run="the worked example")
    put(render_explanation(table, rows=10, width=width(), color=colored()))
    if not quiet and not no_progress:
        print("starting every evaluator (ranx compiles on its first use) …", file=sys.stderr)
    report = compared(timeout=timeout)
    show(report, "terminal", paths, per_query=False, verbose=verbose, quiet=quiet)
    say((f"wrote {path}" for path in paths), quiet=quiet)
    return 0
