"""Evaluators that compute a known specification, in this process: what they give on every case."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from ndcgauge.data.reading import read_collection
from ndcgauge.data.sources import open_source
from ndcgauge.errors import InputError, UsageError
from ndcgauge.evaluators.outcomes import Missing, Outcome, Refused, Value
from ndcgauge.reference import Evaluation
from ndcgauge.spec import MetricSpec
from ndcgauge.suite.expecting import needs_of
from ndcgauge.suite.fingerprint import Declared, MeasureFingerprint, fingerprint
from ndcgauge.suite.loading import load_cases
from ndcgauge.suite.model import Case
from ndcgauge.suite.trials import Given, Trial, trials_of
from ndcgauge.suite.witnesses import References, witness_of

CASES = load_cases()
REFERENCES = References(needs_of(CASES))
FOLDER = tempfile.TemporaryDirectory()

Spec = Callable[[Case], MetricSpec]


@cache
def evaluation_of(case_id: str, on_nul: str) -> Evaluation | InputError:
    case = next(each for each in CASES if each.id == case_id)
    qrels, run = (Path(FOLDER.name) / f"{case_id}.{name}" for name in ("qrels", "run"))
    qrels.write_bytes(case.qrels)
    run.write_bytes(case.run)
    try:
        sources = (open_source(qrels), open_source(run))
        read = read_collection(*sources, needs=needs_of(CASES), on_duplicate="all", on_nul=on_nul)
    except InputError as error:
        return error
    return Evaluation(read.collection, {})


def computes(trial: Trial, spec: MetricSpec) -> Given:
    """What an evaluator with that specification gives: rows and a mean; a refusal where it cannot."""
    case = trial.case
    at = spec.replace(cutoff="none" if trial.measure.cutoff is None else str(trial.measure.cutoff))
    on_nul = at["nul"] if b"\0" in case.qrels + case.run else "keep"
    evaluation = evaluation_of(case.id, on_nul)
    refused: Outcome = Refused("no")
    if isinstance(evaluation, InputError):
        return Given({}, refused)
    try:
        values, counted, mean = evaluation.score(at)
    except (InputError, UsageError):
        return Given({}, refused)
    places = None if at["rounding"] == "none" else int(at["rounding"])

    def shown(value: float) -> float:
        return value if places is None or math.isnan(value) else float(format(value, f".{places}f"))

    collection = evaluation.collection
    rows: dict[str, Outcome] = {
        str(query): Value(shown(float(value))) if here else Missing()
        for query, value, here, judged in zip(collection.queries, values, counted, collection.in_qrels, strict=True)
        if here or judged
    }
    return Given(rows, Value(shown(mean)))


def fingerprint_of(
    stem: str,
    given: Callable[[Trial], Given],
    declared: MetricSpec | None = None,
    cases: Sequence[Case] = CASES,
) -> MeasureFingerprint:
    """The fingerprint of an evaluator that is declared to compute the `trec_eval` preset, on the cases of a measure."""
    profile = MetricSpec.of(stem) if declared is None else declared
    witnesses = [
        witness_of(trial, given(trial), REFERENCES.of_trial(trial), 1e-9)
        for case in cases
        if case.measure.stem == stem
        for trial in trials_of(case)
    ]
    return fingerprint(stem, Declared(profile, dict(profile.axes)), witnesses)
