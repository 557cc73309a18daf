"""A document of any number of queries with three evaluators, made by a rule."""

from __future__ import annotations

from functools import cache

from tests.report.documents import AXES, Texts, discrepancy, report

from ndcgauge.report import render
from ndcgauge.results.model import EnvelopeEntry, EvaluatorEntry, QueryOutcome, Report, WorstQueryEntry

FULL = {
    "averaging": "macro",
    "depth": "none",
    "discount": "log2",
    "grades": "integer",
    "ideal": "judged",
    "ideal_cutoff": "same",
    "min_grade": "none",
    "min_score": "none",
    "negative": "unjudged",
    "nul": "error",
    "order": "score",
    "qrels_duplicates": "error",
    "rounding": "none",
    "row_rounding": "none",
    "run_duplicates": "error",
    "score_precision": "float64",
    "self": "keep",
    "threshold": "1",
    "unjudged": "zero",
    "unretrieved": "absent",
    "zero_ideal": "zero",
    **AXES,
}
"""Every axis of nDCG."""


def values(count: int, shift: float) -> dict[str, float]:
    """Query ids of seven digits; values between 0 and 1 of seventeen digits, shifted for every third query."""
    raw = {f"{1_000_000 + 37 * place}": (place * 0.6180339887498949) % 1.0 for place in range(count)}
    moved = ((query, value, place % 3 == 0) for place, (query, value) in enumerate(raw.items()))
    return {query: min(1.0, max(0.0, value + shift)) if here else value for query, value, here in moved}


@cache
def page(count: int) -> str:
    """The HTML page of `large(count)`; rendered once for all tests."""
    return render(large(count), "html")


@cache
def large(count: int) -> Report:
    """trec_eval as the baseline; `same` agrees, `tied` differs by ties, `burges` by gain and something unknown."""
    document = report(Texts(run="runs/large.run"))
    base = values(count, 0.0)
    mean = sum(base.values()) / count

    def entry(name: str, shift: float, **changes: object) -> EvaluatorEntry:
        found = values(count, shift)
        model = document.evaluators[0].model_copy(
            update={
                "id": name,
                "mean": sum(found.values()) / count,
                "answered": count,
                "asked": count,
                "profile": {**FULL, **changes},
                "queries": {query: QueryOutcome(outcome="value", value=value) for query, value in found.items()},
                "outcomes": {"value": count},
            }
        )
        return EvaluatorEntry.model_validate(model.model_dump())

    evaluators = [entry("same", 0.0), entry("tied", 0.05, ties="average"), entry("burges", -0.11, gain="exponential")]
    gaps = {each.id: (each.mean or 0.0) - mean for each in evaluators}
    texts = Texts(run="runs/large.run")

    def worst(each: EvaluatorEntry) -> list[WorstQueryEntry]:
        found = {query: (outcome.value or 0.0) - base[query] for query, outcome in each.queries.items()}
        names = sorted((query for query in found if found[query]), key=lambda query: (-abs(found[query]), query))[:10]
        moved = document.discrepancies[2].worst[0].moved * 5
        return [
            WorstQueryEntry(
                query=query,
                baseline=base[query],
                evaluator=base[query] + found[query],
                difference=found[query],
                moved=moved,
            )
            for query in names
        ]

    differing = (count + 2) // 3
    discrepancies = [
        discrepancy(texts, "same", 0.0, "agrees", minimal=[[]]),
        discrepancy(
            texts,
            "tied",
            gaps["tied"],
            "explained",
            contributions={"ties": gaps["tied"]},
            families={"tie-breaking": gaps["tied"]},
            minimal=[["ties"]],
            queries_differing=differing,
            worst=worst(evaluators[1]),
        ),
        discrepancy(
            texts,
            "burges",
            gaps["burges"],
            "partly explained",
            contributions={"gain": gaps["burges"] - 0.01},
            families={"gain": gaps["burges"] - 0.01, "unexplained": 0.01},
            residual=0.01,
            queries_differing=differing,
            worst=worst(evaluators[2]),
        ),
    ]
    reference = document.attribution.references[0].model_copy(update={"mean": mean, "queries": base})
    open_queries = {
        query: [max(0.0, value - 0.1), value, min(1.0, value + 0.1)]
        for query, value in values(count, 0.0).items()
        if int(query) % 2
    }
    envelope = EnvelopeEntry(
        run="runs/large.run",
        measure="ndcg@10",
        worst=mean - 0.05,
        average=mean,
        best=mean + 0.05,
        queries_open=len(open_queries),
        queries=open_queries,
    )
    return document.model_copy(
        update={
            "spec": [document.spec[0].model_copy(update={"axes": FULL})],
            "evaluators": evaluators,
            "discrepancies": discrepancies,
            "attribution": document.attribution.model_copy(update={"references": [reference], "envelopes": [envelope]}),
        }
    )
