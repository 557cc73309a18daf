"""`ndcgauge cases`: the suite's cases listed, shown, linted; and new ones made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ndcgauge.cli.options import Evaluators, NoProgress, QrelsFile, Quiet, RunFile, Timeout

Form = Annotated[str, typer.Option("-f", "--format", help="terminal or json.")]
Select = Annotated[str | None, typer.Option("-k", metavar="TEXT", help="Only cases with this text in folder or id.")]
Folder = Annotated[
    Path | None, typer.Option("--cases", metavar="FOLDER", help="Cases of your own in place of the suite's.")
]


def register(app: typer.Typer) -> None:
    """Adds the commands to the app."""
    group = typer.Typer(
        help="The cases of the suite: list, show, lint; new makes one.",
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    group.command("list", help="Every case: id, measure, title.")(list_cases)
    group.command("show", help="One case: files, and what is expected under which values.")(show)
    group.command("lint", help="What is wrong with the cases; exit code 1 where something is.")(lint)
    group.command("new", help="From files on which two evaluators differ to the fewest lines that show it.")(new)
    app.add_typer(group, name="cases")


def list_cases(select: Select = None, folder: Folder = None, form: Form = "terminal") -> int:
    """Lists the cases."""
    import json

    from ndcgauge.cli.output import put
    from ndcgauge.jobs.cases import listed, listing_text

    _known(form)
    found = listed(select, folder)
    put(json.dumps(found, indent=1) if form == "json" else listing_text(found))
    return 0


def show(case: Annotated[str, typer.Argument(metavar="CASE", help="The id of a case.")], folder: Folder = None) -> int:
    """Shows one case."""
    from ndcgauge.cli.output import put
    from ndcgauge.jobs.cases import case_text, shown

    put(case_text(shown(case, folder)))
    return 0


def lint(folder: Folder = None) -> int:
    """Lints the cases: exit code 1 where something is wrong, or a value of an axis has no case."""
    from ndcgauge.cli.output import put
    from ndcgauge.jobs.cases import linted

    found = linted(folder)
    lines = [str(each) for each in found.findings]
    lines += [f"no case of {each}" for each in found.missing]
    put("\n".join([*lines, f"{found.cases} cases, {len(lines)} findings"]))
    return int(bool(lines))


def new(
    qrels: QrelsFile,
    run: RunFile,
    evaluator: Evaluators = None,
    measure: Annotated[str, typer.Option("-m", "--measure", help="The measure in which they differ.")] = "ndcg@10",
    name: Annotated[str | None, typer.Option("--id", help="The id of the case: small letters and hyphens.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE.toml", help="Where the draft goes; it must not exist."),
    ] = None,
    form: Form = "terminal",
    timeout: Timeout = 600.0,
    no_progress: NoProgress = False,
    quiet: Quiet = False,
) -> int:
    """Makes a draft of a case, on standard output or in a file."""
    from ndcgauge.cli.output import put, say
    from ndcgauge.errors import UsageError
    from ndcgauge.jobs.cases import new_case, new_case_json
    from ndcgauge.results.files import check_writable, write_whole

    _known(form)
    if output is not None:
        if output.suffix != ".toml":
            raise UsageError(f"-o {output}: a case is a .toml file")
        if output.exists():
            raise UsageError(f"-o {output}: there is such a file already", fix="an id never changes: take another one")
        check_writable(output)
    found = new_case(
        qrels,
        run,
        evaluator or [],
        measure=measure,
        name=name or (None if output is None else output.stem),
        timeout=timeout,
        tell=None if no_progress or quiet else lambda text: say([f"… {text}"], quiet=False),
    )
    if output is None:
        put(new_case_json(found) if form == "json" else found.text)
    else:
        write_whole(output, found.text)
    reason = ", ".join(found.axes) or "nothing that an axis explains"
    say(
        [
            f"{found.lines_before} lines of one query became {found.lines_after}, in {found.calls} calls; "
            f"because of {reason}"
        ],
        quiet=quiet,
    )
    return 0


def _known(form: str) -> None:
    if form not in ("terminal", "json"):
        raise typer.BadParameter("terminal or json", param_hint="--format")
