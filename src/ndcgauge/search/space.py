"""The lattice as it acts on one collection: axes that can change something, and values that have none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ndcgauge.data.collection import Collection
from ndcgauge.search.anchors import Anchor
from ndcgauge.search.domains import domains
from ndcgauge.search.points import Space, count
from ndcgauge.search.reduction import reduced_domains


@dataclass(frozen=True)
class ActingSpace:
    """The axes of a lattice in which values that cannot differ on the collection are one."""

    space: Space
    digit: Mapping[str, Mapping[str, int]]
    """Axis to value to the index of what stands for it in `space`."""
    without_value: Mapping[str, frozenset[int]]
    """Axis to the indices of values under which this collection has no value (a refused duplicate, a gain table
    that lacks a grade)."""

    def centre(self, anchor: Anchor) -> dict[str, int]:
        """Where an anchor stands."""
        return {axis: digits[anchor.spec[axis]] for axis, digits in self.digit.items()}


def _refused(collection: Collection, axis: str, value: str) -> bool:
    if axis == "run_duplicates":
        return value not in collection.rows
    if axis == "qrels_duplicates":
        return value not in collection.judged.grades
    return axis == "gain" and ":" in value


def acting_space(collection: Collection, measure: str, cutoff: int | None, anchors: Sequence[Anchor]) -> ActingSpace:
    """The axes of the lattice that can act on a collection, for a measure at a cutoff."""
    kept = reduced_domains(collection, measure)
    if cutoff is None:
        # Nothing to keep N documents for, and nothing that an ideal cut at k could differ in.
        kept["depth"] = kept["depth"][:1]
        if "ideal_cutoff" in kept:
            kept["ideal_cutoff"] = tuple(each for each in kept["ideal_cutoff"] if each != "none")
    values: dict[str, tuple[str, ...]] = {}
    digit: dict[str, dict[str, int]] = {}
    dead: dict[str, frozenset[int]] = {}
    for axis, full in domains(measure).items():
        acting = list(kept[axis])
        others = [each for each in dict.fromkeys(anchor.spec[axis] for anchor in anchors) if each not in full]
        acting += others
        refused = [each for each in full if each not in acting and _refused(collection, axis, each)]
        dead[axis] = frozenset(range(len(acting), len(acting) + len(refused)))
        if axis in ("run_duplicates", "qrels_duplicates") and acting[0] == "error":
            dead[axis] = frozenset()
        acting += refused
        digit[axis] = {each: acting.index(each) if each in acting else 0 for each in (*full, *others)}
        values[axis] = tuple(acting)
    active = {axis: each for axis, each in values.items() if len(each) > 1}
    space = Space(tuple(active), tuple(active.values()))
    return ActingSpace(space, digit, {axis: each for axis, each in dead.items() if each})


def full_count(measure: str, anchors: Sequence[Anchor]) -> int:
    """How many distinct specifications the lattice has, whatever the data."""
    values = {
        axis: tuple(dict.fromkeys((*full, *(anchor.spec[axis] for anchor in anchors))))
        for axis, full in domains(measure).items()
    }
    space = Space(tuple(values), tuple(values.values()))
    centres = [({axis: values[axis].index(anchor.spec[axis]) for axis in values}, anchor.axes) for anchor in anchors]
    return count(space, centres)
