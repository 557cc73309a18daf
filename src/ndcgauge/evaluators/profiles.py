"""The catalogue: what each evaluator is, how it is called, and what it is declared to compute.

One TOML file an evaluator in `catalogue/`. A declaration is a claim; `compare` and `check`
verify it on every input. Fields are closed, and every axis of every measure is declared.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast, get_args

from ndcgauge.errors import NdcgaugeError, UsageError
from ndcgauge.evaluators.outcomes import Unsupported
from ndcgauge.spec import AXES, MEASURES, Measure, MetricSpec, axes_of

Kind = Literal["fixed", "settable", "undocumented"]
Evidence = Literal["documentation", "source", "measured", "replayed", "adapter"]
Cutoff = Literal["any", "required", "none"]

ANY_INTEGER, ANY_NUMBER = "an integer", "a number"
"""Keys of `settable` that stand for every value that is one."""
_NAMED = ("recall_denominator", "threshold")
"""The axes that an adapter sets where the measure's name says so: `hit_rate@5`, `AP(rel=2)`."""
_EVIDENCE = re.compile(rf"({'|'.join(get_args(Evidence))})(?:[:;] (.+))?")
_ORDER = (
    "sklearn",
    "sklearn-retrieved",
    "sklearn-padded",
    "sklearn-ignore-ties",
    "pyserini",
    "pyserini-c",
    "pyserini-judged",
    "ranx",
    "ranx-burges",
)


@dataclass(frozen=True)
class AxisDeclaration:
    """What an evaluator is declared to do on one axis of one measure."""

    kind: Kind
    value: str | None
    """The value of the documented call; None where it is undocumented."""
    settable: Mapping[str, str]
    """Other values that the library can be told to take, and how; `an integer` and `a number` stand for all."""
    evidence: Evidence
    """What shows it; `replayed` where the adapter repeats the library's own step on the same data, `adapter` where
    our adapter decides it and not the library."""
    shown_by: str
    """The evidence in words; empty where there is no more to say."""
    recipe: str | None = None
    """What a caller can do to make the library give another value."""
    refuses: str | None = None
    """The input, or the library's own words, where it refuses instead of having a value."""

    def can_be(self, value: str) -> bool:
        """Whether the library can be told to take the canonical value."""
        if value in self.settable:
            return True
        whole = re.fullmatch(r"[+-]?\d+", value) is not None
        number = whole or re.fullmatch(r"[+-]?\d+(\.\d+)?(e[+-]?\d+)?", value) is not None
        return (ANY_INTEGER in self.settable and whole) or (ANY_NUMBER in self.settable and number)


@dataclass(frozen=True)
class MeasureDeclaration:
    """A measure that an evaluator has."""

    cutoff: Cutoff
    """Whether it takes a cutoff, must have one, or has none."""
    axes: Mapping[str, AxisDeclaration]
    """Every axis of the measure but `cutoff`."""


@dataclass(frozen=True)
class CatalogueEntry:
    """One evaluator of the catalogue."""

    id: str
    title: str
    package: str
    """The distribution whose version counts."""
    tested: tuple[str, ...]
    """The versions that the declarations were measured on."""
    homepage: str
    adapter: str
    """The stem of the adapter script: one process serves all ids of an adapter."""
    reads: Literal["files", "table"]
    """`files`: the library reads the user's own file; `table`: the adapter builds arrays from it."""
    called: str
    """A line that a user could type; names in braces stand for the measure."""
    prints_missing: bool
    """Whether it gives a row to a judged query that the run lacks."""
    arithmetic: Literal["float64", "float32"]
    options: Mapping[str, str | bool | list[str]]
    """What the adapter is told."""
    measures: Mapping[str, MeasureDeclaration]
    """Measure stem to what is declared of it."""
    notes: tuple[str, ...]
    """What its user should know and no axis says."""

    def unsupported(self, measure: Measure) -> Unsupported | None:
        """Why it does not have the measure, or not at this cutoff; None where it has it."""
        declared = self.measures.get(measure.stem)
        if declared is None:
            return Unsupported("measure", f"{self.id} has no {measure.stem}")
        if declared.cutoff == "required" and measure.cutoff is None:
            return Unsupported("cutoff", f"{self.id} has {measure.stem} at a cutoff only")
        if declared.cutoff == "none" and measure.cutoff is not None:
            return Unsupported("cutoff", f"{self.id} has {measure.stem} without a cutoff only")
        return None

    def settings(self, measure: Measure) -> dict[str, str]:
        """Axis to value: what the measure's own name says, the adapter can set, and the plain call does not do.

        Raises UsageError where the name holds a text that is no value of its axis.
        """
        declared = self.measures.get(measure.stem)
        if declared is None:
            return {}
        named = {axis: AXES[axis].parse(measure.changes[axis]) for axis in _NAMED if axis in measure.changes}
        return {
            axis: value
            for axis, value in named.items()
            if axis in declared.axes and value != declared.axes[axis].value and declared.axes[axis].can_be(value)
        }

    def profile(self, measure: Measure) -> MetricSpec | None:
        """The specification that it is declared to compute; None where `unsupported` says why not.

        Undocumented axes take the `trec_eval` preset's value: a guess that verification tests.
        """
        if self.unsupported(measure) is not None:
            return None
        values = {"cutoff": "none" if measure.cutoff is None else str(measure.cutoff)}
        for axis, declared in self.measures[measure.stem].axes.items():
            if declared.value is not None:
                values[axis] = declared.value
        return MetricSpec.of(measure.stem, {**values, **self.settings(measure)})


@cache
def catalogue() -> Mapping[str, CatalogueEntry]:
    """Evaluator id to its entry, the ids of a library together.

    Raises NdcgaugeError for a file that is not as this module says.
    """
    folder = files("ndcgauge.evaluators") / "catalogue"
    entries = [
        entry_from(file.name.removesuffix(".toml"), tomllib.loads(file.read_text(encoding="utf-8")))
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    return {entry.id: entry for entry in sorted(entries, key=_place)}


def _place(entry: CatalogueEntry) -> tuple[int, str]:
    return (_ORDER.index(entry.id) if entry.id in _ORDER else len(_ORDER), entry.id)


def entry_from(name: str, raw: Mapping[str, Any]) -> CatalogueEntry:
    """The entry that a catalogue file holds; `name`: its name without `.toml`, which is the id.

    Raises NdcgaugeError, naming the file and the place, for a field that is missing, unknown or of another
    type, an axis that is not declared, and a value that the axis does not have.
    """
    file = _Table(f"catalogue/{name}.toml", raw)
    shared = file.table("axes")
    measures = file.table("measures")
    options = file.table("options")
    entry = CatalogueEntry(
        id=file.choice("id", (name,)),
        title=file.text("title"),
        package=file.text("package"),
        tested=file.texts("tested"),
        homepage=file.text("homepage"),
        adapter=file.text("adapter"),
        reads=cast(Literal["files", "table"], file.choice("reads", ("files", "table"))),
        called=file.text("called"),
        prints_missing=file.flag("prints_missing"),
        arithmetic=cast(Literal["float64", "float32"], file.choice("arithmetic", ("float64", "float32"))),
        options=dict(options.raw),
        measures={stem: _measure(stem, measures.table(stem), shared) for stem in measures.keys_within(MEASURES)},
        notes=file.texts("notes"),
    )
    file.closed()
    used = {axis for each in entry.measures.values() for axis in each.axes}
    unused = [axis for axis in shared.keys_within(AXES) if axis not in used]
    if unused:
        raise shared.wrong(", ".join(unused), "is an axis of none of its measures")
    return entry


def _measure(stem: str, own: _Table, shared: _Table) -> MeasureDeclaration:
    cutoff = cast(Cutoff, own.choice("cutoff", get_args(Cutoff)))
    names = [axis.name for axis in axes_of(stem) if axis.name != "cutoff"]
    axes = {name: _axis(name, (own if name in own.raw else shared).table(name)) for name in names}
    own.closed()
    return MeasureDeclaration(cutoff, axes)


def _axis(name: str, table: _Table) -> AxisDeclaration:
    evidence = _EVIDENCE.fullmatch(table.text("evidence"))
    if evidence is None:
        raise table.wrong("evidence", f"does not start with one of {', '.join(get_args(Evidence))}")
    ways = table.table("settable") if "settable" in table.raw else _Table(table.where, {})
    settable = {
        value if value in (ANY_INTEGER, ANY_NUMBER) else ways.value_of(name, value): how
        for value in ways.raw
        if (how := ways.text(value))
    }
    kind: Kind
    if "undocumented" in table.raw:
        kind, fixed = "undocumented", None
        if not table.flag("undocumented") or "fixed" in table.raw:
            raise table.wrong("undocumented", "is true, and without fixed, or not there")
    else:
        kind, fixed = "settable" if settable else "fixed", table.value_of(name, table.text("fixed"))
    declaration = AxisDeclaration(
        kind=kind,
        value=fixed,
        settable=settable,
        evidence=cast(Evidence, evidence[1]),
        shown_by=evidence[2] or "",
        recipe=table.text("recipe") if "recipe" in table.raw else None,
        refuses=table.text("refuses") if "refuses" in table.raw else None,
    )
    table.closed()
    return declaration


class _Table:
    """A table of a catalogue file: typed access, and a memory of what was read, so that nothing else stays."""

    def __init__(self, where: str, raw: Mapping[str, Any]) -> None:
        self.where, self.raw = where, raw
        self.read: set[str] = set()

    def wrong(self, key: str, what: str) -> NdcgaugeError:
        return NdcgaugeError(f"{self.where}: {key} {what}")

    def _get(self, key: str, kind: type, name: str) -> Any:
        self.read.add(key)
        if key not in self.raw:
            raise self.wrong(key, "is missing")
        if not isinstance(self.raw[key], kind):
            raise self.wrong(key, f"is not {name}")
        return self.raw[key]

    def text(self, key: str) -> str:
        text: str = self._get(key, str, "a text")
        if not text:
            raise self.wrong(key, "is empty")
        return text

    def flag(self, key: str) -> bool:
        return bool(self._get(key, bool, "true or false"))

    def texts(self, key: str) -> tuple[str, ...]:
        found: list[Any] = self._get(key, list, "a list")
        if not all(isinstance(each, str) for each in found):
            raise self.wrong(key, "is not a list of texts")
        return tuple(found)

    def table(self, key: str) -> _Table:
        return _Table(f"{self.where}, {key}", self._get(key, dict, "a table"))

    def choice(self, key: str, among: tuple[str, ...]) -> str:
        text = self.text(key)
        if text not in among:
            raise self.wrong(key, f"is {text!r} and not one of {', '.join(among)}")
        return text

    def value_of(self, axis: str, text: str) -> str:
        try:
            return AXES[axis].parse(text)
        except UsageError as error:
            raise NdcgaugeError(f"{self.where}: {error.message}") from error

    def keys_within(self, known: Mapping[str, Any] | tuple[str, ...]) -> list[str]:
        unknown = sorted(set(self.raw) - set(known))
        if unknown:
            raise self.wrong(", ".join(unknown), f"is none of {', '.join(known)}")
        return list(self.raw)

    def closed(self) -> None:
        """Raises NdcgaugeError where the table holds more than was read."""
        unknown = sorted(set(self.raw) - self.read)
        if unknown:
            raise self.wrong(", ".join(unknown), "is no field of it")
