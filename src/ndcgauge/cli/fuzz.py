"""`ndcgauge fuzz`: the smallest inputs on which two evaluators differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ndcgauge.cli.options import Evaluators, Measures, NoProgress, Quiet, Timeout

if TYPE_CHECKING:
    from pathlib import Path

    from ndcgauge.evaluators.references import EvaluatorRef
    from ndcgauge.jobs.fuzz import Fuzzed
    from ndcgauge.spec import Measure


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command("fuzz", help="Looks for the smallest input on which two evaluators differ, and writes it as a case.")(
        fuzz
    )


def fuzz(
    evaluator: Evaluators = None,
    measure: Measures = None,
    budget: Annotated[str, typer.Option("--budget", help="How long to look: 60s, 10m.")] = "60s",
    beyond: Annotated[
        str,
        typer.Option("--beyond", metavar="AXIS,…", help="Axes or families to leave out: ties,gain."),
    ] = "",
    profile: Annotated[
        list[str] | None,
        typer.Option("--profile", metavar="NAME=PRESET", help="What a program is declared to compute."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FOLDER", help="Where cases are written; printed otherwise.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed draws other examples.")] = 0,
    timeout: Timeout = 600.0,
    no_progress: NoProgress = False,
    quiet: Quiet = False,
) -> None:
    """Two evaluators, or one and its own profile; a case for each cause."""
    from pathlib import Path

    from ndcgauge.cli.output import progress, put, say
    from ndcgauge.errors import InputError, UsageError
    from ndcgauge.evaluators.references import resolve
    from ndcgauge.jobs.compare import declared_profiles
    from ndcgauge.jobs.fuzz import fuzz as fuzzed
    from ndcgauge.jobs.fuzz import parse_beyond, parse_budget
    from ndcgauge.jobs.fuzz_case import case_id, case_text
    from ndcgauge.results.files import write_whole
    from ndcgauge.spec import parse_measure

    refs = [resolve(text) for text in evaluator or ()]
    if not refs:
        raise UsageError("no evaluator is named", fix="-e A -e B, or -e A for A and its own profile")
    measures = [parse_measure(text) for text in dict.fromkeys(measure or ["ndcg@10"])]
    folder = None if output is None else Path(output)
    if folder is not None and not folder.is_dir():
        raise InputError("there is no such folder", file=str(folder), fix="make it, or name another")
    seconds, axes = parse_budget(budget) / len(measures), parse_beyond(beyond)
    profiles = declared_profiles(profile or (), [each.id for each in refs])
    for each in measures:
        found = fuzzed(
            refs,
            each,
            budget=seconds,
            beyond=axes,
            profiles=profiles,
            first_seed=seed,
            timeout=timeout,
            tell=progress(no_progress=no_progress, quiet=quiet),
        )
        say(_summary(found, refs, each), quiet=quiet)
        for finding in found.findings:
            text = case_text(finding, refs, each, profiles)
            if folder is None:
                put(text)
            else:
                path = _free(folder, case_id(finding, refs))
                write_whole(path, text)
                say([f"  written: {path}"], quiet=quiet)


def _free(folder: Path, stem: str) -> Path:
    """A path that is not there yet: what exists is never overwritten."""
    path, number = folder / f"{stem}.toml", 2
    while path.exists():
        path, number = folder / f"{stem}-{number}.toml", number + 1
    return path


def _summary(found: Fuzzed, refs: list[EvaluatorRef], measure: Measure) -> list[str]:
    from ndcgauge.jobs.fuzz_case import attribution_text, title

    who = " and ".join(each.id for each in refs) if len(refs) > 1 else f"{refs[0].id} and its profile"
    lines = [
        f"{measure.name}, {who}: {found.asked:,} examples in {found.calls:,} calls, {found.seconds:.0f} s; "
        + (f"{len(found.findings)} causes of a difference" if found.findings else "no difference found")
    ]
    for finding in found.findings:
        cost = finding.difference.example.cost
        size = f"{len(finding.difference.example.retrieved)} retrieved, {int(cost[1])} judged"
        small = "" if finding.smallest else ", not yet the smallest"
        lines.append(f"- {title(finding, refs)} [{size}{small}; {finding.seen:,} seen]")
        told = attribution_text(finding.report)
        if told:
            lines.append(f"  {told}")
    if found.skipped:
        lines.append("left out by --beyond: " + "; ".join(map(str, found.skipped)))
    return lines
