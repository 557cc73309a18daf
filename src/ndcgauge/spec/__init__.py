"""What is asked: axes, specifications, names of measures, presets of the literature."""

from ndcgauge.spec.axes import AXES, FOUR_FAMILIES, MEASURES, Axis, Family, axes_of, axis
from ndcgauge.spec.measure_names import Measure, parse_measure
from ndcgauge.spec.metric import MetricSpec
from ndcgauge.spec.presets import PRESETS, Preset, preset_spec

__all__ = [
    "AXES",
    "FOUR_FAMILIES",
    "MEASURES",
    "PRESETS",
    "Axis",
    "Family",
    "Measure",
    "MetricSpec",
    "Preset",
    "axes_of",
    "axis",
    "parse_measure",
    "preset_spec",
]
