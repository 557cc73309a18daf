"""The specifications that a search starts from: presets of the literature and profiles of known evaluators."""

from __future__ import annotations

from dataclasses import dataclass

from ndcgauge.evaluators.names import catalogue
from ndcgauge.spec import PRESETS, Measure, MetricSpec, preset_spec

PRESET_AXES = 4
"""Axes that the lattice changes of a preset (DESIGN §1)."""
PROFILE_AXES = 2
"""Axes that it changes of an evaluator's profile."""


@dataclass(frozen=True)
class Anchor:
    """A specification that somebody really computes."""

    name: str
    """Preset, evaluator, or `stated` for what a source says of itself."""
    spec: MetricSpec
    axes: int
    """How many axes of it the lattice changes at once."""
    evaluator: bool
    """Whether it is the profile of a catalogue evaluator."""
    shown_order: bool = False
    """Whether the evaluator's ties fall to an order that only a call of it shows (`ties=observed`); the order of
    lines stands in, and the specification is the evaluator's own only where ties make no difference."""


def anchors(measure: Measure, stated: MetricSpec | None = None) -> tuple[Anchor, ...]:
    """Presets, then profiles of the evaluators that have the measure, then the stated specification.

    `rounding` is printing and no player: it is `none` in every anchor. The stated specification is
    an anchor as well, so that a source that states much is searched around what it states.
    """
    found: dict[MetricSpec, Anchor] = {}
    for name in PRESETS:
        spec = preset_spec(name, measure.stem, measure.cutoff)
        found.setdefault(spec, Anchor(name, spec, PRESET_AXES, evaluator=False))
    listed = list(found.values())
    for entry in catalogue().values():
        profile = entry.profile(measure)
        if profile is None:
            continue
        observed = profile["ties"].startswith("observed")
        plain = profile.replace(rounding="none", **({"ties": "line"} if observed else {}))
        listed.append(Anchor(entry.id, plain, PROFILE_AXES, evaluator=True, shown_order=observed))
    if stated is not None:
        listed.append(Anchor("stated", stated.replace(rounding="none"), PROFILE_AXES, evaluator=False))
    return tuple(listed)
