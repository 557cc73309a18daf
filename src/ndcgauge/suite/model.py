"""The model of a case file: what `cases/<axis>/<id>.toml` may hold (DESIGN §7).

A case is a qrels text, a run text and expectations. An `[[expect]]` says under which axis values
(`when`; the rest comes from the preset) the queries have which values, each a closed form:

    [[expect]]
    when = { ties = "best" }
    q1   = "1"                        # any key that is no field is a query id

    [[expect]]
    when = { negative = ["zero", "keep"] }   # these have the same value here
    mean = "1/2"                      # where it is not the mean of the queries' values
    [expect.values]                   # for query ids that are also fields, such as `mean`
    "when" = "1/2"

Beside a closed form a query, or the mean, has `"undefined"` (it counts, and has no value: NaN), or
an interval `["worst form", "best form"]`; a query that is not named, or `"missing"`, does not
count under the specification. `refused = "input"` says that the files cannot be scored, `"usage"`
that the specification cannot be applied to them. `printed` has what a printing evaluator shows.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Annotated, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ndcgauge.errors import InputError, NdcgaugeError
from ndcgauge.spec import Measure, MetricSpec, parse_measure, preset_spec
from ndcgauge.suite.closed_form import ClosedForm, mean_form

CASE_SCHEMA = "ndcgauge-case/1"

Written = Annotated[str, Field(min_length=1)] | tuple[str, str]
"""A closed form, `missing`, `undefined`, or the forms of the worst and the best value."""


@dataclass(frozen=True)
class Interval:
    """Any value from the worst to the best, both included."""

    worst: ClosedForm
    best: ClosedForm


@dataclass(frozen=True)
class Undefined:
    """The query, or the mean, counts but has no value: NaN."""


Expected = ClosedForm | Interval | Undefined
"""What is expected of a query that counts, or of a mean."""


@dataclass(frozen=True)
class Expectation:
    """What one specification gives on a case: one value of each axis that the case sets."""

    when: Mapping[str, str]
    """Axis to canonical value, as far as the case sets it."""
    spec: MetricSpec
    refused: Literal["input", "usage"] | None
    """Why there are no values: the files, or the specification; None where there are."""
    values: Mapping[str, Expected]
    """Query id to value, for the queries that count, in the order of their bytes."""
    mean: Expected
    mean_is_macro: bool
    """Whether the file left the mean out, so that it is the mean of the values."""
    printed: Mapping[str, str]
    """Query id, or `mean`, to the text that an evaluator with this `rounding` prints."""

    @property
    def label(self) -> str:
        """`ties=best, score_precision=float32`; `preset` where nothing is set."""
        return ", ".join(f"{axis}={value}" for axis, value in self.when.items()) or "preset"


class CasePart(BaseModel):
    """A frozen part of a case file with closed fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


class Expect(CasePart):
    """One `[[expect]]` as written."""

    when: dict[str, str | Annotated[list[str], Field(min_length=1)]] = {}
    """Axis to value, or to several values that are all expected to give the same here."""
    values: dict[str, Written] = {}
    """Query id to what is expected of it."""
    mean: Written | None = None
    """The aggregate; left out where it is the mean of the values."""
    refused: Literal["input", "usage"] | None = None
    printed: dict[str, str] = {}
    note: str = ""
    """The derivation in words: the ranking, the sums."""

    @model_validator(mode="before")
    @classmethod
    def _keys_that_are_no_fields_are_queries(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        table = cast("dict[str, object]", data)
        fields = {key: value for key, value in table.items() if key in cls.model_fields}
        flat = {key: value for key, value in table.items() if key not in cls.model_fields}
        nested = fields.get("values", {})
        if not flat or not isinstance(nested, dict):
            return fields if not flat else table
        named = cast("dict[str, object]", nested)
        twice = sorted(flat.keys() & named.keys())
        if twice:
            raise ValueError(f"query {twice[0]} stands beside `values` and in it")
        return {**fields, "values": {**flat, **named}}

    @model_validator(mode="after")
    def _refused_or_valued(self) -> Expect:
        if self.refused is not None and (self.values or self.mean is not None or self.printed):
            raise ValueError("an expectation is either refused or has values")
        if self.mean == "missing":
            raise ValueError("a mean is never missing: it is undefined, or it is left out where it is the values' mean")
        return self

    def combinations(self) -> list[dict[str, str]]:
        """Every choice of one value for each axis of `when`."""
        listed = [[each] if isinstance(each, str) else each for each in self.when.values()]
        return [dict(zip(self.when, values, strict=True)) for values in product(*listed)]


class CaseFile(CasePart):
    """A case file as written."""

    schema_: Literal["ndcgauge-case/1"] = Field(alias="schema")
    title: str
    """What is so, in the present tense."""
    axes: list[str]
    """The axes whose values the case tells apart; none where it is about reading alone."""
    why: str
    """What goes wrong in practice."""
    refs: list[str]
    """Paper with section, documentation, or the address of a public thread."""
    measure: str
    preset: str = "trec_eval"
    qrels: str | None = None
    qrels_base64: str | None = None
    """The bytes of the qrels, where TOML cannot hold them (bytes that are not UTF-8)."""
    run: str | None = None
    run_base64: str | None = None
    """The bytes of the run, where TOML cannot hold them."""
    expect: Annotated[list[Expect], Field(min_length=1)]

    @model_validator(mode="after")
    def _one_text_a_file(self) -> CaseFile:
        for name, text, packed in (
            ("qrels", self.qrels, self.qrels_base64),
            ("run", self.run, self.run_base64),
        ):
            if (text is None) == (packed is None):
                raise ValueError(f"a case has either {name} or {name}_base64")
        return self


@dataclass(frozen=True)
class Case:
    """A case: its file, and what follows from it."""

    id: str
    """The file's stem; never renamed."""
    folder: str
    """The folder that the file stands in: its axis, or `reading`."""
    written: CaseFile

    @cached_property
    def measure(self) -> Measure:
        """The measure. Raises UsageError where there is none of that name."""
        return parse_measure(self.written.measure)

    @cached_property
    def qrels(self) -> bytes:
        """The bytes of the qrels file. Raises InputError for damaged base64."""
        return _bytes(self.written.qrels, self.written.qrels_base64, f"{self.id}: qrels_base64")

    @cached_property
    def run(self) -> bytes:
        """The bytes of the run file. Raises InputError for damaged base64."""
        return _bytes(self.written.run, self.written.run_base64, f"{self.id}: run_base64")

    @cached_property
    def base(self) -> MetricSpec:
        """The specification that `when` changes: the preset, and what the measure's name says."""
        spec = preset_spec(self.written.preset, self.measure.stem, self.measure.cutoff)
        return spec.replace(**self.measure.changes) if self.measure.changes else spec

    @cached_property
    def expectations(self) -> tuple[Expectation, ...]:
        """Every expectation, one for each combination of axis values.

        Raises InputError for a formula that cannot be read, an axis or value that does not exist,
        and a combination that stands twice.
        """
        found: dict[MetricSpec, Expectation] = {}
        for expect in self.written.expect:
            for when in expect.combinations():
                expectation = self._expectation(expect, when)
                if expectation.spec in found:
                    raise InputError(f"case {self.id} expects {expectation.label} twice")
                found[expectation.spec] = expectation
        return tuple(found.values())

    def _expectation(self, expect: Expect, when: Mapping[str, str]) -> Expectation:
        try:
            spec = self.base.replace(**when)
            values = {
                query: _expected(written)
                for query, written in sorted(expect.values.items(), key=lambda item: item[0].encode())
                if written != "missing"
            }
            mean = _mean(values) if expect.mean is None else _expected(expect.mean)
        except NdcgaugeError as error:
            raise InputError(f"case {self.id}: {error.message}", fix=error.fix) from None
        return Expectation(
            when={axis: spec[axis] for axis in when},
            spec=spec,
            refused=expect.refused,
            values=values,
            mean=mean,
            mean_is_macro=expect.mean is None,
            printed=expect.printed,
        )


def _expected(written: Written) -> Expected:
    if isinstance(written, tuple):
        return Interval(ClosedForm(written[0]), ClosedForm(written[1]))
    return Undefined() if written == "undefined" else ClosedForm(written)


def _mean(values: Mapping[str, Expected]) -> Expected:
    """The macro average: of nothing, or of anything undefined, undefined; of intervals, an interval."""
    forms = list(values.values())
    if not forms or any(isinstance(form, Undefined) for form in forms):
        return Undefined()
    worst = [form.worst if isinstance(form, Interval) else cast("ClosedForm", form) for form in forms]
    best = [form.best if isinstance(form, Interval) else cast("ClosedForm", form) for form in forms]
    low, high = mean_form(worst), mean_form(best)
    return low if worst == best else Interval(low, high)


def _bytes(text: str | None, packed: str | None, name: str) -> bytes:
    if text is not None:
        return text.encode()
    try:
        return base64.b64decode(packed or "", validate=True)
    except binascii.Error as error:
        raise InputError(f"{name} cannot be decoded: {error}") from None
