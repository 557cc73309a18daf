"""A finding in words: the verdict in a sentence, a sentence and a table row for a paper."""

from __future__ import annotations

from collections.abc import Sequence

from ndcgauge.audit.finding import Candidate, Finding, Verdict
from ndcgauge.evaluators.names import catalogue
from ndcgauge.spec import PRESETS, MetricSpec
from ndcgauge.spec.sentences import sentence

UNSAID = 1
"""Candidates beyond the first that a sentence names."""


def changes_text(candidate: Candidate) -> str:
    """`gain=exponential, ties=average`; `as stated` where nothing acts differently."""
    return ", ".join(f"{axis}={value}" for axis, value in candidate.changes.items()) or "as stated"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _value(finding: Finding) -> str:
    if finding.value is None:
        return f"the stated specification has no value here ({finding.refusal or 'undefined'})"
    return f"the stated specification gives {finding.value:.{max(4, finding.claim.printed.decimals + 1)}f}"


def percent(share: float) -> str:
    """A share as people say it."""
    if share == 0:
        return "0 %"
    if share < 0.001:
        return "under 0.1 %"
    return f"{share * 100:.1f} %" if share < 0.1 else f"{share * 100:.0f} %"


def accident(finding: Finding) -> str:
    """How likely an accident is, as a clause."""
    return f"{percent(finding.chance)} of the numbers about that value are reproduced by some specification anyway"


def summary(finding: Finding) -> str:
    """The verdict in a sentence or two, the most telling thing first."""
    claimed = f"{finding.claim.name} = {finding.claim.printed.text}"
    match finding.verdict:
        case Verdict.REPRODUCED:
            told = f"{claimed} is reproduced: {_value(finding)}"
            return f"{told}{_who(finding)}."
        case Verdict.OTHERWISE:
            first = finding.candidates[0]
            told = f"{claimed} is reproduced under another specification: {changes_text(first)} gives {first.value:.6f}"
            return f"{told}{_who(finding)}; {_value(finding)}. {accident(finding).capitalize()}."
        case Verdict.AMBIGUOUS:
            groups = {each.group: each for each in reversed(finding.candidates)}
            ways = " or ".join(changes_text(each) for _, each in sorted(groups.items())[:3])
            more = f" and {len(groups) - 3} more" if len(groups) > 3 else ""
            told = (
                f"{claimed} is ambiguous: {len(groups)} ways, equally near to what somebody computes, give it: {ways}"
            )
            return f"{told}{more}; {_value(finding)}. {accident(finding).capitalize()}."
        case Verdict.MISTAKE:
            assert finding.hypothesis is not None
            why = f"{finding.hypothesis.mistake.value}: {finding.hypothesis.text}"
            return f"{claimed} is reproduced by a mistake, {why}; {_value(finding)}."
        case Verdict.IMPOSSIBLE:
            never = "no specification of the lattice reaches it in any order of ties"
            return f"{claimed} is impossible: {never}; {_value(finding)}."
        case Verdict.NOT:
            value, spec = finding.closest
            closest = "" if value is None else f"; the closest is {value:.6f}, {spec.short()}"
            return f"{claimed} is not reproduced: {_value(finding)}{closest}."
        case Verdict.CONTRADICTED:
            said = _listed([f"{name} gives {_number(value)}" for name, value in finding.printed_by.items()])
            return f"{claimed} is contradicted: {said} on these files."


def _number(value: float | None) -> str:
    return "no value" if value is None else f"{value:.6f}"


def _who(finding: Finding) -> str:
    names = finding.evaluators
    return f", which is what {_listed(names)} {'computes' if len(names) == 1 else 'compute'}" if names else ""


def in_words(finding: Finding, spec: MetricSpec) -> str:
    """A specification of the claim's measure as a sentence that a paper could print."""
    if finding.claim.trec_name is None:
        return sentence(spec)
    base = MetricSpec.of(spec.measure)
    changed = ", ".join(f"{axis}={new}" for axis, (_, new) in base.diff(spec).items())
    return f"{finding.claim.trec_name} as trec_eval computes it{' with ' + changed if changed else ''}."


def paper_sentence(finding: Finding) -> str:
    """A sentence that a paper can print."""
    name, number = finding.claim.name, finding.claim.printed.text
    match finding.verdict:
        case Verdict.REPRODUCED:
            return f"The published {name} of {number} is reproduced by {in_words(finding, finding.spec)}"
        case Verdict.OTHERWISE:
            return f"The published {name} of {number} is reproduced by {in_words(finding, finding.candidates[0].spec)}"
        case Verdict.AMBIGUOUS:
            return (
                f"The published {name} of {number} is reproduced by {finding.matching_classes} different "
                "specifications; the source does not say enough to tell which."
            )
        case Verdict.MISTAKE:
            assert finding.hypothesis is not None
            return f"The published {name} of {number} fits a mistake: {finding.hypothesis.text}."
        case Verdict.IMPOSSIBLE | Verdict.NOT:
            return (
                f"The published {name} of {number} could not be reproduced by any of {finding.searched:,} "
                "specifications."
            )
        case Verdict.CONTRADICTED:
            return f"The published {name} of {number} is not what {_listed(list(finding.printed_by))} computes."


def paper_row(finding: Finding) -> list[str]:
    """Source, measure, published number, value of the stated specification, what reproduces it, verdict."""
    claim = finding.claim
    how = ""
    if finding.verdict in (Verdict.OTHERWISE, Verdict.AMBIGUOUS):
        how = changes_text(finding.candidates[0])
    elif finding.hypothesis is not None:
        how = finding.hypothesis.mistake.value
    value = "–" if finding.value is None else f"{finding.value:.{claim.printed.decimals}f}"
    source = ", ".join(each for each in (claim.source, claim.place) if each) or finding.run
    return [source, claim.name, claim.printed.text, value, how, finding.verdict.value]


def citations(finding: Finding) -> list[str]:
    """BibTeX keys of what a finding rests on: presets and evaluators that are named in it."""
    names = {*finding.evaluators, *finding.printed_by, *(name for each in finding.candidates for name in each.nearest)}
    keys = {PRESETS[name].bibtex_key for name in names if name in PRESETS} | {"trec_eval"}
    keys |= {catalogue()[name].adapter for name in names if name in catalogue()}
    if any(each.spec["ties"] == "average" for each in finding.candidates):
        keys.add("mcsherry2008computing")
    return ["ndcgauge", *sorted(keys)]
