"""Specifications of literature and standards, with their sources."""

from __future__ import annotations

from dataclasses import dataclass

from ndcgauge.errors import UsageError
from ndcgauge.spec.axes import AXES, GRADED_MEASURES
from ndcgauge.spec.metric import MetricSpec


@dataclass(frozen=True)
class Preset:
    """A named set of axis values that a source fixes."""

    name: str
    changes: tuple[tuple[str, str], ...]
    """The axes that differ from the `trec_eval` preset."""
    title: str
    source: str
    """Where it is defined: paper with section, or program with version."""
    bibtex_key: str


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "trec_eval",
            (),
            "trec_eval 10: linear gain, 1/log2(i+1), score order, ties by document id descending",
            "NIST trec_eval 10.0, m_ndcg_cut.c and form_res_rels.c",
            "trec_eval",
        ),
        Preset(
            "jarvelin2002",
            (("discount", "jk:2"),),
            "the original cumulated gain: no discount below the log base, linear gain",
            "Järvelin & Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002, §2.2",
            "jarvelin2002cumulated",
        ),
        Preset(
            "burges2005",
            (("gain", "exponential"),),
            "exponential gain with 1/log2(i+1)",
            "Burges et al., Learning to rank using gradient descent, ICML 2005, §6",
            "burges2005learning",
        ),
    )
}


def preset_spec(name: str, measure: str, cutoff: int | None) -> MetricSpec:
    """The preset as a specification of a measure; axes that the measure lacks fall away.

    Raises UsageError if there is no such preset.
    """
    preset = PRESETS.get(name)
    if preset is None:
        raise UsageError(f"there is no preset {name!r}", fix=f"one of {', '.join(PRESETS)}")
    base = MetricSpec.of(measure, {"cutoff": "none" if cutoff is None else str(cutoff)})
    changes = {axis: value for axis, value in preset.changes if measure in AXES[axis].measures}
    return base.replace(**changes) if changes and measure in GRADED_MEASURES else base
