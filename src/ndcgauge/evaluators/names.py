"""The names that a command takes where it wants a specification: presets and evaluators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ndcgauge.errors import UsageError
from ndcgauge.spec import PRESETS, Measure, MetricSpec, preset_spec

if TYPE_CHECKING:
    from ndcgauge.evaluators.profiles import CatalogueEntry

__all__ = ["baseline_spec", "catalogue", "is_evaluator", "undocumented"]


def catalogue() -> Mapping[str, CatalogueEntry]:
    """`profiles.catalogue`, imported when it is asked for: a command that names presets alone reads no TOML."""
    from ndcgauge.evaluators import profiles

    return profiles.catalogue()


def is_evaluator(name: str) -> bool:
    """Whether the name is the id of a catalogue evaluator."""
    return name not in PRESETS and name in catalogue()


def baseline_spec(name: str, measure: Measure) -> MetricSpec:
    """The specification of a measure under a preset, or the profile of an evaluator.

    Raises UsageError for an unknown name, and for an evaluator that does not have the measure at its cutoff.
    """
    if name in PRESETS:
        return preset_spec(name, measure.stem, measure.cutoff)
    entry = catalogue().get(name)
    if entry is None:
        raise UsageError(
            f"there is no preset or evaluator {name!r}", fix=f"one of {', '.join((*PRESETS, *catalogue()))}"
        )
    profile = entry.profile(measure)
    if profile is None:
        lacks = entry.unsupported(measure)
        said = f"{name} has no {measure.name}" if lacks is None else lacks.message
        raise UsageError(said, fix=f"it has {', '.join(entry.measures)}")
    return profile


def undocumented(name: str, measure: Measure) -> list[str]:
    """What the catalogue says of the axes on which an evaluator has no value that the axis could state.

    A line an axis; none for a program of the user's, and for a measure that the evaluator lacks.
    """
    declared = catalogue()[name].measures.get(measure.stem) if is_evaluator(name) else None
    return [
        f"the catalogue has no value of {axis} for it ({each.shown_by})"
        for axis, each in ({} if declared is None else declared.axes).items()
        if each.kind == "undocumented" and each.refuses is None
    ]
