"""A finding of `fuzz` as a case file of the suite's form, with its attribution, and as lines to read."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence

from ndcgauge.data.collection import Collection
from ndcgauge.evaluators.names import catalogue
from ndcgauge.evaluators.outcomes import Outcome, Value
from ndcgauge.evaluators.references import Catalogued, EvaluatorRef
from ndcgauge.jobs.fuzz import Finding, pair_of
from ndcgauge.jobs.fuzz_examples import names
from ndcgauge.jobs.fuzz_observing import NO_RULE, collection_of, profile_of
from ndcgauge.reference import Evaluation
from ndcgauge.reference.listing import Listing, list_query
from ndcgauge.results.model import Report
from ndcgauge.spec import Measure, MetricSpec, preset_spec

_RULES = ("line", "docid-desc", "docid-asc", "line-reversed")
_LEFT_OUT = ("rounding", "queries", "cutoff", "nul", "run_duplicates", "qrels_duplicates")
"""Axes that a case of one query without repeats, compared by its exact value, says nothing about."""


def case_id(finding: Finding, refs: Sequence[EvaluatorRef]) -> str:
    """`fuzz-ranx-pyserini-score-precision-ties-as-line`: a file's stem."""
    words = "-".join(("fuzz", *(each.id for each in refs), str(finding.difference.cause)))
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")[:120].rstrip("-")


def case_text(
    finding: Finding, refs: Sequence[EvaluatorRef], measure: Measure, profiles: Mapping[str, str] | None = None
) -> str:
    """The TOML of the case. What each evaluator's profile gives is expected as a sum over ranks where the measure
    is one and the order of ties is a rule, and otherwise as the reference's number."""
    qrels, run = pair_of(finding.difference.example)
    expected = _expectations(finding, refs, measure, profiles or {})
    lines = [
        'schema  = "ndcgauge-case/1"',
        f"title   = {json.dumps(title(finding, refs))}",
        f"axes    = {json.dumps(list(finding.difference.cause.axes))}",
        f"why     = {json.dumps(_why(finding, refs))}",
        "refs    = []",
        f"measure = {json.dumps(measure.name)}",
        'preset  = "trec_eval"',
        f'qrels = """\n{qrels}"""',
        f'run = """\n{run}"""',
    ]
    for when, note, form in expected:
        pairs = ", ".join(f"{axis} = {json.dumps(value)}" for axis, value in when)
        lines += [
            "",
            "[[expect]]",
            f"when = {{ {pairs} }}" if pairs else "when = {}",
            f"note = {json.dumps(note)}",
            f"{names(1)[0]} = {json.dumps(form)}",
        ]
    return "\n".join(lines) + "\n"


def title(finding: Finding, refs: Sequence[EvaluatorRef]) -> str:
    """`ranx 0.5 and pyserini 0.6309 differ: ties (as line)`."""
    found = finding.difference
    other = refs[1].id if len(refs) > 1 else f"{refs[0].id}'s profile"
    return f"{refs[0].id} {outcome_text(found.left)} and {other} {outcome_text(found.right)} differ: {found.cause}"


def outcome_text(outcome: Outcome) -> str:
    """A value as a number, anything else by its name."""
    return repr(outcome.number) if isinstance(outcome, Value) else type(outcome).__name__.lower()


def attribution_text(report: Report | None) -> str:
    """How the comparison splits the difference: contributions of axes, the residual, the verdict."""
    entry = None if report is None or not report.discrepancies else report.discrepancies[-1]
    if entry is None:
        return ""
    parts = [f"{axis} {value:+.6f}" for axis, value in entry.contributions.items()]
    parts += [f"rounding {entry.rounding:+.6f}"] if entry.rounding else []
    minimal = " or ".join(" and ".join(each) for each in entry.minimal)
    return f"{entry.verdict}: {', '.join(parts) or 'nothing'}; residual {entry.residual:+.2g}" + (
        f"; {minimal} alone" if minimal else ""
    )


def _why(finding: Finding, refs: Sequence[EvaluatorRef]) -> str:
    command = " ".join(("ndcgauge fuzz", *(f"-e {each.id}" for each in refs)))
    versions = {} if finding.report is None else dict(finding.report.environment.packages)
    here = ", ".join(f"{name} {versions[name]}" for each in refs if (name := _package(each)) in versions)
    small = "no simpler neighbour differs so" if finding.smallest else "the search ended before it was smallest"
    told = attribution_text(finding.report)
    return f"Found by {command}" + (f" ({here})" if here else "") + f"; {small}." + (f" {told}." if told else "")


def _package(ref: EvaluatorRef) -> str:
    return catalogue()[ref.name].package if isinstance(ref, Catalogued) else ref.id


def _expectations(
    finding: Finding, refs: Sequence[EvaluatorRef], measure: Measure, profiles: Mapping[str, str]
) -> list[tuple[list[tuple[str, str]], str, str]]:
    """For each evaluator whose value a specification gives: what is set, who has it, and the form of the value."""
    base = preset_spec("trec_eval", measure.stem, measure.cutoff)
    base = base.replace(**measure.changes) if measure.changes else base
    collection = collection_of([finding.difference.example], names(1))
    evaluation = Evaluation(collection, {})
    found: dict[tuple[tuple[str, str], ...], tuple[list[str], str]] = {}
    outcomes = (finding.difference.left, finding.difference.right)
    for ref, outcome in zip(refs, outcomes, strict=False):
        spec = profile_of(ref, measure, profiles)
        if spec is None or not isinstance(outcome, Value) or math.isnan(outcome.number):
            continue
        for each in _with_rules(spec, finding.difference.cause.what):
            values, _ = evaluation.per_query(each)
            value = float(values[0])
            printed = 0.0 if spec["rounding"] == "none" else 0.5 * 10.0 ** -int(spec["rounding"])
            if abs(value - outcome.number) > 1e-9 + printed:
                continue
            when = _when(each, base, finding.difference.cause.axes, evaluation)
            if when not in found:
                found[when] = ([], _form(_listing(collection, evaluation, each), each, value))
            found[when][0].append(ref.id)
            break
    return [(list(when), ", ".join(who), form) for when, (who, form) in found.items()]


def _when(
    spec: MetricSpec, base: MetricSpec, axes: Sequence[str], evaluation: Evaluation
) -> tuple[tuple[str, str], ...]:
    """What is set beside the preset: of the cause's axes alone, where that gives the same value."""
    changed = {axis: own for axis, (own, _) in spec.diff(base).items() if axis not in _LEFT_OUT}
    few = {axis: value for axis, value in changed.items() if axis in axes}
    same = float(evaluation.per_query(base.replace(**few))[0][0]) == float(evaluation.per_query(spec)[0][0])
    return tuple((few if same else changed).items())


def _with_rules(spec: MetricSpec, what: str) -> list[MetricSpec]:
    if spec["ties"] != "observed":
        return [spec]
    return [] if what == NO_RULE else [spec.replace(ties=rule) for rule in _RULES]


def _listing(collection: Collection, evaluation: Evaluation, spec: MetricSpec) -> Listing | None:
    """The table of the case's query, where its value is a sum over ranks of known documents."""
    if spec.measure.partition("@")[0] not in ("ndcg", "dcg") or spec["ties"] not in _RULES:
        return None
    return list_query(collection, evaluation, spec, str(collection.queries[0]))


def _form(listing: Listing | None, spec: MetricSpec, value: float) -> str:
    """The value as a sum of gain / log2(rank + 1), where it is one; else as a number of 17 digits."""
    if listing is None or spec["discount"] != "log2":
        return repr(value)
    dcg = _sum([(float(each.rank), each.gain) for each in listing.ranking if each.product])
    if spec.measure.startswith("dcg"):
        return dcg
    ideal = _sum([(float(each.rank), each.gain) for each in listing.ideal if each.product])
    return f"({dcg}) / ({ideal})" if ideal != "0" else "0"


def _sum(terms: Sequence[tuple[float, float]]) -> str:
    return " + ".join(f"{gain:g}/log2({rank + 1:g})" for rank, gain in terms) or "0"
