"""The audit of one claim: inverse search, mistakes, envelope, chance, verdict (DESIGN §8)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ndcgauge.audit.chance import chance, share_near
from ndcgauge.audit.claim import Claim
from ndcgauge.audit.evaluators_named import naming, refusal
from ndcgauge.audit.finding import Candidate, Finding, Verdict
from ndcgauge.audit.hypotheses import UNBOUNDED, Attempt, attempts, attempts_at, readable
from ndcgauge.audit.matching import Matching, candidates, determined_and_free, match
from ndcgauge.audit.material import Material
from ndcgauge.audit.possible import claim_is_possible, tie_envelope
from ndcgauge.audit.printed import Printed
from ndcgauge.audit.questions import needed_axes, questions, separators
from ndcgauge.audit.trec_inquiry import inquire_trec
from ndcgauge.data.collection import Ints
from ndcgauge.search.anchors import Anchor, anchors
from ndcgauge.search.lattice import Lattice, evaluate_lattice
from ndcgauge.spec import Measure, MetricSpec

ACCIDENT = 0.05
"""The share of numbers near the truth that candidates of a distance give, from which on a named mistake is likelier."""
NEAR = 0.02
"""How far about the truth that share is taken, at least."""


@dataclass
class Inquirer:
    """Audits claims on one material; lattices are kept for claims that share them."""

    material: Material
    _lattices: dict[MetricSpec, Lattice] = field(default_factory=dict[MetricSpec, Lattice])
    _attempts: dict[MetricSpec, list[Attempt]] = field(default_factory=dict[MetricSpec, "list[Attempt]"])

    def lattice(self, claim: Claim) -> tuple[Lattice, Anchor]:
        """The lattice about presets, evaluators and the stated specification; the anchor of the last."""
        spec = claim.spec
        found = self._lattices.get(spec)
        if found is None:
            listed = anchors(Measure(claim.measure.stem, claim.measure.cutoff), spec)
            found = self._lattices[spec] = evaluate_lattice(self.material.collection, spec, listed)
        return found, found.anchors[-1]

    def inquire(self, claim: Claim) -> Finding:
        """Everything about a claim but what the evaluator that it names says."""
        if claim.trec_name is not None:
            return inquire_trec(self.material, claim)
        lattice, stated = self.lattice(claim)
        spec, printed = claim.spec, claim.printed
        value, refused = refusal(self.material.evaluation, spec)
        truth = value if value is not None and math.isfinite(value) else None
        bounded = spec.measure not in UNBOUNDED
        matching = match(lattice, printed)
        tried = self._tried(spec, truth, printed)
        fitting = [each for each in tried if printed.rounding(each.value) is not None]
        near = self._near(matching, printed, truth, bounded)
        verdict = self._verdict(matching, printed, value, fitting, near, spec, lattice)
        kinds = self._kinds(verdict, matching, lattice, value)
        told = candidates(matching, kinds, stated)
        if verdict is Verdict.REPRODUCED and not any(each.spec == spec for each in told):
            told.insert(0, _as_stated(spec, value, printed))
        hypothesis = fitting[0] if verdict is Verdict.MISTAKE else None
        needed = needed_axes(lattice, lattice.code_of(told[0].spec), printed, list(claim.said)) if told else []
        determined, free = determined_and_free(lattice, kinds, spec)
        values = lattice.means
        if verdict is Verdict.MISTAKE:
            values = np.concatenate((values, np.array([each.value for each in tried])))
        return Finding(
            claim=claim,
            run=self.material.run,
            verdict=verdict,
            spec=spec,
            value=truth,
            refusal=refused,
            candidates=tuple(told),
            classes=lattice.classes,
            searched=lattice.searched,
            matching_classes=len(matching.kinds),
            matching_specifications=matching.points,
            determined=determined,
            free=free,
            evaluators=naming(self.material.collection, self.material.evaluation, lattice.anchors, printed),
            hypothesis=hypothesis,
            other_hypotheses=tuple(fitting[1:] if verdict is Verdict.MISTAKE else fitting),
            envelope=tie_envelope(self.material.collection, spec),
            closest=_closest(lattice, stated, printed, truth),
            chance=chance(values, printed, truth, bounded=bounded),
            chance_near=near,
            ask=tuple(questions(verdict, told, needed, hypothesis, spec)),
            separators=tuple(separators(self.material, told) if verdict is Verdict.AMBIGUOUS else ()),
            notes=tuple(self._notes(told, lattice)),
        )

    def _notes(self, told: list[Candidate], lattice: Lattice) -> list[str]:
        notes = []
        if told and told[0].rounding != "half-even and half-up":
            notes.append(f"the value stands on a half: {told[0].rounding} rounding alone gives the number")
        if lattice.unknown:
            notes.append(
                f"{lattice.unknown:,} points of the lattice have values that were not searched: a cut tie has too many "
                "ways to survive"
            )
        return notes

    def _tried(self, spec: MetricSpec, truth: float | None, printed: Printed) -> list[Attempt]:
        """Every mistake on top of the stated specification; where it refuses the files, the first line counts."""
        if spec not in self._attempts:
            self._attempts[spec] = list(attempts(self.material, readable(spec, self.material.collection)))
        return [*self._attempts[spec], *(() if truth is None else attempts_at(truth, spec, printed))]

    def _near(self, matching: Matching, printed: Printed, truth: float | None, bounded: bool) -> float:
        lattice = matching.lattice
        least = matching.least
        means = lattice.means if least is None else lattice.means[lattice.nearest <= least]
        return share_near(means, printed, truth, reach=NEAR, bounded=bounded)

    def _verdict(
        self,
        matching: Matching,
        printed: Printed,
        value: float | None,
        fitting: list[Attempt],
        near: float,
        spec: MetricSpec,
        lattice: Lattice,
    ) -> Verdict:
        """The first that holds; a mistake comes before candidates that are likely to be accidents."""
        if value is not None and printed.rounding(value) is not None:
            return Verdict.REPRODUCED
        likely = matching.least == 0 or near <= ACCIDENT
        if len(matching.kinds) and (likely or not fitting):
            return Verdict.OTHERWISE if len(matching.nearest) == 1 else Verdict.AMBIGUOUS
        if fitting:
            return Verdict.MISTAKE
        if not claim_is_possible(self.material.collection, lattice, spec, printed):
            return Verdict.IMPOSSIBLE
        return Verdict.NOT

    def _kinds(self, verdict: Verdict, matching: Matching, lattice: Lattice, value: float | None) -> Ints:
        """The classes that a finding speaks of: the stated specification's own, or the nearest that match."""
        if verdict is Verdict.REPRODUCED and value is not None:
            same = np.flatnonzero(np.abs(lattice.means[matching.kinds] - value) < 1e-10)
            own = lattice.codes == lattice.acting.space.code(lattice.acting.centre(lattice.anchors[-1]))
            if own.any():
                return lattice.kind[own]
            return matching.kinds[same]
        return matching.nearest if len(matching.kinds) else matching.kinds


def _as_stated(spec: MetricSpec, value: float | None, printed: Printed) -> Candidate:
    assert value is not None
    return Candidate(spec, value, 0, ("stated",), {}, printed.rounding(value) or "", 0)


def _closest(
    lattice: Lattice, stated: Anchor, printed: Printed, truth: float | None
) -> tuple[float | None, MetricSpec]:
    """The value that comes closest to the claim, and its specification: the stated one where none comes closer."""
    with np.errstate(invalid="ignore"):
        away = np.abs(lattice.means - printed.number)
    if not np.isfinite(away).any():
        return truth, stated.spec
    # What differs by less than a tenth of the last printed decimal is equally close: then fewer axes decide.
    step = printed.step / 10
    away = np.floor(away / step + 0.5) * step
    best = float(np.nanmin(away)) + step / 2
    if truth is not None and abs(truth - printed.number) <= best:
        return truth, stated.spec
    tied = np.flatnonzero(away <= best)
    kind = int(tied[np.argmin(lattice.nearest[tied])])
    members = np.flatnonzero((lattice.kind == kind) & (lattice.distance == lattice.nearest[kind]))
    codes = lattice.codes[members]
    code = int(codes[np.argmin(lattice.anchor_distance(codes, stated))])
    return float(lattice.means[kind]), lattice.spec(code, stated)
