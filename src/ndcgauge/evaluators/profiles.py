"""The catalogue: what each evaluator is, how it is called, and what it is declared to compute.

One TOML file an evaluator in `catalogue/`. A declaration is a claim; `compare` and `check`
verify it on every input.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from ndcgauge.errors import NdcgaugeError
from ndcgauge.spec import AXES, MEASURES, Measure, MetricSpec, axes_of

Evidence = Literal["documentation", "source", "measured"]
_KEYS = frozenset(
    {
        "id",
        "title",
        "package",
        "tested",
        "homepage",
        "adapter",
        "reads",
        "called",
        "prints_missing",
        "arithmetic",
        "options",
        "measures",
        "axes",
        "notes",
    }
)
_DECLARED = frozenset({"fixed", "settable", "undocumented", "evidence", "recipe"})
_EVIDENCE = ("documentation", "source", "measured")


@dataclass(frozen=True)
class Declaration:
    """What an evaluator is declared to do on one axis."""

    kind: Literal["fixed", "settable", "undocumented"]
    value: str | None
    """The value of the documented call; None where it is undocumented."""
    settable: Mapping[str, str]
    """Other values, and how to get them."""
    evidence: str
    """`documentation`, `source` or `measured`, then in words what shows it."""
    recipe: str | None
    """How to make the library give another value, where that helps."""


@dataclass(frozen=True)
class CatalogueEntry:
    """One evaluator of the catalogue."""

    id: str
    title: str
    package: str
    """The distribution whose version counts."""
    tested: tuple[str, ...]
    homepage: str
    adapter: str
    """The stem of the adapter script: one process serves all ids of an adapter."""
    reads: Literal["files", "table"]
    called: str
    """A line that a user could type; {measure}, {trec_measure} and {cutoff} stand for the measure."""
    prints_missing: bool
    """Whether it gives a row to a judged query that the run lacks."""
    arithmetic: Literal["float64", "float32"]
    options: Mapping[str, Any]
    measures: tuple[str, ...]
    declarations: Mapping[tuple[str, str], Declaration]
    """(measure, axis) to what is declared."""
    notes: tuple[str, ...]

    def profile(self, measure: Measure) -> MetricSpec | None:
        """The specification that it is declared to compute; None where it does not have the measure.

        Undocumented axes take the `trec_eval` preset's value: a guess that verification tests.
        """
        if measure.stem not in self.measures:
            return None
        values = {"cutoff": "none" if measure.cutoff is None else str(measure.cutoff)}
        for axis in axes_of(measure.stem):
            declared = self.declarations.get((measure.stem, axis.name))
            if declared is not None and declared.value is not None:
                values[axis.name] = declared.value
        return MetricSpec.of(measure.stem, values)


def _declaration(name: str, axis: str, entry: Any) -> Declaration:
    where = f"catalogue/{name}.toml, axis {axis}"
    if not isinstance(entry, dict) or not _DECLARED.issuperset(entry):
        raise NdcgaugeError(f"{where}: {entry!r} is not a declaration of {', '.join(sorted(_DECLARED))}")
    evidence = entry.get("evidence")
    if not isinstance(evidence, str) or evidence.split(":")[0] not in _EVIDENCE:
        raise NdcgaugeError(f"{where}: the evidence starts with one of {', '.join(_EVIDENCE)}")
    recipe, settable = entry.get("recipe"), dict(entry.get("settable", {}))
    known = AXES[axis]
    for value in settable:
        known.parse(value)
    if "fixed" in entry:
        kind: Literal["fixed", "settable"] = "settable" if settable else "fixed"
        return Declaration(kind, known.parse(str(entry["fixed"])), settable, evidence, recipe)
    if entry.get("undocumented") is not True:
        raise NdcgaugeError(f"{where}: neither fixed nor undocumented = true")
    return Declaration("undocumented", None, settable, evidence, recipe)


def _entry(name: str, raw: dict[str, Any]) -> CatalogueEntry:
    unknown = set(raw) - _KEYS
    if unknown or raw.get("id") != name:
        raise NdcgaugeError(f"catalogue/{name}.toml: unknown keys {sorted(unknown)}, or an id that is not its name")
    shared: dict[str, Any] = raw["axes"]
    declarations: dict[tuple[str, str], Declaration] = {}
    for measure, own in raw["measures"].items():
        if measure not in MEASURES:
            raise NdcgaugeError(f"catalogue/{name}.toml: there is no measure {measure}")
        for axis in axes_of(measure):
            if axis.name == "cutoff":
                continue
            declared = own.get(axis.name, shared.get(axis.name))
            if declared is None:
                raise NdcgaugeError(f"catalogue/{name}.toml: {measure} says nothing of the axis {axis.name}")
            declarations[measure, axis.name] = _declaration(name, axis.name, declared)
    return CatalogueEntry(
        id=name,
        title=raw["title"],
        package=raw["package"],
        tested=tuple(raw["tested"]),
        homepage=raw["homepage"],
        adapter=raw["adapter"],
        reads=raw["reads"],
        called=raw["called"],
        prints_missing=raw["prints_missing"],
        arithmetic=raw["arithmetic"],
        options=raw.get("options", {}),
        measures=tuple(raw["measures"]),
        declarations=declarations,
        notes=tuple(raw.get("notes", ())),
    )


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


@cache
def catalogue() -> Mapping[str, CatalogueEntry]:
    """Evaluator id to its entry, libraries together.

    Raises NdcgaugeError for a file that is not as this module says.
    """
    folder = files("ndcgauge.evaluators") / "catalogue"
    entries: dict[str, CatalogueEntry] = {}
    for file in folder.iterdir():
        if file.name.endswith(".toml"):
            name = file.name.removesuffix(".toml")
            entries[name] = _entry(name, tomllib.loads(file.read_text(encoding="utf-8")))
    ranked = sorted(entries, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    return {name: entries[name] for name in ranked}
