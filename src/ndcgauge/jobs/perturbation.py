"""Label sensitivity: the means and the order of runs if some grades were their neighbours'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ndcgauge.data.collection import Collection, Grades
from ndcgauge.errors import UsageError
from ndcgauge.jobs.document import safe
from ndcgauge.jobs.json_values import finite
from ndcgauge.jobs.orders import EQUAL, agreement, ordered
from ndcgauge.reference import evaluate
from ndcgauge.results.several import Perturbation, PerturbedOrder, SensitivityEntry
from ndcgauge.spec import MetricSpec
from ndcgauge.spec.numbers import canonical_number

GAINS = ("linear", "exponential")
"""The gains that every graded measure is computed under, beside the baseline's own."""


def parse_changes(texts: Sequence[str]) -> dict[str, str]:
    """`3=2` (or `3=2,2=1`) to the grades that change, all at once.

    Raises UsageError for anything else, for a grade that is given twice, and for one that does not change.
    """
    changes: dict[str, str] = {}
    for item in (item for text in texts for item in text.split(",")):
        old, equals, new = item.partition("=")
        try:
            before, after = canonical_number(old.strip()), canonical_number(new.strip())
        except ValueError:
            equals, before, after = "", "", ""
        if not equals:
            raise UsageError(f"--perturb-grades {item!r} is not GRADE=GRADE", fix="for example --perturb-grades 3=2")
        if before in changes:
            raise UsageError(f"--perturb-grades gives grade {before} twice")
        if before == after:
            raise UsageError(f"--perturb-grades {item!r} changes nothing")
        changes[before] = after
    return changes


def perturbed(collection: Collection, changes: Mapping[str, str]) -> Collection:
    """The same collection with every grade that is named replaced, all at once; nothing else moves."""
    numbers = {float(old): float(new) for old, new in changes.items()}
    made: dict[int, Grades] = {}

    def relabelled(grades: Grades) -> Grades:
        # Several values of `qrels_duplicates` may share one object, and go on sharing.
        if id(grades) not in made:
            grade = grades.grade.copy()
            for old, new in numbers.items():
                grade[grades.grade == old] = new
            made[id(grades)] = grades._replace(grade=grade)
        return made[id(grades)]

    judged = replace(
        collection.judged, grades={name: relabelled(grades) for name, grades in collection.judged.grades.items()}
    )
    return replace(collection, judged=judged)


@dataclass
class Sensitivity:
    """Collects, run by run, what the changed labels do."""

    changes: Mapping[str, str]
    judgments: int = 0
    entries: list[SensitivityEntry] = field(default_factory=list[SensitivityEntry])

    def add(self, collection: Collection, run: str, specs: Sequence[MetricSpec]) -> None:
        """One run under every specification and gain.

        Raises UsageError where no judgment has one of the grades.
        """
        grades = collection.judged.grades["first"].grade
        for old in self.changes:
            if not (grades == float(old)).any():
                scale = ", ".join(f"{grade:g}" for grade in np.unique(grades).tolist())
                raise UsageError(f"--perturb-grades: no judgment has grade {old}", fix=f"the qrels have grades {scale}")
        self.judgments = int(sum((grades == float(old)).sum() for old in self.changes))
        other = perturbed(collection, self.changes)
        for spec in specs:
            for gain, changed in _gains(spec).items():
                self.entries.append(_entry(collection, other, run, spec.name, gain, changed))

    def document(self) -> Perturbation:
        """All runs, and for several of them their order before and after."""
        orders: list[PerturbedOrder] = []
        for measure, gain in dict.fromkeys((each.measure, each.gain) for each in self.entries):
            found = [each for each in self.entries if (each.measure, each.gain) == (measure, gain)]
            if len(found) < 2:
                continue
            before, after = {each.run: each.mean for each in found}, {each.run: each.perturbed for each in found}
            same = agreement(before, after)
            orders.append(
                PerturbedOrder(
                    measure=measure,
                    gain=gain,
                    before=ordered(before),
                    after=ordered(after),
                    tau=same.tau,
                    swapped=same.swapped,
                    changes_winner=same.changes_winner,
                )
            )
        return Perturbation(changes=dict(self.changes), judgments=self.judgments, entries=self.entries, orders=orders)


def _gains(spec: MetricSpec) -> dict[str, MetricSpec]:
    """The specification under each gain; a measure without one depends on grades by its threshold."""
    if "gain" not in spec.axes:
        return {f"relevant from {spec['threshold']}": spec}
    return {gain: spec.replace(gain=gain) for gain in dict.fromkeys((*GAINS, spec["gain"]))}


def _entry(
    collection: Collection, other: Collection, run: str, measure: str, gain: str, spec: MetricSpec
) -> SensitivityEntry:
    before, after = evaluate(collection, [spec]), evaluate(other, [spec])
    one, two = finite(before.mean(spec)), finite(after.mean(spec))
    values, changed = before.of(spec), after.of(spec)
    moves = {query: changed[query] - value for query, value in values.items() if query in changed}
    moved = {query: move for query, move in moves.items() if abs(move) > EQUAL}
    largest = max(moved, key=lambda query: abs(moved[query])) if moved else None
    return SensitivityEntry(
        measure=measure,
        run=run,
        gain=gain,
        mean=one,
        perturbed=two,
        difference=None if one is None or two is None else two - one,
        queries_changed=len(moved),
        largest=None if largest is None else moved[largest],
        largest_query=None if largest is None else safe(largest),
    )
