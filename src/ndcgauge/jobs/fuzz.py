"""`fuzz`: the smallest qrels and run on which two evaluators differ, a case for every cause that is found.

hypothesis draws examples (`fuzz_examples`); some hundred of them are the queries of one pair, since a call of
an evaluator can cost a second. Examples are told apart by their cause (`fuzz_observing`), and the simplest of each
cause is made smaller: all its next simpler neighbours are one pair again, and the simplest that still differs for
the same cause is the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, Phase, given, seed, settings

from ndcgauge.errors import UsageError
from ndcgauge.evaluators.processes import Limits
from ndcgauge.evaluators.references import Catalogued, EvaluatorRef
from ndcgauge.evaluators.workers import Workers
from ndcgauge.jobs.compare import compare, options
from ndcgauge.jobs.fuzz_examples import Example, examples, names, smaller, usable, write
from ndcgauge.jobs.fuzz_observing import Cause, Difference, Observer
from ndcgauge.jobs.request import request
from ndcgauge.results.model import Report
from ndcgauge.spec import AXES, Measure

BATCH = 256
"""Examples of one pair."""
_LOOKING = 0.5
"""Share of the budget after which what was found is made smaller."""
_ROUNDS = 200
"""Most steps that one example is made smaller by."""

Tell = Callable[[str], None]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Finding:
    """The smallest example that was found for a cause."""

    difference: Difference
    smallest: bool
    """Whether no simpler neighbour differs for the same cause; False where the budget ended before that was known."""
    seen: int
    """Examples that differed for this cause before it was made smaller."""
    report: Report | None
    """The comparison of the two on it; None for an evaluator and its own profile."""


@dataclass(frozen=True)
class Fuzzed:
    """What a search found, and how much it looked at."""

    findings: tuple[Finding, ...]
    skipped: tuple[Cause, ...]
    """Causes that `beyond` leaves out."""
    asked: int
    """Examples that the evaluators were asked about."""
    calls: int
    seconds: float


def parse_budget(text: str) -> float:
    """`90`, `60s`, `10m` or `1h` in seconds. Raises UsageError for anything else, and for nothing."""
    units = {"s": 1.0, "m": 60.0, "h": 3600.0}
    number = text.strip().lower()
    unit = units.get(number[-1:], 0.0)
    try:
        seconds = float(number[:-1] if unit else number) * (unit or 1.0)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise UsageError(f"--budget {text!r} is no time", fix="for example 60s or 10m")
    return seconds


def parse_beyond(text: str) -> frozenset[str]:
    """Axes, from names of axes and of families, separated by commas. Raises UsageError for an unknown name."""
    families: dict[str, set[str]] = {}
    for known in AXES.values():
        families.setdefault(str(known.family.value), set()).add(known.name)
    found: set[str] = set()
    for name in filter(None, (each.strip() for each in text.split(","))):
        if name in AXES:
            found.add(name)
        elif name in families:
            found |= families[name]
        else:
            raise UsageError(f"--beyond {name}: there is no axis and no family of that name")
    return frozenset(found)


def fuzz(
    evaluators: Sequence[EvaluatorRef],
    measure: Measure,
    *,
    budget: float = 60.0,
    beyond: frozenset[str] = frozenset(),
    profiles: Mapping[str, str] | None = None,
    first_seed: int = 0,
    timeout: float = 600.0,
    tell: Tell | None = None,
    clock: Clock = time.monotonic,
) -> Fuzzed:
    """Looks for differences between two evaluators, or between one and its profile, for `budget` seconds.

    beyond: axes; a difference that they alone make is left out. profiles: program name to the preset that it is
    declared to compute. The same seed draws the same examples in a process that has loaded the same modules
    (hypothesis draws constants of the code that is loaded, too); how many fit into the budget depends on the
    machine. Raises UsageError for other than one or two evaluators, for one
    that is not here, and for a measure that one lacks; EvaluatorError for one that gives no answer in time.
    """
    if not 1 <= len(evaluators) <= 2 or len({each.id for each in evaluators}) < len(evaluators):
        raise UsageError("fuzz compares two evaluators, or one with its profile", fix="-e A -e B, or -e A")
    with TemporaryDirectory(prefix="ndcgauge-") as folder, Workers(Limits(seconds=timeout), progress=tell) as workers:
        right = evaluators[1] if len(evaluators) > 1 else None
        observer = Observer(measure, evaluators[0], right, workers, Path(folder), profiles or {})
        if observer.right is None:
            observer.profile(observer.left)
        # Starting an evaluator, or compiling it, is no part of the budget.
        observer.differences(draw(1, first_seed))
        began = clock()
        search = _Search(observer, beyond, tell, lambda: clock() - began, budget)
        search.look(first_seed)
        findings = tuple(search.finding(cause) for cause in sorted(search.best))
        return Fuzzed(findings, tuple(sorted(search.skipped)), observer.asked, observer.calls, clock() - began)


def draw(count: int, number: int) -> list[Example]:
    """Some examples of hypothesis; another seed draws others."""
    found: list[Example] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )
    @given(examples())
    def collect(example: Example) -> None:
        found.append(example)

    collect()
    return found


@dataclass
class _Search:
    observer: Observer
    beyond: frozenset[str]
    tell: Tell | None
    elapsed: Clock
    budget: float

    def __post_init__(self) -> None:
        self.best: dict[Cause, Difference] = {}
        self.seen: dict[Cause, int] = {}
        self.skipped: set[Cause] = set()

    def look(self, first_seed: int) -> None:
        """Draws and asks until half the budget is gone, or all of it where nothing was found."""
        number = first_seed
        while self.elapsed() < self.budget * (_LOOKING if self.best else 1.0):
            for each in self.observer.differences(draw(BATCH, number)):
                self._note(each)
            number += 1
            if self.tell is not None:
                self.tell(f"{self.observer.asked:,} examples, {len(self.best)} causes")

    def _note(self, difference: Difference) -> None:
        cause = difference.cause
        if cause.axes and self.beyond.issuperset(cause.axes):
            self.skipped.add(cause)
            return
        self.seen[cause] = self.seen.get(cause, 0) + 1
        known = self.best.get(cause)
        if known is None or difference.example.cost < known.example.cost:
            self.best[cause] = difference

    def finding(self, cause: Cause) -> Finding:
        """The example of a cause, made smaller as far as the budget goes: each cause has an equal part of it."""
        left = max(0.0, self.budget - self.elapsed())
        waiting = sum(1 for each in self.best if each >= cause)
        until = self.elapsed() + left / waiting
        smallest = False
        for _ in range(_ROUNDS):
            best = self.best[cause]
            tried = [each for each in dict.fromkeys(smaller(best.example)) if usable(each)]
            simpler = [each for each in tried if each.cost < best.example.cost]
            same = [each for each in self.observer.differences(simpler) if each.cause == cause] if simpler else []
            if not same:
                smallest = True
                break
            self.best[cause] = min(same, key=lambda each: each.example.cost)
            if self.elapsed() > until:
                break
        return Finding(self.best[cause], smallest, self.seen[cause], self._report(self.best[cause]))

    def _report(self, difference: Difference) -> Report | None:
        observer = self.observer
        if observer.right is None:
            return None
        qrels, run = write([difference.example], observer.folder / "found")
        refs = [observer.left, observer.right]
        baseline = observer.left.id if isinstance(observer.left, Catalogued) else "trec_eval"
        asked = request([observer.measure.name], baseline=baseline)
        declared = [f"{name}={preset}" for name, preset in observer.profiles.items()]
        chosen = options([_text(each) for each in refs], asked, profiles=declared, probes=False)
        return compare(str(qrels), [str(run)], asked, chosen, workers=observer.workers)


def _text(ref: EvaluatorRef) -> str:
    command = getattr(ref, "command", None)
    return ref.id if command is None else f"{ref.id}={getattr(ref, 'kind', 'exec')}:{' '.join(command)}"


def pair_of(example: Example) -> tuple[str, str]:
    """The texts of qrels and run of one example."""
    query = names(1)[0]
    return example.qrels(query), example.run(query)
