"""One evaluator against one baseline: the difference, its causes, and what no cause explains."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ndcgauge.data.collection import Bools, Collection, Floats
from ndcgauge.diff.attribution import NOTHING, Attribution, Game, minimal_explanations, play, shapley
from ndcgauge.diff.movement import Moved, moved_documents
from ndcgauge.diff.verification import Verification
from ndcgauge.errors import UsageError
from ndcgauge.reference import Evaluation, NoClosedForm
from ndcgauge.reference.scores import sequential_mean
from ndcgauge.search.observation import Observation
from ndcgauge.spec import AXES, FOUR_FAMILIES, Family, MetricSpec

READING = "reading"
"""The name under which a difference of reading is contributed: it has no axis."""


class Verdict(StrEnum):
    """What a reader takes home from a discrepancy."""

    AGREES = "agrees"
    EXPLAINED = "explained"
    PARTLY = "partly explained"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True)
class WorstQuery:
    """A query on which the two differ, with the judged documents that moved."""

    query: str
    baseline: float
    evaluator: float
    moved: tuple[Moved, ...]


@dataclass(frozen=True)
class Discrepancy:
    """The difference (evaluator - baseline) of one measure on one run, split."""

    difference: float
    """Of the aggregates that are compared."""
    over: int
    """Number of queries that both answered."""
    contributions: dict[str, float]
    """Axis to its share of the difference."""
    contributions_queries: dict[str, int]
    """Axis to the number of queries that it changes."""
    families: dict[str, float]
    rounding: float
    residual: float
    minimal: tuple[tuple[str, ...], ...]
    queries_differing: int
    spec_used: MetricSpec
    """What the evaluator was taken to compute."""
    verdict: Verdict
    worst: tuple[WorstQuery, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Side:
    """A baseline or an evaluator: what it gave, and the specification that it is taken to compute."""

    spec: MetricSpec
    observation: Observation | None
    """None where the reference itself is the baseline."""


@dataclass(frozen=True)
class Comparison:
    """Compares two sides on one collection."""

    collection: Collection
    evaluation: Evaluation

    def compare(
        self, baseline: Side, evaluator: Side, verification: Verification, worst: int = 10
    ) -> Discrepancy | None:
        """The discrepancy, or None where the evaluator (or the baseline) answered nothing."""
        observed = evaluator.observation
        if observed is None or observed.silent or (baseline.observation is not None and baseline.observation.silent):
            return None
        notes: list[str] = []
        scope = _Scope.of(self.evaluation, baseline, evaluator)
        if math.isnan(scope.baseline_mean) or math.isnan(scope.evaluator_mean):
            # No query that both answered, and no two means: there is nothing to subtract.
            return None
        try:
            game = play(self.evaluation, baseline.spec, evaluator.spec, scope.mean_of)
        except (NoClosedForm, UsageError) as error:
            notes.append(f"the difference cannot be split: {error.message}")
            game = play(self.evaluation, baseline.spec, baseline.spec, scope.mean_of)
        return self._split(baseline, evaluator, verification, scope, game, notes, worst)

    def _split(
        self,
        baseline: Side,
        evaluator: Side,
        verification: Verification,
        scope: _Scope,
        game: Game,
        notes: list[str],
        worst: int,
    ) -> Discrepancy:
        observed = evaluator.observation
        assert observed is not None
        attribution = shapley(game)
        start, end = frozenset[str](), frozenset(game.players)
        mean_a, mean_b = scope.baseline_mean, scope.evaluator_mean
        difference = mean_b - mean_a
        offset = mean_a - game.means[start]
        explained_fully = verification.verified or verification.behaves_as is not None
        contributions = dict(attribution.contributions)
        queries = dict(attribution.touched)
        allowance = observed.allowance + scope.baseline_allowance
        if not all(map(math.isfinite, contributions.values())):
            notes.append("the difference cannot be split: a specification between the two has no mean")
            contributions, queries = {}, {}
        if verification.reading and verification.tidy is not None:
            share = mean_b - scope.mean_of_observation(verification.tidy)
            contributions[READING] = share
            moved = ~(np.abs(observed.values - verification.tidy.values) <= NOTHING) & observed.answered
            queries[READING] = int(moved.sum())
        minimal = self._minimal(scope, game, observed, offset, verification)
        # Equal to the baseline: an unverified profile has nothing to contribute.
        equal = minimal == ((),)
        if not explained_fully and (equal or not self._mostly(game, end, observed)):
            contributions, queries = {}, {}
        left = math.fsum([mean_b, -mean_a, *(-each for each in contributions.values())])
        printed = observed.decimals is not None or scope.baseline_decimals is not None
        rounding = left if printed and abs(left) <= allowance and (explained_fully or equal) else 0.0
        residual = math.fsum([mean_b, -mean_a, *(-each for each in contributions.values()), -rounding])
        whole = explained_fully and abs(residual) <= allowance
        verdict = _verdict(minimal, whole, contributions)
        return Discrepancy(
            difference=difference,
            over=int(scope.over.sum()),
            contributions=contributions,
            contributions_queries=queries,
            families=_families(contributions, rounding, residual),
            rounding=rounding,
            residual=residual,
            minimal=minimal,
            queries_differing=scope.differing(),
            spec_used=evaluator.spec,
            verdict=verdict,
            worst=self._worst(baseline, evaluator, scope, worst),
            notes=tuple(notes),
        )

    def _mostly(self, game: Game, end: frozenset[str], observed: Observation) -> bool:
        """Whether the declared profile holds on most answered queries, so that its axes explain a part."""
        values = game.values[end]
        close = np.abs(values - observed.values) <= observed.allowance
        return bool(close[observed.answered].sum() * 2 > observed.answered.sum())

    def _minimal(
        self, scope: _Scope, game: Game, observed: Observation, offset: float, verification: Verification
    ) -> tuple[tuple[str, ...], ...]:
        shift = scope.baseline_shift(game.values[frozenset()])
        allowance = observed.allowance + scope.baseline_allowance

        def matches(values: Floats, counted: Bools, mean: float) -> bool:
            if any(not counted[query] or not math.isnan(values[query]) for query in observed.undefined):
                return False
            here = scope.over & counted
            if (scope.over & ~counted).any():
                return False
            gaps = np.abs(values[here] + shift[here] - observed.values[here])
            return bool((gaps <= allowance).all()) and abs(mean + offset - scope.evaluator_mean) <= allowance

        if verification.reading:
            return ((READING,),) if not game.players else ((READING, *sorted(game.players)),)
        return minimal_explanations(game, matches)

    def _worst(self, baseline: Side, evaluator: Side, scope: _Scope, most: int) -> tuple[WorstQuery, ...]:
        gaps = np.where(scope.over, np.abs(scope.evaluator_values - scope.baseline_values), 0.0)
        gaps[np.isnan(gaps)] = 0.0
        order = np.argsort(-gaps, kind="stable")[:most]
        result: list[WorstQuery] = []
        for query in order.tolist():
            if gaps[query] <= scope.query_allowance:
                break
            moved = moved_documents(self.collection, self.evaluation, baseline.spec, evaluator.spec, query)
            result.append(
                WorstQuery(
                    str(self.collection.queries[query]),
                    float(scope.baseline_values[query]),
                    float(scope.evaluator_values[query]),
                    tuple(moved),
                )
            )
        return tuple(result)


@dataclass(frozen=True)
class _Scope:
    """Over what two sides are compared: the queries that both answered, and which means."""

    over: Bools
    baseline_values: Floats
    evaluator_values: Floats
    baseline_mean: float
    evaluator_mean: float
    baseline_allowance: float
    baseline_decimals: int | None
    query_allowance: float
    restricted: bool
    """Whether the means run over the queries that both answered, since one has no aggregate."""

    @staticmethod
    def of(evaluation: Evaluation, baseline: Side, evaluator: Side) -> _Scope:
        observed = evaluator.observation
        assert observed is not None
        values, counted, mean = evaluation.score(baseline.spec)
        a = baseline.observation
        if a is not None:
            values, mean_a, answered = a.values, a.mean, a.answered
        else:
            mean_a, answered = mean, counted & ~np.isnan(values)
        over = observed.answered & answered
        restricted = observed.mean is None or math.isnan(observed.mean) or mean_a is None or math.isnan(mean_a)
        if restricted:
            mean_a = sequential_mean(values[over])
            mean_b = sequential_mean(observed.values[over])
        else:
            assert mean_a is not None
            assert observed.mean is not None
            mean_b = observed.mean
        allowance = 0.0 if a is None else a.allowance
        return _Scope(
            over=over,
            baseline_values=values,
            evaluator_values=observed.values,
            baseline_mean=mean_a,
            evaluator_mean=mean_b,
            baseline_allowance=allowance,
            baseline_decimals=None if a is None else a.decimals,
            query_allowance=observed.allowance + allowance,
            restricted=restricted,
        )

    def mean_of(self, values: Floats, counted: Bools, mean: float) -> float:
        """The aggregate of a specification on what is compared."""
        return sequential_mean(values[self.over & counted]) if self.restricted else mean

    def mean_of_observation(self, observed: Observation) -> float:
        """The aggregate of other values of the evaluator, taken as its own is."""
        if self.restricted or observed.mean is None:
            return sequential_mean(observed.values[self.over & observed.answered])
        return observed.mean

    def baseline_shift(self, reference: Floats) -> Floats:
        """(queries,) how far an evaluator as the baseline stands from its own specification."""
        return np.nan_to_num(self.baseline_values - reference)

    def differing(self) -> int:
        gaps = np.abs(self.evaluator_values - self.baseline_values)
        return int((gaps[self.over] > self.query_allowance).sum())


def _verdict(minimal: tuple[tuple[str, ...], ...], whole: bool, contributions: dict[str, float]) -> Verdict:
    if minimal == ((),):
        return Verdict.AGREES
    if minimal and whole:
        return Verdict.EXPLAINED
    return Verdict.PARTLY if any(abs(each) > NOTHING for each in contributions.values()) else Verdict.UNEXPLAINED


def _families(contributions: dict[str, float], rounding: float, residual: float) -> dict[str, float]:
    shares: dict[str, list[float]] = {family.value: [0.0] for family in FOUR_FAMILIES}
    for axis, share in contributions.items():
        family = AXES[axis].family if axis in AXES else Family.READING
        shares.setdefault(family.value, []).append(share)
    if rounding:
        shares.setdefault(Family.NUMERIC.value, []).append(rounding)
    totals = {family: math.fsum(each) for family, each in shares.items()}
    kept = {name: total for name, total in totals.items() if total != 0 or name in FOUR_FAMILIES}
    return {**kept, Family.UNEXPLAINED.value: residual}


__all__ = ["Attribution", "Comparison", "Discrepancy", "Side", "Verdict", "WorstQuery"]
