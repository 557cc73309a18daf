"""The text of a new case: its files, and for each specification the hand calculation spelled out.

No expected value comes from a program. What is written is the arithmetic that a person would do with the
table of `explain` beside them: grades, ranks and logarithms, a term for each document, nothing added up.
Whoever takes the case into a suite checks each term against the files; until then its `why` and `refs` are
empty and `cases lint` refuses it. Where the table has no such form the place is left open with `?`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ndcgauge.data.collection import Collection
from ndcgauge.reference import Evaluation, NoClosedForm
from ndcgauge.reference.listing import IdealDoc, ListedDoc, Listing, list_query
from ndcgauge.spec import AXES, MetricSpec, axes_of

OPEN = "?"
"""Stands where a person has to write the closed form."""
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Draft:
    """What a new case is made of."""

    id: str
    title: str
    axes: Sequence[str]
    measure: str
    qrels: str
    run: str
    expects: Sequence[tuple[Mapping[str, str], str, Mapping[str, str]]]
    """Axis values, a note (the ranking), and query to closed form."""
    comments: Sequence[str] = ()


def text_of(draft: Draft) -> str:
    """The draft as a case file."""
    lines = [f"# {each}" for each in draft.comments]
    lines += [
        'schema  = "ndcgauge-case/1"',
        f"title   = {_quoted(draft.title)}",
        f"axes    = {json.dumps(list(draft.axes))}",
        'why     = ""',
        "refs    = []",
        f"measure = {_quoted(draft.measure)}",
        'preset  = "trec_eval"',
        f'qrels = """\n{_literal(draft.qrels)}"""',
        f'run = """\n{_literal(draft.run)}"""',
    ]
    for when, note, values in draft.expects:
        lines += ["", "[[expect]]"]
        if when:
            lines.append(f"when = {{ {', '.join(f'{axis} = {_quoted(value)}' for axis, value in when.items())} }}")
        if note:
            lines.append(f"note = {_quoted(note)}")
        lines += [f"{_key(query)} = {_quoted(form)}" for query, form in values.items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _key(query: str) -> str:
    return query if _PLAIN.fullmatch(query) else _quoted(query)


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', '""\\"')


def calculation(collection: Collection, spec: MetricSpec, query: str) -> tuple[str, str]:
    """The ranking as a note, and the hand calculation of a query's value; `?` where the table gives none."""
    try:
        listing = list_query(collection, Evaluation(collection, {}), _graded(spec), query)
    except NoClosedForm:
        return "", OPEN
    note = " ".join(each.doc for each in listing.ranking)
    if any("-" in each.rank for each in listing.ranking):
        note = " ".join(f"{each.doc} ({each.rank})" for each in listing.ranking)
    if spec["ties"] in ("best", "worst") and spec.measure != "dcg":
        return note, OPEN
    match spec.measure:
        case "ndcg" | "dcg":
            return note, _graded_form(spec, listing)
        case _:
            return note, _counted_form(spec, listing, collection, query)


def _graded(spec: MetricSpec) -> MetricSpec:
    """The specification whose table shows the ranking: of a binary measure, the DCG of relevant documents."""
    if spec.measure in ("ndcg", "dcg"):
        return spec
    shared = {axis.name: spec[axis.name] for axis in axes_of("dcg") if axis.name in spec.axes}
    return MetricSpec.of("dcg", {**shared, "gain": "binary", "cutoff": "none"})


def _graded_form(spec: MetricSpec, listing: Listing) -> str:
    top = _sum([_ranked_term(spec, each) for each in listing.ranking if each.product != 0])
    if spec.measure == "dcg":
        return top
    bottom = _sum([_ideal_term(spec, each) for each in listing.ideal if each.product != 0])
    if bottom == "0":
        return {"zero": "0", "one": "1", "skip": "missing", "nan": "undefined"}[spec["zero_ideal"]]
    return f"({top}) / ({bottom})" if top != "0" else "0"


def _sum(terms: Sequence[str]) -> str:
    return " + ".join(terms).replace("+ -", "- ") if terms else "0"


def _ranked_term(spec: MetricSpec, each: ListedDoc) -> str:
    first, _, last = each.rank.partition("-")
    gain = _gain(spec, each.grade, each.gain)
    if not last:
        return _weighed(spec, gain, int(first))
    end = int(last) if spec.cutoff is None else min(int(last), spec.cutoff)
    weights = [_weighed(spec, "1", rank) for rank in range(int(first), end + 1)]
    return f"{gain}*({_sum(weights)})/{int(last) - int(first) + 1}"


def _ideal_term(spec: MetricSpec, each: IdealDoc) -> str:
    return _weighed(spec, _gain(spec, each.grade, each.gain), each.rank)


def _gain(spec: MetricSpec, grade: float | None, gain: float) -> str:
    if spec["gain"] == "exponential" and grade is not None and gain != 0:
        return f"(2**{_number(grade)} - 1)"
    return _number(gain)


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _weighed(spec: MetricSpec, gain: str, rank: int) -> str:
    """A gain at a rank, with the discount written out."""
    name, _, parameter = spec["discount"].replace("log2+", "log2+:").partition(":")
    match name:
        case "none":
            return gain
        case "reciprocal":
            return f"{gain}/{rank}"
        case "log2*reciprocal":
            return f"{gain}/({rank}*log2({rank + 1}))"
        case "jk":
            return gain if rank < float(parameter) else f"{gain}*log({parameter})/log({rank})"
        case _:
            shift = float(parameter or "1")
            return gain if shift == 1 and rank == 1 else f"{gain}/log2({_number(rank + shift)})"


def _counted_form(spec: MetricSpec, listing: Listing, collection: Collection, query: str) -> str:
    """Counts of relevant (or judged) documents; only the usual denominators are written out."""
    usual = {"ap_denominator": "relevant", "recall_denominator": "relevant", "precision_denominator": "k"}
    unusual = any(spec.axes.get(axis, value) != value for axis, value in usual.items())
    if unusual or any("-" in each.rank for each in listing.ranking) or spec["qrels_duplicates"] == "all":
        return OPEN
    judged = spec.measure == "judged"
    cutoff = len(listing.ranking) if spec.cutoff is None else spec.cutoff
    hits = [
        int(each.rank)
        for each in listing.ranking
        if (each.grade is not None if judged else each.gain > 0) and int(each.rank) <= cutoff
    ]
    shown = min(cutoff, len(listing.ranking))
    relevant = _relevant(spec, collection, query)
    match spec.measure:
        case "rr":
            return f"1/{hits[0]}" if hits else "0"
        case "precision":
            return f"{len(hits)}/{cutoff}" if cutoff else "0"
        case "judged":
            size = cutoff if spec["judged_denominator"] == "k" else shown
            return f"{len(hits)}/{size}" if size else "0"
        case "recall":
            return f"{len(hits)}/{relevant}" if relevant else OPEN
        case _:
            parts = _sum([f"{number}/{rank}" for number, rank in enumerate(hits, start=1)])
            return f"({parts}) / {relevant}" if relevant else OPEN


def _relevant(spec: MetricSpec, collection: Collection, query: str) -> int:
    evaluation = Evaluation(collection, {})
    judgments = evaluation.judgments(spec)
    own = judgments.query == collection.index[query]
    return int((judgments.grade[own] >= float(spec["threshold"])).sum())


def changes_of(spec: MetricSpec) -> dict[str, str]:
    """The axes in which a specification differs from the `trec_eval` preset; what is printed is left out."""
    base = MetricSpec.of(spec.measure, {"cutoff": spec["cutoff"]})
    found = base.diff(spec)
    return {axis: found[axis][1] for axis in AXES if axis in found and axis != "rounding"}
