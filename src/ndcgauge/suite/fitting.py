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
        open_ = [each for each in telling if each not in known]
        if not open_:
            break
        better = max(_changes(spec, open_, known), key=lambda each: each[0], default=None)
        if better is None or better[0] <= 0:
            break
        spec = better[1]
    return spec


def _changes(
    spec: MetricSpec, unexplained: Sequence[Witness], known: frozenset[Witness]
) -> Iterator[tuple[int, MetricSpec]]:
    """Each change of one axis, with how many more answers it explains; named values before `random`."""
    values: dict[str, dict[str, None]] = {}
    for witness in unexplained:
        for axis, listed in witness.axes.items():
            values.setdefault(axis, {}).update(dict.fromkeys(listed))
    for axis, listed in values.items():
        if axis == "cutoff":
            continue
        for value in sorted(listed, key=lambda each: each in WITHOUT_VALUE):
            if value == spec[axis]:
                continue
            changed = spec.with_axes({axis: value})
            gained = explained(unexplained, changed)
            # Anything inside the envelope agrees with `random`: it is believed where the values moved.
            if axis == "ties" and value in WITHOUT_VALUE and not any(each.given.moved for each in gained):
                continue
            if not any(axis in each.axes for each in gained):
                continue
            lost = sum(not each.agrees(changed) for each in known)
            yield len(gained) - lost, changed
