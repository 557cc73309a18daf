"""The names that a command takes where it wants a specification: presets and evaluators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ndcgauge.errors import UsageError
from ndcgauge.spec import PRESETS, Measure, MetricSpec, preset_spec

if TYPE_CHECKING:
    from ndcgauge.evaluators.profiles import CatalogueEntry

__all__ = ["baseline_spec", "catalogue", "is_evaluator"]


def catalogue() -> Mapping[str, CatalogueEntry]:
    """`profiles.catalogue`, imported when it is asked for: a command that names presets alone reads no TOML."""
    from ndcgauge.evaluators import profiles

    return profiles.catalogue()


def is_evaluator(name: str) -> bool:
    """Whether the name is the id of a catalogue evaluator."""
    return name not in PRESETS and name in catalogue()


def baseline_spec(name: str, measure: Measure) -> MetricSpec:
    """The specification of a measure under a preset, or the profile of an evaluator.

    Raises UsageError for an unknown name, and for an evaluator that does not have the measure.
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
        raise UsageError(f"{name} has no {measure.name}", fix=f"it has {', '.join(entry.measures)}")
    return profile
