"""What Python callers call: `ndcgauge.compare`, `score` and `explain`, on files or on values in memory.

    import ndcgauge

    report = ndcgauge.compare("qrels.txt", {"q1": {"d2": 2.0, "d1": 1.0}}, evaluators=["sklearn", "ranx"])
    scores = ndcgauge.score("irds:beir/scifact/test", frame, measures=["ndcg@10", "map"], complete=True)

Qrels and runs are what `data.inputs.open_input` takes. Warnings of the readers are Python warnings.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from ndcgauge.data.inputs import open_input
from ndcgauge.data.packing import MAX_BYTES
from ndcgauge.errors import InputError
from ndcgauge.jobs.compare import compare as compare_sources
from ndcgauge.jobs.compare import options
from ndcgauge.jobs.explain import Explanation
from ndcgauge.jobs.explain import explain as explain_source
from ndcgauge.jobs.loading import Run, Unopened
from ndcgauge.jobs.request import DEFAULT_MEASURE, request
from ndcgauge.jobs.score import score as score_sources
from ndcgauge.jobs.tolerance import parse_tolerance
from ndcgauge.results.model import Report, Scores


def compare(
    qrels: object,
    run: object,
    *,
    measures: str | Sequence[str] = DEFAULT_MEASURE,
    evaluators: Sequence[str] | None = None,
    baseline: str = "trec_eval",
    sets: Mapping[str, str] | None = None,
    complete: bool = False,
    profiles: Mapping[str, str] | None = None,
    tolerance: float | str = 1e-9,
    timeout: float = 600.0,
    jobs: int | None = None,
    probes: bool = True,
    on_duplicate: str = "error",
    on_nul: str = "error",
    qrels_format: str = "auto",
    run_format: str = "auto",
    max_bytes: int = MAX_BYTES,
) -> Report:
    """Evaluators side by side, every difference split: the document of `ndcgauge compare -o report.json`.

    run: one run, a list of runs, or a list of (name, run), where a value has no name of its own; of several, one
    that cannot be read is left out and named (`unread`, and a warning).
    evaluators: as -e; sets: axis to value, as --set; profiles: program to preset, as --profile.

    Raises InputError for data that cannot be read, UsageError for an unknown measure, axis or evaluator;
    whatever an evaluator does is an outcome in the report.
    """
    asked = request(
        _several(measures), baseline=baseline, sets=sets, complete=complete, on_duplicate=on_duplicate, on_nul=on_nul
    )
    chosen = options(
        evaluators,
        asked,
        profiles=[f"{name}={preset}" for name, preset in (profiles or {}).items()],
        tolerance=parse_tolerance(tolerance) if isinstance(tolerance, str) else tolerance,
        timeout=timeout,
        jobs=jobs,
        probes=probes,
    )
    report = compare_sources(
        open_input(qrels, "qrels", max_bytes),
        _runs(run, max_bytes),
        asked,
        chosen,
        qrels_format=qrels_format,
        run_format=run_format,
    )
    _warn(report.warnings)
    return report


def score(
    qrels: object,
    run: object,
    *,
    measures: str | Sequence[str] = DEFAULT_MEASURE,
    baseline: str = "trec_eval",
    sets: Mapping[str, str] | None = None,
    complete: bool = False,
    on_duplicate: str = "error",
    on_nul: str = "error",
    qrels_format: str = "auto",
    run_format: str = "auto",
    max_bytes: int = MAX_BYTES,
) -> Scores:
    """The reference's values: the document of `ndcgauge score --format json`.

    run: as in `compare`, and errors too.
    """
    asked = request(
        _several(measures), baseline=baseline, sets=sets, complete=complete, on_duplicate=on_duplicate, on_nul=on_nul
    )
    scores, told = score_sources(
        open_input(qrels, "qrels", max_bytes),
        _runs(run, max_bytes),
        asked,
        qrels_format=qrels_format,
        run_format=run_format,
    )
    _warn(told)
    return scores


def explain(
    qrels: object,
    run: object,
    query: str,
    *,
    measures: str | Sequence[str] = DEFAULT_MEASURE,
    baseline: str = "trec_eval",
    sets: Mapping[str, str] | None = None,
    complete: bool = False,
    on_duplicate: str = "error",
    on_nul: str = "error",
    qrels_format: str = "auto",
    run_format: str = "auto",
    max_bytes: int = MAX_BYTES,
) -> list[Explanation]:
    """One query, rank by rank, a table a measure. Errors as `compare`, and InputError for a query not in both."""
    asked = request(
        _several(measures), baseline=baseline, sets=sets, complete=complete, on_duplicate=on_duplicate, on_nul=on_nul
    )
    return explain_source(
        open_input(qrels, "qrels", max_bytes),
        open_input(run, "run", max_bytes),
        query,
        asked,
        qrels_format=qrels_format,
        run_format=run_format,
    )


def _several(measures: str | Sequence[str]) -> Sequence[str]:
    return [measures] if isinstance(measures, str) else measures


def _runs(run: object, max_bytes: int) -> list[Run]:
    if not isinstance(run, (list, tuple)):
        return [open_input(run, "run", max_bytes)]
    runs: list[Run] = []
    for number, each in enumerate(cast("Sequence[object]", run), 1):
        name, given = f"<run {number}>", each
        if isinstance(each, tuple):
            name, given = cast("tuple[str, object]", each)
        try:
            runs.append(open_input(given, "run", max_bytes, name))
        except InputError as error:
            # As a file that cannot be read: the others go on.
            runs.append(Unopened(str(given) if isinstance(given, (str, Path)) else name, error))
    return runs


def _warn(told: Sequence[str]) -> None:
    for each in told:
        warnings.warn(each, stacklevel=3)
