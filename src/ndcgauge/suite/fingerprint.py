"""Fingerprints: the value of every axis that an evaluator's answers on the cases show (DESIGN §7).

For each axis, the cases about it are tried under the evaluator's own specification with that axis replaced
by each value that the case lists. What agrees with all cases is measured; where cases agree with different
values it is mixed; where no case can tell, it is undetermined, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ndcgauge.evaluators.outcomes import TimedOut, explain
from ndcgauge.spec import AXES, MetricSpec, axes_of
from ndcgauge.suite.expecting import WITHOUT_VALUE
from ndcgauge.suite.fitting import fitted
from ndcgauge.suite.trials import FAILED, Given
from ndcgauge.suite.witnesses import Witness

MIXED, UNDETERMINED, UNEXPLAINED = "mixed", "undetermined", "unexplained"
ARBITRARY = "arbitrary"
"""An order of ties that no rule gives, without showing it: inside the envelope, and the same at every call."""
AS_ASKED = "as asked"
_RULES = ("line", "line-reversed", "docid-desc", "docid-asc")


class Standing(StrEnum):
    """How a measured value stands to the declared one."""

    SAME = "same"
    DIFFERENT = "different"
    UNDECLARED = "undeclared"
    """The catalogue says that it is undocumented."""
    UNKNOWN = "undetermined"


@dataclass(frozen=True)
class AxisFinding:
    """What the cases say about one axis."""

    axis: str
    declared: str | None
    """None where it is undocumented."""
    measured: str
    """A value of the axis; or `mixed`, `undetermined`, `unexplained`, `arbitrary`."""
    cases: tuple[str, ...]
    """The cases that show it, or between which it is mixed."""
    equal: tuple[str, ...] = ()
    """Other values that give the same as the measured one on every case, because of the other axes."""
    values: Mapping[str, tuple[str, ...]] | None = None
    """Where it is mixed: value to the cases that show it."""
    against: tuple[str, ...] = ()
    """The cases that do not agree with the declared value."""
    reason: str | None = None
    """Why it is undetermined or unexplained."""

    @property
    def standing(self) -> Standing:
        """How the measured value stands to the declared one."""
        if self.measured == UNDETERMINED:
            return Standing.UNKNOWN
        if self.declared is None:
            return Standing.UNDECLARED
        return Standing.SAME if self.declared in (self.measured, *self.equal) else Standing.DIFFERENT


@dataclass(frozen=True)
class MeasureFingerprint:
    """What the cases of one measure say about an evaluator."""

    measure: str
    """Its stem."""
    spec: MetricSpec
    """The specification that explains most of its answers (the cutoff is the first case's)."""
    findings: Mapping[str, AxisFinding]


@dataclass(frozen=True)
class Declared:
    """What an evaluator is declared to compute for one measure."""

    profile: MetricSpec
    """Undocumented axes guessed."""
    values: Mapping[str, str | None]
    """Axis to value; None where it is undocumented."""
    refuses: frozenset[str] = frozenset()
    """The axes of which it is declared to refuse some of what they are about."""


def fingerprint(stem: str, declared: Declared, witnesses: Sequence[Witness]) -> MeasureFingerprint:
    """The fingerprint of one measure.

    Where an evaluator is declared to refuse some of what an axis is about, a refusal is no value of the axis.
    """
    spec = fitted(declared.profile, witnesses)
    by_rule = spec
    if spec["ties"].startswith("observed"):
        # With the order that it shows, a tie of single precision and no tie at all are the same.
        by_rule = spec.with_axes({"ties": _rule_in_short_lists(spec, witnesses)})
    findings = {
        axis.name: _finding(
            axis.name,
            declared.values.get(axis.name),
            by_rule if axis.name in ("order", "score_precision") else spec,
            [each for each in witnesses if axis.name in each.axes],
            refuses=axis.name in declared.refuses and declared.values.get(axis.name) != "error",
        )
        for axis in axes_of(stem)
        if axis.name != "cutoff"
    }
    findings["cutoff"] = _cutoff(spec, witnesses)
    return MeasureFingerprint(stem, spec, findings)


def _finding(
    axis: str, declared: str | None, spec: MetricSpec, own: Sequence[Witness], *, refuses: bool
) -> AxisFinding:
    consistent: dict[Witness, tuple[str, ...]] = {}
    silent: list[Witness] = []
    blank: list[Witness] = []
    wrong: list[Witness] = []
    tried = _tried(axis, declared, spec, own)
    # A refusal says `error` only of an evaluator that refuses everything about the axis; else it has other grounds.
    may_be_error = "error" in AXES[axis].values and not any(each.given.failure is None for each in own)
    for witness in own:
        if _says_nothing(witness.given, refuses=refuses, may_be_error=may_be_error):
            silent.append(witness)
            continue
        values = tuple(value for value in tried if witness.agrees(spec.with_axes({axis: value})))
        if values and len(values) < len(tried):
            consistent[witness] = values
        elif values:
            blank.append(witness)
        else:
            (silent if witness.given.failure is not None else wrong).append(witness)
    if not consistent:
        return _nothing(axis, declared, silent, wrong, blank)
    against = _names(each for each, values in consistent.items() if declared not in values)
    against += _names(each for each in wrong if _names([each])[0] not in against)
    common = [value for value in _order(axis) if all(value in values for values in consistent.values())]
    common += [
        v
        for v in dict.fromkeys(v for vs in consistent.values() for v in vs)
        if v not in common and all(v in vs for vs in consistent.values())
    ]
    shown = all(each.given.docs is not None for each in consistent)
    strong = [value for value in common if not _is_weak(axis, value, shown=shown)]
    if strong:
        chosen = next(value for value in (declared, spec[axis], strong[0]) if value in strong)
        assert chosen is not None
        equal = tuple(value for value in strong if value != chosen)
        return AxisFinding(axis, declared, chosen, _names(consistent), equal, against=against)
    found = _several(axis, declared, consistent, common, against)
    if found.measured == ARBITRARY and wrong:
        # An arbitrary order stays inside the envelope everywhere; what leaves it has another cause.
        return _nothing(axis, declared, silent, wrong, blank)
    return found


def _says_nothing(given: Given, *, refuses: bool, may_be_error: bool) -> bool:
    """Whether an evaluator gave no value, and that is no value of an axis either: an answer that never came is none."""
    if isinstance(given.refusal, TimedOut):
        return True
    return isinstance(given.refusal, FAILED) and (refuses or (given.failure is not None and not may_be_error))


def _rule_in_short_lists(spec: MetricSpec, witnesses: Sequence[Witness]) -> str:
    """The rule that explains most cases of ties, for an evaluator that shows its order."""
    own = [each for each in witnesses if "ties" in each.axes]
    return max(_RULES, key=lambda rule: sum(each.agrees(spec.with_axes({"ties": rule})) for each in own))


def _tried(axis: str, declared: str | None, spec: MetricSpec, own: Sequence[Witness]) -> tuple[str, ...]:
    """The values that are tried: those that a case of the axis lists, the declared one, and the fitted one."""
    listed = [value for witness in own for value in witness.axes[axis]]
    return tuple(dict.fromkeys([*listed, *([] if declared is None else [declared]), spec[axis]]))


def _is_weak(axis: str, value: str, *, shown: bool) -> bool:
    """Whether a value agrees with everything inside the envelope, and so says little."""
    return axis == "ties" and value in WITHOUT_VALUE and not (value == "observed" and shown)


def _order(axis: str) -> tuple[str, ...]:
    return AXES[axis].values


def _names(witnesses: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for each in witnesses for name in each.cases))  # type: ignore[attr-defined]


def _several(
    axis: str,
    declared: str | None,
    consistent: Mapping[Witness, tuple[str, ...]],
    common: Sequence[str],
    against: tuple[str, ...],
) -> AxisFinding:
    """No one value agrees with all cases: the fewest that do together."""
    if "random" in common and any(each.given.moved for each in consistent):
        reason = "the same bytes gave other values at another call, always inside the envelope"
        return AxisFinding(axis, declared, "random", _names(consistent), against=against, reason=reason)
    rest = dict(consistent)
    values: dict[str, tuple[str, ...]] = {}
    while rest:
        counts: dict[str, int] = {}
        for found in rest.values():
            for value in found:
                if not _is_weak(axis, value, shown=False):
                    counts[value] = counts.get(value, 0) + 1
        if not counts:
            values[ARBITRARY] = _names(rest)
            break
        best = max(counts, key=lambda value: counts[value])
        values[best] = _names(each for each, found in rest.items() if best in found)
        rest = {each: found for each, found in rest.items() if best not in found}
    if ARBITRARY in values and len(values) > 2:
        # An arbitrary order agrees with a rule here and there by chance: what is left of rules is the commonest one.
        rule = max((each for each in values if each != ARBITRARY), key=lambda each: len(values[each]))
        kept = dict.fromkeys(values[rule])
        others = tuple(case for each in values.values() for case in each if case not in kept)
        values = {rule: values[rule], ARBITRARY: tuple(dict.fromkeys(others))}
    if len(values) == 1:
        only = next(iter(values))
        reason = "inside the envelope, but by no rule of the axis" if only == ARBITRARY else None
        return AxisFinding(axis, declared, only, _names(consistent), against=against, reason=reason)
    reason = "; ".join(f"{value} in {', '.join(names)}" for value, names in values.items())
    return AxisFinding(axis, declared, MIXED, _names(consistent), values=values, against=against, reason=reason)


def _nothing(
    axis: str,
    declared: str | None,
    silent: Sequence[Witness],
    wrong: Sequence[Witness],
    blank: Sequence[Witness],
) -> AxisFinding:
    """No case tells the axis's values apart: why."""
    if wrong:
        reason = "no value of the axis gives what it gave"
        return AxisFinding(axis, declared, UNEXPLAINED, _names(wrong), against=_names(wrong), reason=reason)
    if silent:
        failure = silent[0].given.failure
        assert failure is not None
        return AxisFinding(axis, declared, UNDETERMINED, _names(silent), reason=f"it {explain(failure)}")
    reason = "every value gives the same beside its other axes" if blank else "no case of the axis was asked"
    return AxisFinding(axis, declared, UNDETERMINED, _names(blank), reason=reason)


def _cutoff(spec: MetricSpec, witnesses: Sequence[Witness]) -> AxisFinding:
    """Whether the measure is cut where its name says."""
    own = [each for each in witnesses if "cutoff" in each.axes]
    kept = [each for each in own if each.agrees(spec)]
    if own and len(kept) == len(own):
        return AxisFinding("cutoff", AS_ASKED, AS_ASKED, _names(own))
    wrong = [each for each in own if each not in kept and each.given.failure is None]
    if not wrong:
        reason = "it has no other cutoff" if not own else "it refused"
        return AxisFinding("cutoff", AS_ASKED, UNDETERMINED if not kept else AS_ASKED, _names(kept), reason=reason)
    found: dict[str, list[Witness]] = {}
    for each in own:
        for value in each.axes["cutoff"]:
            other = each.at(value)
            if other.agrees(spec):
                found.setdefault(value, []).append(each)
    whole = [value for value, those in found.items() if len(those) == len(own)]
    measured = whole[0] if whole else MIXED if kept else UNEXPLAINED
    return AxisFinding("cutoff", AS_ASKED, measured, _names(own), against=_names(wrong))
