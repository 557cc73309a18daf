"""Witnesses: what an evaluator gave, beside what any specification expects there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ndcgauge.data.collection import Needs
from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Missing, Value
from ndcgauge.spec import MetricSpec
from ndcgauge.suite.batching import Batch
from ndcgauge.suite.expecting import TOLERANCE, PairReference, agrees, case_reference, difference
from ndcgauge.suite.lint import READING
from ndcgauge.suite.model import Case
from ndcgauge.suite.sharing import PartReference, orders_on
from ndcgauge.suite.trials import Given, Trial


@dataclass(frozen=True, eq=False)
class Witness:
    """One answer that says something about an evaluator's specification."""

    cases: tuple[str, ...]
    """The case; or the cases that shared a file, where the answer is one mean of all."""
    axes: Mapping[str, tuple[str, ...]]
    """The axes that it tells apart, with the values that are tried."""
    contexts: tuple[Mapping[str, str], ...]
    """Whole sets of axis values that the case expects something of: some values show only beside others."""
    cutoff: str
    given: Given
    reference: PairReference | PartReference
    about_reading: bool = False
    tolerance: float = TOLERANCE
    _known: dict[tuple[tuple[str, str], ...], bool] = field(default_factory=dict, repr=False)

    def agrees(self, spec: MetricSpec) -> bool:
        """Whether the answer is what the specification gives, at the cutoff that was asked for."""
        at = spec.with_axes({"cutoff": self.cutoff})
        if at.values not in self._known:
            expecting = self.reference.expecting(at, self.given.docs)
            self._known[at.values] = agrees(expecting, self.given, at, self.reference.retrieved, self.tolerance)
        return self._known[at.values]

    def at(self, cutoff: str) -> Witness:
        """The same answer, taken to be one at another cutoff."""
        return replace(self, cutoff=cutoff, _known={})

    def difference(self, spec: MetricSpec) -> str:
        """What the answer has other than the specification gives, in one line."""
        at = spec.with_axes({"cutoff": self.cutoff})
        return difference(self.reference.expecting(at, self.given.docs), self.given, at, self.tolerance)


@dataclass
class References:
    """The references of cases and of shared files, each made once for all evaluators."""

    needs: Needs
    """What every case of the suite sets: any of it may turn out to be an evaluator's own."""
    _cases: dict[tuple[bytes, bytes, str], PairReference] = field(
        default_factory=dict[tuple[bytes, bytes, str], PairReference]
    )
    _batches: dict[int, PairReference] = field(default_factory=dict[int, PairReference])
    shared: Sequence[Batch] = ()
    """The files that cases share, as they were planned."""

    @cached_property
    def _places(self) -> dict[str, tuple[Batch, Mapping[str, str]]]:
        """Case to the files in which it stands among others, and the names of its queries there."""
        return {
            part.trial.case.id: (batch, part.names) for batch in self.shared if not batch.alone for part in batch.parts
        }

    def of_parts(self, given: Mapping[Trial, Given]) -> dict[Trial, PairReference | PartReference]:
        """The reference of every trial of an evaluator: where it stood among others, on the files that it shared."""
        orders = {id(batch): orders_on(batch, given) for batch in self.shared if not batch.alone}
        found: dict[Trial, PairReference | PartReference] = {}
        for trial, each in given.items():
            own = self.of_trial(trial)
            place = self._places.get(trial.case.id)
            if place is None or each.mean is not None:
                found[trial] = own
            else:
                batch, names = place
                found[trial] = PartReference(own, self.of_batch(batch), names, orders[id(batch)])
        return found

    def of_trial(self, trial: Trial) -> PairReference:
        """The reference on a case's files."""
        key = (trial.case.qrels, trial.case.run, trial.case.id)
        if key not in self._cases:
            self._cases[key] = case_reference(trial.case, self.needs)
        return self._cases[key]

    def of_batch(self, batch: Batch) -> PairReference:
        """The reference on the files that several cases share."""
        if id(batch) not in self._batches:
            self._batches[id(batch)] = PairReference(batch.qrels, batch.run, self.needs)
        return self._batches[id(batch)]


def witness_of(trial: Trial, given: Given, reference: PairReference | PartReference, tolerance: float) -> Witness:
    """The witness that a trial is."""
    case = trial.case
    return Witness(
        (case.id,),
        axes_of_case(case),
        tuple({axis: value for axis, value in each.when.items() if axis != "cutoff"} for each in case.expectations),
        "none" if trial.measure.cutoff is None else str(trial.measure.cutoff),
        given,
        reference,
        case.folder == READING,
        tolerance,
    )


def axes_of_case(case: Case) -> dict[str, tuple[str, ...]]:
    """The axes that a case tells apart, with the values that it lists."""
    values: dict[str, dict[str, None]] = {axis: {} for axis in case.written.axes}
    for expectation in case.expectations:
        for axis, known in values.items():
            known[expectation.spec[axis]] = None
    return {axis: tuple(known) for axis, known in values.items()}


def shared_witnesses(
    stem: str, whole: Iterable[tuple[Batch, Answer]], references: References, tolerance: float
) -> list[Witness]:
    """The means of shared files for which an evaluator gave no row: all their cases are one witness."""
    found: list[Witness] = []
    for batch, answer in whole:
        silent = all(isinstance(each, Missing) for each in (*answer.queries.values(), *answer.unasked.values()))
        if answer.measure.stem != stem or not silent or not isinstance(answer.aggregate, Value):
            continue
        cases = [part.trial.case for part in batch.parts if part.trial.measure.stem == stem]
        of_all = [axes_of_case(part.trial.case) for part in batch.parts]
        axes: dict[str, dict[str, None]] = {}
        for part, each in zip(batch.parts, of_all, strict=True):
            if part.trial.measure.stem == stem:
                for axis, values in each.items():
                    axes.setdefault(axis, {}).update(dict.fromkeys(values))
        found.append(
            Witness(
                tuple(dict.fromkeys(case.id for case in cases)),
                {axis: tuple(values) for axis, values in axes.items()},
                (),
                "none" if answer.measure.cutoff is None else str(answer.measure.cutoff),
                Given(answer.queries, answer.aggregate, answer.decimals),
                references.of_batch(batch),
                tolerance=tolerance,
            )
        )
    return found


def explained(witnesses: Sequence[Witness], spec: MetricSpec) -> frozenset[Witness]:
    """The witnesses whose answer is what the specification gives."""
    return frozenset(each for each in witnesses if each.agrees(spec))
