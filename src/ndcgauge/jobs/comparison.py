"""One run against one qrels: every evaluator's answers verified, and their discrepancies split."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ndcgauge.data.collection import Collection
from ndcgauge.diff.discrepancy import Comparison, Discrepancy, Side
from ndcgauge.diff.identities import Answers, AskAll, Checked, check_identities
from ndcgauge.diff.observing import FLOAT32_TOLERANCE, observation_of
from ndcgauge.diff.probes import InputFiles
from ndcgauge.diff.shown_orders import ShownOrder, shown_order
from ndcgauge.diff.verification import Verification, Verifier
from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Crashed, Refused, TimedOut, Unavailable, Unsupported
from ndcgauge.reference import Envelope, Evaluation, NoClosedForm, ObservedOrder, envelope
from ndcgauge.search.observation import Observation
from ndcgauge.spec import Measure, MetricSpec

LARGEST_PROBE = 64 * 1024 * 1024
"""Bytes of a run beyond which probes, which rewrite it, are left out."""

Again = Callable[[str, InputFiles, Measure], Answer]
"""Calls one evaluator again, on other files, for one measure."""


@dataclass(frozen=True)
class Judged:
    """One evaluator's answer for one measure, with what it says about the evaluator's profile."""

    answer: Answer
    profile: MetricSpec | None
    """None for an evaluator that does not have the measure."""
    observation: Observation
    verification: Verification | None
    """None where nothing was answered."""
    discrepancy: Discrepancy | None
    """None where nothing was answered, or where the evaluator is the baseline."""


@dataclass(frozen=True)
class MeasureResult:
    """Everything about one measure of one run."""

    measure: Measure
    spec: MetricSpec
    """The baseline's specification."""
    reference_mean: float
    reference_values: Mapping[str, float]
    judged: Sequence[Judged]
    queries: Sequence[str]
    """The queries of the envelope's arrays."""
    envelope: Envelope | None
    envelope_note: str | None


@dataclass(frozen=True)
class Asked:
    """An evaluator as it was asked: its id, its declared profile, how exactly it computes."""

    id: str
    profile: Callable[[Measure, MetricSpec], MetricSpec | None]
    """Measure and the baseline's specification to the evaluator's profile."""
    arithmetic: str = "float64"


@dataclass
class RunComparer:
    """Compares the answers of several evaluators on one run."""

    collection: Collection
    files: InputFiles
    folder: Path
    """A private folder for probes."""
    again: Again | None
    tolerance: float
    on_duplicate: str = "error"
    orders: dict[str, ObservedOrder] = field(default_factory=dict[str, ObservedOrder])
    _shown: dict[tuple[Path, str], ShownOrder] = field(default_factory=dict[tuple[Path, str], ShownOrder])

    def compare(
        self,
        measure: Measure,
        spec: MetricSpec,
        asked: Sequence[Asked],
        answers: Mapping[str, Answer],
        baseline: str | None,
    ) -> MeasureResult:
        """Verifies and compares all answers for a measure.

        `baseline`: the id of the evaluator that is the baseline; None where `spec` itself is it.
        """
        prepared = [self._prepare(each, answers[each.id], measure, spec) for each in asked]
        evaluation = Evaluation(self.collection, self.orders)
        verifier = Verifier(self.collection, evaluation, self.files, self.folder, self.orders)
        verified = [
            (answer, profile, observation, self._verify(verifier, profile, observation, answer, measure, notes))
            for answer, profile, observation, notes in prepared
        ]
        base = Side(spec, None)
        for answer, profile, observation, verification in verified:
            if answer.evaluator == baseline and profile is not None:
                used = verification.behaves_as if verification and verification.behaves_as else profile
                base = Side(used, observation)
        comparison = Comparison(self.collection, evaluation)
        judged = [
            Judged(
                answer,
                profile,
                observation,
                verification,
                None
                if answer.evaluator == baseline
                else self._discrepancy(comparison, base, profile, observation, verification),
            )
            for answer, profile, observation, verification in verified
        ]
        if spec["ties"] == "observed":
            # Of an evaluator as the baseline: the reference needs the order that it showed.
            spec = base.spec
        values, counted, mean = evaluation.score(spec)
        reference = {
            query: float(value)
            for query, value, here in zip(self.collection.queries, values, counted, strict=True)
            if here
        }
        tied, note = self._envelope(spec)
        return MeasureResult(measure, spec, mean, reference, judged, self.collection.queries, tied, note)

    def identities(self, answers: Answers, ask: AskAll | None) -> list[Checked]:
        """The identities of one evaluator's answers that need no second evaluator; `ask` as `check_identities`."""
        if self.files.run.stat().st_size > LARGEST_PROBE:
            ask = None
        return check_identities(self.collection, answers, self.files, self.folder / "identities", ask, self.tolerance)

    def _envelope(self, spec: MetricSpec) -> tuple[Envelope | None, str | None]:
        try:
            return envelope(self.collection, spec), None
        except NoClosedForm as error:
            return None, error.message

    def _prepare(
        self, asked: Asked, answer: Answer, measure: Measure, spec: MetricSpec
    ) -> tuple[Answer, MetricSpec | None, Observation, tuple[str, ...]]:
        tolerance = max(self.tolerance, FLOAT32_TOLERANCE) if asked.arithmetic == "float32" else self.tolerance
        observation = observation_of(answer, self.collection, tolerance)
        profile = asked.profile(measure, spec)
        notes: tuple[str, ...] = ()
        if profile is not None and "error" not in self.collection.rows and profile["run_duplicates"] == "error":
            profile = profile.replace(run_duplicates=self.on_duplicate)
        repeats = "error" not in self.collection.judged.grades
        if profile is not None and repeats and profile["qrels_duplicates"] == "error":
            profile = profile.replace(qrels_duplicates=self.on_duplicate)
        if profile is not None and profile["ties"] == "observed":
            profile, notes = self._observed(profile, answer)
        return answer, profile, observation, notes

    def _observed(self, profile: MetricSpec, answer: Answer) -> tuple[MetricSpec, tuple[str, ...]]:
        if answer.order_file is None:
            return profile.replace(ties="line"), ("it showed no order of its ties; the order of lines stands in",)
        key = (answer.order_file, profile["run_duplicates"])
        if key not in self._shown:
            self._shown[key] = shown_order(answer.order_file, self.collection, profile["run_duplicates"])
        shown = self._shown[key]
        if shown.order is None:
            return profile.replace(ties="line"), (f"order: {shown.refusal}",)
        digest = shown.order.digest
        self.orders[digest] = shown.order
        return profile.replace(ties=f"observed:{digest}"), ()

    def _verify(
        self,
        verifier: Verifier,
        profile: MetricSpec | None,
        observation: Observation,
        answer: Answer,
        measure: Measure,
        notes: tuple[str, ...],
    ) -> Verification | None:
        if profile is None:
            return None
        ask = self._ask(answer, measure, observation)
        if observation.silent:
            match answer.aggregate:
                case Refused() | Crashed() if ask is not None:
                    return verifier.verify_silent(profile, ask)
                case Unavailable() | Unsupported() | TimedOut() | _:
                    return None
        result = verifier.verify(profile, observation, ask)
        return result if not notes else result.noting(notes)

    def _ask(
        self, answer: Answer, measure: Measure, observation: Observation
    ) -> Callable[[InputFiles], Observation | None] | None:
        if self.again is None or self.files.run.stat().st_size > LARGEST_PROBE:
            return None
        again = self.again

        def ask(files: InputFiles) -> Observation | None:
            other = observation_of(again(answer.evaluator, files, measure), self.collection, observation.tolerance)
            return None if other.silent else other

        return ask

    def _discrepancy(
        self,
        comparison: Comparison,
        base: Side,
        profile: MetricSpec | None,
        observation: Observation,
        verification: Verification | None,
    ) -> Discrepancy | None:
        if profile is None or verification is None or observation.silent:
            return None
        used = verification.behaves_as if verification.behaves_as is not None else profile
        return comparison.compare(base, Side(used, observation), verification)
