"""Does an evaluator compute what its profile says; if not, what does it compute?

In the order of DESIGN §5.4: the same bytes again (`unstable`), canonical files (`reading`),
permuted lines and renamed documents (which tie rule), the lattice (`behaves as`), and otherwise
nothing: "unexplained" is an answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ndcgauge.data.collection import Collection
from ndcgauge.diff.probes import InputFiles, canonical, permuted, renamed
from ndcgauge.reference import Evaluation, ObservedOrder
from ndcgauge.search.nearest import Match, nearest
from ndcgauge.search.observation import Observation
from ndcgauge.spec import MetricSpec

Ask = Callable[[InputFiles], Observation | None]
"""Calls the evaluator on other files; None where it gives no value at all."""


@dataclass(frozen=True)
class Verification:
    """What one evaluator's values say about its profile."""

    profile: MetricSpec
    """The declared specification, with the accepted observed order in place of `observed`."""
    verified: bool
    behaves_as: MetricSpec | None
    """The specification that its values are: the profile where verified, the nearest one
    otherwise; None where no specification is."""
    alternatives: tuple[MetricSpec, ...] = ()
    """Other specifications at the same distance that are equal on this data."""
    reading: bool = False
    """Whether tidy files bring the profile's values: the difference is one of reading."""
    tidy: Observation | None = None
    """What it gave on the tidy files, where that is what the profile says."""
    unstable: bool = False
    """Whether the same bytes gave other values."""
    notes: tuple[str, ...] = ()
    largest: float = 0.0
    """Largest difference from the profile over the answered queries and the mean."""
    largest_ulp: float = 0.0
    """The same in units in the last place of the reference's value."""
    smallest_query: str | None = None
    """The query with the fewest documents on which it departs from its profile."""

    def noting(self, notes: tuple[str, ...]) -> Verification:
        """The same with more notes in front."""
        return replace(self, notes=(*notes, *self.notes))


@dataclass
class Verifier:
    """Verifies evaluators on one collection."""

    collection: Collection
    evaluation: Evaluation
    files: InputFiles
    folder: Path
    """A private folder for rewritten files."""
    orders: Mapping[str, ObservedOrder] = field(default_factory=dict[str, ObservedOrder])

    def verify(self, profile: MetricSpec, observation: Observation, ask: Ask | None) -> Verification:
        """Compares an evaluator's answer with its profile, and looks for the reason where they differ.

        `ask` calls the evaluator again on other files; None leaves the probes out.
        """
        values, counted, mean = self.evaluation.score(profile)
        if observation.matches(values, counted, mean):
            return self._verified(profile, observation)
        result = Verification(profile, False, None)
        result = self._with_distance(result, observation)
        if ask is not None:
            probed = self._probe(result, observation, ask)
            if probed.unstable or probed.reading:
                return probed
            result = probed
        match = nearest(self.collection, profile, observation, orders=self.orders)
        if match is not None:
            return self._behaving(result, match)
        return replace(result, notes=(*result.notes, "no specification of the lattice gives these values"))

    def verify_silent(self, profile: MetricSpec, ask: Ask) -> Verification:
        """Looks for the reason where an evaluator refused or crashed and answered nothing.

        An answer on tidy files, where there was none, is a difference of reading (DESIGN §5.4).
        """
        if ask(self.files) is not None:
            return Verification(profile, False, None, unstable=True, notes=("it answered at a second call",))
        if ask(canonical(self.files, self.folder / "canonical")) is not None:
            note = "it answers on tidy files with the same lines: it cannot read these files"
            return Verification(profile, False, None, reading=True, notes=(note,))
        return Verification(profile, False, None)

    def _verified(self, profile: MetricSpec, observation: Observation) -> Verification:
        return self._with_distance(Verification(profile, True, profile), observation)

    def _with_distance(self, result: Verification, observation: Observation) -> Verification:
        values, counted, mean = self.evaluation.score(result.profile)
        both = observation.answered & counted & ~np.isnan(values)
        gaps = np.abs(values[both] - observation.values[both])
        # Units in the last place of 0 mean nothing: such a gap is told as an absolute difference only.
        units = gaps[values[both] != 0] / np.spacing(np.abs(values[both][values[both] != 0]))
        largest, ulp = float(gaps.max(initial=0.0)), float(units.max(initial=0.0))
        if observation.mean is not None and not math.isnan(mean) and not math.isnan(observation.mean):
            gap = abs(mean - observation.mean)
            largest = max(largest, gap)
            ulp = max(ulp, gap / float(np.spacing(abs(mean)))) if mean != 0 else ulp
        wrong = np.flatnonzero(both)[gaps > observation.allowance]
        smallest = None
        if len(wrong):
            first_rows = next(iter(self.collection.rows.values()))
            ranked = next(iter(first_rows.rankings.values())).ranked
            smallest = self.collection.queries[int(wrong[np.argmin(ranked[wrong])])]
        return replace(result, largest=largest, largest_ulp=ulp, smallest_query=smallest)

    def _probe(self, result: Verification, observation: Observation, ask: Ask) -> Verification:
        again = ask(self.files)
        if again is not None and not _equal(again, observation):
            return replace(result, unstable=True, notes=("the same bytes gave other values at a second call",))
        values, counted, mean = self.evaluation.score(result.profile)
        attempts = (
            ("tidy files with the same lines", canonical(self.files, self.folder / "canonical")),
            ("plain document ids in the same order", renamed(self.files, self.folder / "renamed", reverse=False)),
        )
        for what, files in attempts:
            tidy = ask(files)
            if tidy is not None and tidy.matches(values, counted, mean):
                note = f"{what} bring the profile's values: it reads these files differently"
                return replace(result, reading=True, tidy=tidy, behaves_as=result.profile, notes=(note,))
        return replace(result, notes=(*result.notes, *self._tie_notes(observation, ask)))

    def _tie_notes(self, observation: Observation, ask: Ask) -> tuple[str, ...]:
        """What other line orders and other ids change tells which tie rule an evaluator has."""
        notes: list[str] = []
        other_lines = ask(permuted(self.files, self.folder / "permuted"))
        if other_lines is not None and not _equal(other_lines, observation):
            notes.append("another order of the run's lines changes its values")
        other_ids = ask(renamed(self.files, self.folder / "reversed", reverse=True))
        if other_ids is not None and not _equal(other_ids, observation):
            notes.append("reversing the order of the document ids changes its values")
        return tuple(notes)

    def _behaving(self, result: Verification, match: Match) -> Verification:
        chosen = min(match.specs, key=lambda spec: _preference(result.profile, spec))
        others = tuple(spec for spec in match.specs if spec != chosen)
        note = "" if not others else f"; {len(others)} other specifications at that distance are equal here"
        axes = ", ".join(f"{axis}={new}" for axis, (_, new) in result.profile.diff(chosen).items())
        return replace(
            result,
            behaves_as=chosen,
            alternatives=others,
            notes=(*result.notes, f"behaves as {axes}, not as declared{note}"),
        )


def _equal(one: Observation, other: Observation) -> bool:
    same = np.array_equal(one.values, other.values, equal_nan=True) and one.undefined == other.undefined
    nan = one.mean is not None and other.mean is not None and math.isnan(one.mean) and math.isnan(other.mean)
    return same and (nan or one.mean == other.mean)


_PREFERRED = ("gain", "discount", "ties", "unjudged", "order", "score_precision")
"""Among specifications that are equal on the data, the axes that evaluators differ in most often."""


def _preference(profile: MetricSpec, spec: MetricSpec) -> tuple[int, tuple[int, ...]]:
    changed = profile.diff(spec)
    ranks = sorted(_PREFERRED.index(axis) if axis in _PREFERRED else len(_PREFERRED) for axis in changed)
    return sum(ranks), tuple(ranks)
