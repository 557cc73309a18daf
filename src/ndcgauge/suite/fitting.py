"""From the declared specification to the one that an evaluator really has, as far as cases show it.

Each case changes one axis alone, so a wrong declaration of one axis breaks the cases of that axis, and those
of others where it acts too. Axes are corrected one by one, the one that explains most first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ndcgauge.spec import MetricSpec
from ndcgauge.suite.expecting import WITHOUT_VALUE
from ndcgauge.suite.witnesses import Witness, explained

MOST_CHANGES = 12


def fitted(declared: MetricSpec, witnesses: Sequence[Witness]) -> MetricSpec:
    """The specification that explains most witnesses, reached from the declared one step by step.

    A step must explain more answers than it loses, one of them of a case about its own axis. Answers
    about reading, and refusals, change nothing. Steps change one axis, or several that a case sets together;
    these are tried among the others, and again only where no single axis helps any more: two causes can look like
    one step of two wrong axes, and two axes that act together only like two wrong ones. What explains more in the
    end is kept, with fewer axes changed where both explain the same.
    """
    telling = [each for each in witnesses if not each.about_reading and each.given.failure is None]
    ends = [_climbed(declared, telling, patient=patient) for patient in (False, True)]
    best = max(ends, key=lambda end: (len(explained(telling, end)), -len(declared.diff(end))))
    return _completed(best, telling)


def _completed(spec: MetricSpec, telling: Sequence[Witness]) -> MetricSpec:
    """The specification, or one that a case sets and that leaves nothing unexplained.

    Axes that act together may agree with all of their own cases and break those of others: no step then speaks of
    them, and only that everything is explained does.
    """
    missing = [each for each in telling if not each.agrees(spec)]
    if missing:
        for changes in _together(spec, telling):
            changed = spec.with_axes(changes)
            if all(each.agrees(changed) for each in (*missing, *telling)):
                return changed
    return spec


def _climbed(declared: MetricSpec, telling: Sequence[Witness], *, patient: bool) -> MetricSpec:
    """Where single steps lead. `patient`: several axes at once only where none alone helps."""
    spec = declared
    for _ in range(MOST_CHANGES):
        known = explained(telling, spec)
        unexplained = [each for each in telling if each not in known]
        single, together = list(_single(spec, unexplained)), list(_together(spec, unexplained))
        better = _best(spec, single if patient else [*single, *together], unexplained, known)
        if better is None and patient:
            better = _best(spec, together, unexplained, known)
        if better is None:
            break
        spec = better
    return spec


def _best(
    spec: MetricSpec, tried: Iterable[dict[str, str]], unexplained: Sequence[Witness], known: frozenset[Witness]
) -> MetricSpec | None:
    """The change that explains most answers more than it loses; None where none does.

    Of several such the one with most answers of cases about its own axes: in a tie of a whole list the order of
    lines is a tie rule as well as an order, and the cases of ties speak of the rule. Then the smallest.
    """
    gains: list[tuple[int, int, int, MetricSpec]] = []
    for number, changes in enumerate(tried):
        changed = spec.with_axes(changes)
        gained = explained(unexplained, changed)
        own = sum(not each.axes.keys().isdisjoint(changes) for each in gained)
        if not own:
            continue
        # Anything inside the envelope agrees with `random`: it is believed where the values moved.
        if changes.get("ties") in WITHOUT_VALUE and not any(each.given.moved for each in gained):
            continue
        gains.append((len(gained), own, -number, changed))
    best, most = None, 0
    for gain, _, _, changed in sorted(gains, key=lambda each: each[:3], reverse=True):
        if gain <= most:
            break
        net = gain - sum(not each.agrees(changed) for each in known)
        if net > most:
            best, most = changed, net
    return best


def _single(spec: MetricSpec, unexplained: Sequence[Witness]) -> Iterator[dict[str, str]]:
    """Each other value of each axis that the cases of unexplained answers are about."""
    values: dict[str, dict[str, None]] = {}
    for witness in unexplained:
        for axis, listed in witness.axes.items():
            values.setdefault(axis, {}).update(dict.fromkeys(listed))
    for axis, listed in values.items():
        for value in sorted(listed, key=lambda each: each in WITHOUT_VALUE):
            if axis != "cutoff" and value != spec[axis]:
                yield {axis: value}


def _together(spec: MetricSpec, unexplained: Sequence[Witness]) -> Iterator[dict[str, str]]:
    """What such a case sets together, where that is more than one axis: some values show only beside others."""
    found: dict[tuple[tuple[str, str], ...], None] = {}
    for witness in unexplained:
        for context in witness.contexts:
            changed = tuple(sorted((axis, value) for axis, value in context.items() if spec[axis] != value))
            if len(changed) > 1:
                found[changed] = None
    yield from map(dict, found)
