"""From the declared specification to the one that an evaluator really has, as far as cases show it.

Each case changes one axis alone, so a wrong declaration of one axis breaks the cases of that axis, and those
of others where it acts too. Axes are corrected one by one, the one that explains most first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ndcgauge.spec import MetricSpec
from ndcgauge.suite.expecting import WITHOUT_VALUE
from ndcgauge.suite.witnesses import Witness, explained

MOST_CHANGES = 12


def fitted(declared: MetricSpec, witnesses: Sequence[Witness]) -> MetricSpec:
    """The specification that explains most witnesses, reached from the declared one by single changes.

    A change must explain more answers than it loses, one of them of a case about its own axis. Answers
    about reading, and refusals, change nothing.
    """
    telling = [each for each in witnesses if not each.about_reading and each.given.failure is None]
    spec = declared
    for _ in range(MOST_CHANGES):
        known = explained(telling, spec)
        better = _best(spec, [each for each in telling if each not in known], known)
        if better is None:
            break
        spec = better
    return spec


def _best(spec: MetricSpec, unexplained: Sequence[Witness], known: frozenset[Witness]) -> MetricSpec | None:
    """The change that explains most answers more than it loses, the smallest among such; None where none does."""
    gains: list[tuple[int, int, MetricSpec]] = []
    for number, changes in enumerate(_changes(spec, unexplained)):
        changed = spec.with_axes(changes)
        gained = explained(unexplained, changed)
        if not any(not each.axes.keys().isdisjoint(changes) for each in gained):
            continue
        # Anything inside the envelope agrees with `random`: it is believed where the values moved.
        if changes.get("ties") in WITHOUT_VALUE and not any(each.given.moved for each in gained):
            continue
        gains.append((len(gained), -number, changed))
    best, most = None, 0
    for gain, _, changed in sorted(gains, key=lambda each: each[:2], reverse=True):
        if gain <= most:
            break
        net = gain - sum(not each.agrees(changed) for each in known)
        if net > most:
            best, most = changed, net
    return best


def _changes(spec: MetricSpec, unexplained: Sequence[Witness]) -> Iterator[dict[str, str]]:
    """What the cases of unexplained answers are about: single axes first, then several that only act together."""
    values: dict[str, dict[str, None]] = {}
    together: dict[tuple[tuple[str, str], ...], None] = {}
    for witness in unexplained:
        for axis, listed in witness.axes.items():
            values.setdefault(axis, {}).update(dict.fromkeys(listed))
        for context in witness.contexts:
            changed = tuple(sorted((axis, value) for axis, value in context.items() if spec[axis] != value))
            if len(changed) > 1:
                together[changed] = None
    for axis, listed in values.items():
        for value in sorted(listed, key=lambda each: each in WITHOUT_VALUE):
            if axis != "cutoff" and value != spec[axis]:
                yield {axis: value}
    for changed in together:
        yield dict(changed)
