"""A typer app with the commands, options and help texts of ours and nothing behind them: what `--help` must cost."""

from __future__ import annotations

from importlib import import_module

import typer

from ndcgauge.cli.app import VERBS

app = typer.Typer(rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]})
for verb in VERBS:
    import_module(f"ndcgauge.cli.{verb}").register(app)

if __name__ == "__main__":
    app()
