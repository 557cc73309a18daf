"""Plant a value of an axis in an evaluator; the fingerprint must show it, and no other axis changed."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Sequence

import pytest
from tests.suite.planting import CASES, computes, evaluation_of, fingerprint_of

from ndcgauge.data.collection import RunLine
from ndcgauge.errors import InputError
from ndcgauge.evaluators.outcomes import TimedOut, Value
from ndcgauge.reference import Evaluation, ObservedOrder
from ndcgauge.spec import AXES, MEASURES, MetricSpec, axes_of
from ndcgauge.suite.fingerprint import ARBITRARY, MIXED, Standing
from ndcgauge.suite.lint import value_form
from ndcgauge.suite.trials import Given, Trial

ALWAYS = ("ties", "gain", "discount", "unjudged", "unretrieved", "negative")
"""The axes of nDCG of which every value is planted each time."""
EVERYTHING = os.environ.get("NDCGAUGE_REAL") == "1"
"""Otherwise one value of each axis of nDCG, and of the axes that only another measure has."""


INERT = {("dcg", "averaging"), ("rr", "averaging"), ("judged", "threshold")}
"""Axes that change no value of a measure, by definition: nobody can show them."""
CANCELLING = {("recall", "depth", "cutoff")}
"""A list cut at k, of which unjudged documents are then dropped, has the relevant ones of the whole list's first k."""


def planted() -> list[tuple[str, str, str, MetricSpec]]:
    """Measure, axis, value, and the plainest specification in which a case expects numbers of that value."""
    found: dict[tuple[str, str, str], MetricSpec] = {}
    for case in CASES:
        base = MetricSpec.of(case.measure.stem)
        for expectation in case.expectations:
            spec = expectation.spec.replace(cutoff="none")
            for axis in case.written.axes:
                key = (case.measure.stem, axis, spec[axis])
                refused = expectation.refused == "usage"
                if axis == "cutoff" or spec[axis] in ("random", "observed") or refused:
                    continue
                if key[:2] in INERT or key in CANCELLING:
                    continue
                spec_here = base if spec[axis] == base[axis] else spec
                if key not in found or len(base.diff(spec_here)) < len(base.diff(found[key])):
                    found[key] = spec_here
    return [(*key, spec) for key, spec in sorted(found.items(), key=lambda item: item[0])]


def chosen() -> list[object]:
    ndcg = {axis.name for axis in axes_of("ndcg")}
    last: dict[tuple[str, str], str] = {(stem, axis): value for stem, axis, value, _ in planted()}
    return [
        pytest.param(stem, axis, value, spec, id=f"{stem}-{axis}={value}")
        for stem, axis, value, spec in planted()
        if EVERYTHING
        or (stem == "ndcg" and (axis in ALWAYS or last[stem, axis] == value))
        or (stem != "ndcg" and axis not in ndcg)
    ]


@pytest.mark.parametrize(("stem", "axis", "value", "spec"), chosen())
def test_a_planted_value_is_measured_and_no_other_axis_with_it(
    stem: str, axis: str, value: str, spec: MetricSpec
) -> None:
    found = fingerprint_of(stem, lambda trial: computes(trial, spec))
    finding = found.findings[axis]
    if spec != MetricSpec.of(stem) or finding.standing is not Standing.UNKNOWN:
        assert value in (finding.measured, *finding.equal), finding
    for other, each in found.findings.items():
        if other != "cutoff" and each.standing is not Standing.UNKNOWN:
            assert spec[other] in (each.measured, *each.equal), each


def test_two_axes_that_cancel_each_other_are_taken_for_neither() -> None:
    """Recall of a list that is cut at k and then condensed is plain recall, in every case: the plainest is measured."""
    both = MetricSpec.of("recall").replace(depth="cutoff", unjudged="drop")
    found = fingerprint_of("recall", lambda trial: computes(trial, both))
    assert found.spec.with_axes({"cutoff": "none"}) == MetricSpec.of("recall")
    assert "cutoff" in found.findings["depth"].equal
    assert all(each.against == () for each in found.findings.values())


def test_every_value_that_an_axis_can_have_is_planted() -> None:
    forms = {(stem, axis, value_form(AXES[axis], value)) for stem, axis, value, _ in planted()}
    wanted = {
        (stem, axis.name, value)
        for stem in MEASURES
        for axis in axes_of(stem)
        for value in (*axis.values, *axis.forms)
        if axis.name != "cutoff" and (stem, axis.name) not in INERT and (stem, axis.name, value) not in CANCELLING
        if value not in ("random", "observed", "observed:<hash>")
    }
    assert wanted <= forms


def ordering(trial: Trial, shuffled: random.Random | None, short: int) -> Given:
    """The order of lines in lists of fewer than `short` documents; above, or everywhere, one by no rule."""
    evaluation = evaluation_of(trial.case.id, "keep")
    if isinstance(evaluation, InputError):
        return computes(trial, MetricSpec.of(trial.measure.stem))
    collection = evaluation.collection
    repeats = "error" not in collection.rows or "error" not in collection.judged.grades
    if repeats or not (collection.in_qrels & collection.in_run).any():
        return computes(trial, MetricSpec.of(trial.measure.stem))

    def key(line: RunLine) -> tuple[float, bytes]:
        own = hashlib.sha256(line.doc.encode("utf-8", "surrogateescape")).digest()
        return -line.score, own if shuffled is None else shuffled.randbytes(4)

    def ordered(lines: Sequence[RunLine]) -> list[str]:
        if len(lines) < short:
            return [line.doc for line in sorted(lines, key=lambda line: -line.score)]
        return [line.doc for line in sorted(lines, key=key)]

    lists = collection.lists(list(map(str, collection.queries)))
    order = ObservedOrder(collection, "error", {query: ordered(lines) for query, lines in lists.items()})
    cutoff = "none" if trial.measure.cutoff is None else str(trial.measure.cutoff)
    spec = MetricSpec.of(trial.measure.stem, {"cutoff": cutoff, "ties": f"observed:{order.digest}"})
    values, counted, mean = Evaluation(collection, {order.digest: order}).score(spec)
    rows = {
        str(query): Value(float(value))
        for query, value, here in zip(collection.queries, values, counted, strict=True)
        if here
    }
    return Given(rows, Value(mean), moved=shuffled is not None)


def test_the_order_of_lines_below_16_and_any_order_above_is_mixed_with_the_cases() -> None:
    finding = fingerprint_of("ndcg", lambda trial: ordering(trial, None, 16)).findings["ties"]
    assert finding.measured == MIXED
    assert finding.values is not None
    assert set(finding.values) == {"line", ARBITRARY}
    # The lists below 16 documents keep the order of lines; of those above, some order may be that of lines by chance.
    assert {"ties-of-15", "ties-ndcg"} <= set(finding.values["line"])
    assert "ties-of-120" in finding.values[ARBITRARY]
    assert set(finding.values[ARBITRARY]) <= {"ties-of-16", "ties-of-17", "ties-of-120"}
    assert {"ties-of-15", "ties-of-120"} <= set(finding.cases)


def test_an_order_that_is_shown_is_observed_and_not_mixed() -> None:
    def given(trial: Trial) -> Given:
        plain = ordering(trial, None, 16)
        evaluation = evaluation_of(trial.case.id, "keep")
        if isinstance(evaluation, InputError):
            return plain
        lists = evaluation.collection.lists(list(map(str, evaluation.collection.queries)))

        def place(line: RunLine) -> tuple[float, bytes]:
            return -line.score, hashlib.sha256(line.doc.encode("utf-8", "surrogateescape")).digest()

        docs = {
            query: [line.doc for line in sorted(lines, key=(lambda line: -line.score) if len(lines) < 16 else place)]
            for query, lines in lists.items()
        }
        return Given(plain.queries, plain.mean, docs=docs)

    assert fingerprint_of("ndcg", given).findings["ties"].measured == "observed"


def test_an_order_by_no_rule_everywhere_is_arbitrary_or_random() -> None:
    still = fingerprint_of("ndcg", lambda trial: ordering(trial, None, 0)).findings["ties"]
    assert still.measured in (ARBITRARY, MIXED)
    assert still.standing is Standing.DIFFERENT
    moving = random.Random(7)
    finding = fingerprint_of("ndcg", lambda trial: ordering(trial, moving, 0)).findings["ties"]
    assert finding.measured == "random"


def test_values_of_no_specification_are_unexplained_and_not_forced_into_one() -> None:
    def given(trial: Trial) -> Given:
        right = computes(trial, MetricSpec.of("ndcg"))
        rows = {
            query: Value(0.123456 + 0.5 * each.number) if isinstance(each, Value) else each
            for query, each in right.queries.items()
        }
        return Given(rows, None)

    found = fingerprint_of("ndcg", given)
    assert found.findings["gain"].measured == "unexplained"
    assert found.findings["gain"].standing is Standing.DIFFERENT
    assert {each.measured for each in found.findings.values()} <= {"unexplained", "undetermined", "error"}


def test_an_answer_that_never_came_is_no_value_of_an_axis() -> None:
    """A time limit that strikes most cases of gain is no gain table that lacks their grades."""

    def given(trial: Trial) -> Given:
        if "gain" in trial.case.written.axes and trial.case.id != "gain-ndcg":
            return Given({}, TimedOut(1.0))
        return computes(trial, MetricSpec.of("ndcg"))

    found = fingerprint_of("ndcg", given).findings
    assert (found["gain"].measured, found["gain"].cases) == ("linear", ("gain-ndcg",))
    silent = fingerprint_of("ndcg", lambda _: Given({}, TimedOut(1.0))).findings
    assert {each.measured for each in silent.values()} == {"undetermined"}


@pytest.mark.parametrize("among", [("gain", "ties"), ("gain", "ties", "order")])
def test_a_part_of_the_suite_does_not_take_a_tie_rule_for_an_order(among: tuple[str, ...]) -> None:
    """All documents of a case of ties have one score: `order=line` explains them as well as `ties=line`."""
    cases = [each for each in CASES if each.folder in among or each.id == "order-and-gain"]
    planted_here = MetricSpec.of("ndcg", {"gain": "exponential", "ties": "line"})
    found = fingerprint_of("ndcg", lambda trial: computes(trial, planted_here), cases=cases).findings
    measured = {axis: found[axis].measured for axis in ("gain", "ties", "order")}
    assert measured == {"gain": "exponential", "ties": "line", "order": "score"}
