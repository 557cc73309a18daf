"""One evaluator checked: its fingerprint, case by case what it gave, and what of it the ledger knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Crashed, Outcome, Refused, Unsupported, Value
from ndcgauge.spec import MEASURES
from ndcgauge.suite.batching import Batch
from ndcgauge.suite.expecting import TOLERANCE
from ndcgauge.suite.fingerprint import AxisFinding, Declared, MeasureFingerprint, Standing, fingerprint
from ndcgauge.suite.ledger import Ledger
from ndcgauge.suite.model import Case
from ndcgauge.suite.trials import Given, Trial
from ndcgauge.suite.witnesses import References, Witness, shared_witnesses, witness_of


@dataclass(frozen=True)
class CaseOutcome:
    """What an evaluator gave for a case."""

    outcome: Outcome
    matches: bool
    """Whether it is what its declared specification gives."""
    note: str | None = None


@dataclass(frozen=True)
class Checked:
    """Everything that the suite says about one evaluator."""

    fingerprints: Mapping[str, MeasureFingerprint]
    """By stem of the measure."""
    cases: Mapping[str, CaseOutcome]
    ledger: Ledger

    @property
    def differing(self) -> tuple[str, ...]:
        """The cases on which it does not do what it is declared to."""
        return tuple(case for case, each in self.cases.items() if not each.matches)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Those of them that the ledger does not know."""
        return tuple(case for case in self.differing if case not in self.ledger)

    @property
    def stale(self) -> tuple[str, ...]:
        """The cases that the ledger says differ, and that do not."""
        return tuple(self.ledger.stale(self.differing, self.cases.keys()))

    def excused(self, finding: AxisFinding) -> bool:
        """Whether a finding is as declared, or differs on cases only that the ledger knows."""
        if finding.standing is not Standing.DIFFERENT:
            return True
        return bool(finding.against) and all(case in self.ledger for case in finding.against)

    @property
    def conforms(self) -> bool:
        """Whether fingerprints and cases are as declared, beyond the ledger, and the ledger as the evaluator is."""
        findings = (each for found in self.fingerprints.values() for each in found.findings.values())
        return not self.unknown and not self.stale and all(map(self.excused, findings))

    @property
    def fingerprint(self) -> dict[str, AxisFinding]:
        """One finding for each axis: that of the first measure that shows it, where all say the same.

        Measures whose declared value is another stand for themselves. Where two of one declaration were
        measured differently, the axis is mixed.
        """
        found: dict[str, AxisFinding] = {}
        for stem in MEASURES:
            of_measure = self.fingerprints.get(stem)
            for axis, finding in {} if of_measure is None else of_measure.findings.items():
                known = found.get(axis)
                if known is None or (known.standing is Standing.UNKNOWN and finding.standing is not Standing.UNKNOWN):
                    found[axis] = finding
        return {axis: self._with_others(axis, finding) for axis, finding in found.items()}

    def _with_others(self, axis: str, first: AxisFinding) -> AxisFinding:
        others = [
            each.findings[axis]
            for each in self.fingerprints.values()
            if axis in each.findings
            and each.findings[axis].declared == first.declared
            and each.findings[axis].standing is not Standing.UNKNOWN
        ]
        return first if first.standing is Standing.UNKNOWN else joined(first, others)


def joined(first: AxisFinding, others: Sequence[AxisFinding]) -> AxisFinding:
    """The finding of several measures of one declaration."""
    cases = tuple(dict.fromkeys(case for each in others for case in each.cases))
    against = tuple(dict.fromkeys(case for each in others for case in each.against))
    common = set.intersection(*({each.measured, *each.equal} for each in others))
    if first.measured in common:
        equal = tuple(each for each in first.equal if each in common)
        return AxisFinding(
            first.axis, first.declared, first.measured, cases, equal, first.values, against, first.reason
        )
    if common:
        measured = first.declared if first.declared in common else sorted(common)[0]
        assert measured is not None
        return AxisFinding(
            first.axis, first.declared, measured, cases, tuple(sorted(common - {measured})), None, against
        )
    values: dict[str, tuple[str, ...]] = {}
    for each in others:
        for value, names in (each.values or {each.measured: each.cases}).items():
            values[value] = tuple(dict.fromkeys((*values.get(value, ()), *names)))
    reason = "; ".join(f"{value} in {', '.join(names)}" for value, names in values.items())
    return AxisFinding(first.axis, first.declared, "mixed", cases, (), values, against, reason)


def checked(
    declared: Mapping[str, Declared],
    given: Mapping[Trial, Given],
    whole: Sequence[tuple[Batch, Answer]],
    references: References,
    ledger: Ledger,
    tolerance: float = TOLERANCE,
) -> Checked:
    """What the suite says about an evaluator.

    `declared`: by stem of the measure; `given`: what it gave in every trial; `whole`: its answers on files
    that cases share.
    """
    fingerprints: dict[str, MeasureFingerprint] = {}
    cases: dict[str, CaseOutcome] = {}
    of_parts = references.of_parts(given)
    for stem in MEASURES:
        of_measure = {trial: each for trial, each in given.items() if trial.measure.stem == stem}
        if not of_measure:
            continue
        claim = declared.get(stem)
        called = {trial: each for trial, each in of_measure.items() if each.called}
        if claim is None or not called:
            cases |= {trial.case.id: _not_called(each) for trial, each in of_measure.items()}
            continue
        shared = shared_witnesses(stem, whole, references, tolerance)
        together = {case for each in shared for case in each.cases}
        single = {
            trial: witness_of(trial, each, of_parts[trial], tolerance)
            for trial, each in called.items()
            if each.mean is not None or trial.case.id not in together
        }
        fingerprints[stem] = fingerprint(stem, claim, [*single.values(), *shared])
        for trial, each in of_measure.items():
            outcome = _outcome(trial, each, single.get(trial), shared, claim)
            earlier = cases.get(trial.case.id)
            # A case that is asked at several cutoffs shows its own, and matches where all do.
            cases[trial.case.id] = outcome if earlier is None else _both(earlier, outcome)
    return Checked(fingerprints, cases, ledger)


def _not_called(given: Given) -> CaseOutcome:
    failure = given.failure
    return CaseOutcome(given.outcome, failure is None and isinstance(given.outcome, Unsupported))


def _both(one: CaseOutcome, other: CaseOutcome) -> CaseOutcome:
    return CaseOutcome(one.outcome, one.matches and other.matches, one.note)


def _outcome(
    trial: Trial, given: Given, witness: Witness | None, shared: Sequence[Witness], claim: Declared
) -> CaseOutcome:
    case: Case = trial.case
    if not given.called:
        return CaseOutcome(given.outcome, isinstance(given.outcome, Unsupported))
    if witness is None:
        own = [each for each in shared if case.id in each.cases]
        agrees = all(each.agrees(claim.profile) for each in own)
        mean = next((each.given.mean for each in own if isinstance(each.given.mean, Value)), None)
        note = f"it gives one mean for the {len(own[0].cases)} cases that shared a file"
        assert mean is not None
        return CaseOutcome(mean, agrees, note)
    matches = witness.agrees(claim.profile)
    if (
        not matches
        and isinstance(given.refusal, (Refused, Crashed))
        and not claim.refuses.isdisjoint(case.written.axes)
    ):
        return CaseOutcome(given.outcome, True, "refused, as the catalogue says of this axis")
    return CaseOutcome(given.outcome, matches, None if matches else witness.difference(claim.profile))
