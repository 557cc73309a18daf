"""The reported cases: every convention reproduced, and a program that prints it recognised."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.real.conventions import CONVENTIONS, UNSTATABLE

from ndcgauge.data.collection import Collection
from ndcgauge.errors import InputError
from ndcgauge.evaluators.workers import Workers
from ndcgauge.jobs.compare import compare, options
from ndcgauge.jobs.loading import load_run, open_inputs
from ndcgauge.jobs.request import Request, request
from ndcgauge.reference import evaluate
from ndcgauge.spec import Measure, MetricSpec

CASES = Path(__file__).resolve().parents[3] / "shared" / "reported-cases"
COUNT: Counter[str] = Counter()
FAKE = """
import json, sys
values = json.loads(sys.argv[1])
for name, rows in values.items():
    for query, value in rows.items():
        print(f"{name}\\t{'all' if query == 'mean' else query}\\t{value:.6f}")
"""

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="../shared/reported-cases is not here")


def listed() -> list[tuple[str, str, str, dict[str, Any]]]:
    """(case, convention, measure, values) of every expectation."""
    found: list[tuple[str, str, str, dict[str, Any]]] = []
    for file in sorted(CASES.glob("*/case.yaml")):
        for each in yaml.safe_load(file.read_text())["expected"]:
            for measure, values in each["values"].items():
                found.append((file.parent.name, each["convention"], measure, {str(k): v for k, v in values.items()}))
    return found


def spec_of(measure: Measure, convention: str, collection: Collection) -> MetricSpec:
    changes = {**measure.changes, **CONVENTIONS[convention]}
    if "error" not in collection.rows:
        changes.setdefault("run_duplicates", "last")
    cutoff = "10" if convention == "cutoff 10" else "none" if measure.cutoff is None else str(measure.cutoff)
    base = MetricSpec.of(measure.stem, {"cutoff": cutoff})
    return base.replace(**{axis: value for axis, value in changes.items() if axis in base.axes})


def asked_for(measure: str) -> Request:
    return request([measure], on_duplicate="last")


@pytest.mark.parametrize(("case", "convention", "measure", "values"), listed(), ids=lambda each: str(each)[:50])
def test_every_convention_is_reproduced(case: str, convention: str, measure: str, values: dict[str, Any]) -> None:
    if convention in UNSTATABLE:
        COUNT["conventions that no axis states"] += 1
        assert convention not in CONVENTIONS
        return
    asked = asked_for(measure)
    inputs = open_inputs(str(CASES / case / "qrels.txt"), [str(CASES / case / "run.txt")], asked)
    try:
        collection = load_run(inputs, inputs.run_sources[0], asked).collection
    except InputError as error:
        assert case.startswith("b39"), error
        assert "no query is in both" in error.message
        COUNT["refused by our reader, rightly"] += 1
        return
    spec = spec_of(asked.measures[0], convention, collection)
    scores = evaluate(collection, [spec])
    got, mean = scores.of(spec), scores.mean(spec)
    if spec["rounding"] != "none":
        mean = float(format(mean, f".{spec['rounding']}f"))
    for query, value in values.items():
        if value == "excluded":
            assert query not in got
        else:
            assert (mean if query == "mean" else got[query]) == pytest.approx(value, abs=1e-6)
    COUNT["reproduced"] += 1


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers() as warm:
        yield warm


def printable() -> list[tuple[str, str, str, dict[str, Any]]]:
    """The nDCG conventions whose values a program could print."""
    return [
        each
        for each in listed()
        if each[2].startswith("nDCG")
        and not each[0].startswith(("b39", "b52", "b54"))
        and all(isinstance(value, float | int) for value in each[3].values())
        and len(each[3]) > 1
    ]


@pytest.mark.parametrize(("case", "convention", "measure", "values"), printable(), ids=lambda each: str(each)[:50])
def test_a_program_that_prints_it_behaves_as_exactly_that(
    case: str, convention: str, measure: str, values: dict[str, Any], workers: Workers, tmp_path: Path
) -> None:
    program = tmp_path / "fake.py"
    program.write_text(FAKE)
    asked = asked_for(measure)
    name = asked.measures[0].trec_name
    text = json.dumps({name: values})
    command = f"fake=trec:{sys.executable} {program} '{text}'"
    folder = CASES / case
    report = compare(
        str(folder / "qrels.txt"), [str(folder / "run.txt")], asked, options([command], asked), workers=workers
    )
    entry, found = report.evaluators[0], report.discrepancies[0]
    if convention in UNSTATABLE:
        assert entry.behaves_as is None
        assert not entry.verified
        assert found.verdict == "unexplained"
        COUNT["unexplained, as it has to be"] += 1
        return
    assert entry.verified or entry.behaves_as is not None, entry.notes
    inputs = open_inputs(str(folder / "qrels.txt"), [str(folder / "run.txt")], asked)
    collection = load_run(inputs, inputs.run_sources[0], asked).collection
    wanted = spec_of(asked.measures[0], convention, collection)
    used = MetricSpec.from_dict(found.spec_used)
    # Specifications that are equal on this data are one class: values decide, then the number of axes.
    base = asked.spec(asked.measures[0], collection)
    both = evaluate(collection, [wanted, used])
    assert both.of(wanted) == pytest.approx(both.of(used), abs=1e-9)
    printing = {"rounding"}
    assert len(set(base.diff(used)) - printing) <= len(set(base.diff(wanted)) - printing)
    COUNT["recognised"] += 1


def test_the_count_is_told() -> None:
    for what, count in sorted(COUNT.items()):
        print(f"{what}: {count}")
