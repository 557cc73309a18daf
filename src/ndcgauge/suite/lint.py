"""What the suite checks about itself, without evaluating anything (DESIGN §7)."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from ndcgauge.data.reading import read_collection
from ndcgauge.data.sources import open_source
from ndcgauge.errors import InputError, NdcgaugeError
from ndcgauge.spec import AXES, MEASURES, Axis, axes_of
from ndcgauge.suite.closed_form import ClosedForm
from ndcgauge.suite.loading import write_pair
from ndcgauge.suite.model import Case, Expectation, Expected, Interval

READING = "reading"
"""The folder of cases that are about how files are read and set no axis."""
TITLE_LENGTH = range(10, 91)
SHORTEST_WHY = 20
SHORTEST_REF = 8

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NOT_PRESENT = re.compile(r"\b(should|shall|will|would|tests? (?:that|whether|if)|check that|ensures?)\b", re.I)
_REF_ADDRESS = re.compile(r"https?://[^\s/]+/\S+")


@dataclass(frozen=True)
class Finding:
    """Something in a case that is not as it is to be."""

    case: str
    """Folder and id."""
    text: str

    def __str__(self) -> str:
        return f"{self.case}: {self.text}"


@dataclass(frozen=True, order=True)
class Uncovered:
    """A value of an axis of a measure that no case has."""

    measure: str
    axis: str
    value: str
    """A named value, or the form of values that carry a number (`log2+c`)."""

    def __str__(self) -> str:
        return f"{self.measure}: {self.axis}={self.value}"


def lint(cases: Sequence[Case]) -> list[Finding]:
    """Everything that is wrong with some cases, in their order; coverage apart (`uncovered`)."""
    return [finding for case in cases for finding in lint_case(case)]


def lint_case(case: Case) -> list[Finding]:
    """Everything that is wrong with one case."""
    where = f"{case.folder}/{case.id}"
    try:
        texts = [*_words(case), *_axes(case), *_expectations(case), *_files(case)]
    except NdcgaugeError as error:
        # Without its measure or its forms nothing else of a case can be looked at.
        texts = [error.message]
    return [Finding(where, text) for text in texts]


def uncovered(cases: Sequence[Case]) -> list[Uncovered]:
    """The axis values that no case of a measure expects anything of, by measure and axis.

    A case counts for the axes that it names, with the values that its expectations set. Values
    that carry a number count as one, by their form. `ties=observed:<hash>` needs an evaluator's
    own order, so no case can have it.
    """
    covered = {
        Uncovered(case.measure.stem, axis, value_form(AXES[axis], expectation.when[axis]))
        for case in cases
        for expectation in case.expectations
        for axis in case.written.axes
        if axis in expectation.when
    }
    return [each for each in coverable() if each not in covered]


def coverable() -> list[Uncovered]:
    """Every value, or form of values, of every axis of every measure that a case can have."""
    return [
        Uncovered(measure, axis.name, value)
        for measure in MEASURES
        for axis in axes_of(measure)
        for value in (*axis.values, *axis.forms)
        if value != "observed:<hash>"
    ]


def value_form(axis: Axis, value: str) -> str:
    """The value itself where it has a name, else the form that it is written in (`jk:2` is a `jk:b`)."""
    if value in axis.values:
        return value
    if len(axis.forms) == 1:
        return axis.forms[0]
    # `log2+c` and `jk:b`: the last letter stands for the number.
    return next(form for form in axis.forms if value.startswith(form[:-1]))


def distinct(left: Expectation, right: Expectation) -> bool:
    """Whether an evaluator's answers can tell two expectations apart."""
    if left.refused is not None or right.refused is not None:
        return left.refused != right.refused
    if left.values.keys() != right.values.keys() or left.printed != right.printed:
        return True
    pairs = [(left.mean, right.mean), *((left.values[query], right.values[query]) for query in left.values)]
    return any(not _same(one, other) for one, other in pairs)


def _same(left: Expected, right: Expected) -> bool:
    if isinstance(left, ClosedForm) and isinstance(right, ClosedForm):
        return left.equals(right)
    if isinstance(left, Interval) and isinstance(right, Interval):
        return _same(left.worst, right.worst) and _same(left.best, right.best)
    return type(left) is type(right)


def _words(case: Case) -> Iterator[str]:
    written = case.written
    if not _ID.fullmatch(case.id):
        yield "an id has small letters, digits and hyphens"
    if len(written.title) not in TITLE_LENGTH:
        yield f"the title has {len(written.title)} characters, not {TITLE_LENGTH.start} to {TITLE_LENGTH.stop - 1}"
    if written.title.endswith("."):
        yield "the title ends with a full stop"
    for name, text in (("title", written.title), ("why", written.why)):
        if found := _NOT_PRESENT.search(text):
            yield f"the {name} says {found[0]!r}: say what is, in the present tense"
    if len(written.why) < SHORTEST_WHY:
        yield "why is empty, or nearly so"
    if not written.refs:
        yield "refs is empty: name the paper, documentation or public thread that decides"
    for ref in written.refs:
        if ref.startswith("http") and not _REF_ADDRESS.fullmatch(ref):
            yield f"the reference {ref!r} is no address of a page"
        if len(ref) < SHORTEST_REF:
            yield f"the reference {ref!r} names nothing that one could look up"


def _axes(case: Case) -> Iterator[str]:
    axes = case.written.axes
    for axis in axes:
        if axis not in AXES:
            yield f"there is no axis {axis!r}"
        elif case.measure.stem not in AXES[axis].measures:
            yield f"the measure {case.measure.stem} has no axis {axis}"
        elif not any(axis in expectation.when for expectation in case.expectations):
            yield f"no expectation sets the axis {axis}"
    if len(set(axes)) < len(axes):
        yield "an axis is named twice"
    home = axes[0] if axes else READING
    if case.folder not in (home, READING):
        yield f"it stands in {case.folder}, not in {home}"


def _expectations(case: Case) -> Iterator[str]:
    for expectation in case.expectations:
        if expectation.refused is None:
            yield from _values(expectation)
    # The values listed in one expectation are one claim; its first stands for all.
    by_spec = {each.spec: each for each in case.expectations}
    firsts = [by_spec[case.base.replace(**expect.combinations()[0])] for expect in case.written.expect]
    for left, right in combinations(firsts, 2):
        if not distinct(left, right):
            yield f"{left.label} and {right.label} give the same: list the values in one expectation, or separate them"


def _values(expectation: Expectation) -> Iterator[str]:
    label, spec = expectation.label, expectation.spec
    if spec["averaging"] == "pooled" and spec.measure not in ("dcg", "rr") and expectation.mean_is_macro:
        yield f"{label}: a pooled mean is not the mean of the values; write it"
    for query in expectation.printed:
        if query != "mean" and query not in expectation.values:
            yield f"{label}: {query} is printed but has no value"
    if expectation.printed and spec["rounding"] == "none":
        yield f"{label}: rounding says nothing of what is printed"
    for name, form in (*expectation.values.items(), ("mean", expectation.mean)):
        if isinstance(form, Interval) and form.best.value < form.worst.value:
            yield f"{label}: the interval of {name} ends below its beginning"
        if isinstance(form, Interval) and spec["ties"] not in ("random", "observed"):
            yield f"{label}: {name} has an interval, but the specification has one value"


def _files(case: Case) -> Iterator[str]:
    """Reads the pair, but for what the case itself says is refused."""
    readable = [each for each in case.expectations if each.refused != "input"]
    if not readable:
        return
    on_nul = readable[0].spec["nul"]
    with tempfile.TemporaryDirectory(prefix="ndcgauge-case-") as folder:
        qrels, run = write_pair(case, Path(folder))
        try:
            collection = read_collection(
                open_source(qrels), open_source(run), on_duplicate="all", on_nul=on_nul
            ).collection
        except InputError as error:
            place = "" if error.line is None else f", line {error.line}"
            name = "qrels" if error.file == str(qrels) else "run"
            yield f"the {name} cannot be read{place}: {error.message}"
            return
        known = set(collection.queries)
    for expectation in readable:
        for query in expectation.values.keys() - known:
            yield f"{expectation.label}: neither file has the query {query}"
