"""Report documents built by hand, one statement at a time: nothing in them comes from an evaluation."""

from __future__ import annotations

from dataclasses import dataclass

from ndcgauge.results.model import (
    Accounting,
    Attribution,
    DiscrepancyEntry,
    EnvelopeEntry,
    Environment,
    EvaluatorEntry,
    InputFile,
    MovedDocument,
    QueryOutcome,
    ReferenceEntry,
    Report,
    ScoreEntry,
    Scores,
    SpecEntry,
    Timing,
    Tool,
    WorstQueryEntry,
)

AXES = {"measure": "ndcg", "cutoff": "10", "gain": "linear", "queries": "judged", "ties": "docid-desc"}


@dataclass(frozen=True)
class Texts:
    """Everything in a document that a file or a program can write."""

    run: str = "bm25.run"
    queries: tuple[str, str, str] = ("301", "302", "303")
    missing: str = "304"
    docs: tuple[str, str] = ("LA01", "FT02")
    message: str = "refused: a negative grade"
    program: str = "house"


PLAIN = Texts()


def values(texts: Texts, *numbers: float | None) -> dict[str, QueryOutcome]:
    """Query to value; None is a refusal."""
    return {
        query: QueryOutcome(outcome="refused", message=texts.message)
        if number is None
        else QueryOutcome(outcome="value", value=number)
        for query, number in zip(texts.queries, numbers, strict=True)
    }


def evaluator(
    texts: Texts, name: str, mean: float | None, numbers: tuple[float | None, ...], **more: object
) -> EvaluatorEntry:
    """An evaluator that did what its profile says, unless `more` says otherwise."""
    answered = sum(each is not None for each in numbers)
    outcomes = {"value": answered} if answered else {}
    if answered < len(numbers):
        outcomes["refused"] = len(numbers) - answered
    base = EvaluatorEntry(
        id=name,
        title=f"the evaluator {name}",
        measure="ndcg@10",
        run=texts.run,
        outcome="refused" if mean is None else "value",
        message=None,
        mean=mean,
        verified=True,
        answered=answered,
        asked=len(numbers),
        profile=AXES,
        behaves_as=None,
        alternatives=[],
        notes=[],
        largest_difference=2.0**-52,
        largest_ulp=2.0,
        decimals=None,
        versions={name: "1.2"},
        python="3.11.7",
        called=f"{name} QRELS RUN",
        seconds=Timing(load=0.25, evaluate=0.5),
        outcomes=outcomes,
        smallest_query=None,
        queries=values(texts, *numbers),
    )
    return EvaluatorEntry.model_validate({**base.model_dump(), **more})


def discrepancy(texts: Texts, name: str, difference: float, verdict: str, **more: object) -> DiscrepancyEntry:
    """A discrepancy with nothing in it but what `more` says."""
    families = {"gain": 0.0, "discount": 0.0, "tie-breaking": 0.0, "unjudged": 0.0, "unexplained": 0.0}
    return DiscrepancyEntry.model_validate(
        {
            "run": texts.run,
            "measure": "ndcg@10",
            "baseline": "trec_eval",
            "evaluator": name,
            "difference": difference,
            "over": 3,
            "contributions": {},
            "contributions_queries": {},
            "rounding": 0.0,
            "residual": 0.0,
            "minimal": [],
            "queries_differing": 0,
            "spec_used": AXES,
            "verdict": verdict,
            "worst": [],
            "notes": [],
            **more,
            "families": {**families, **more.get("families", {})},  # type: ignore[dict-item]
        }
    )


def worst(texts: Texts, *gaps: float) -> list[WorstQueryEntry]:
    """Queries with a baseline of 0.5, the first with a document that moved and one that came in."""
    first, second = texts.docs
    moved = [
        MovedDocument(doc=first, grade="3", baseline_rank="1", evaluator_rank="4"),
        MovedDocument(doc=second, grade="-1", baseline_rank=None, evaluator_rank="7.5"),
    ]
    return [
        WorstQueryEntry(
            query=query, baseline=0.5, evaluator=0.5 + gap, difference=gap, moved=moved if place == 0 else []
        )
        for place, (query, gap) in enumerate(zip(texts.queries, gaps, strict=False))
    ]


def accounting(texts: Texts) -> Accounting:
    """Four judged queries of which the run has three, and one query that is not judged."""
    return Accounting(
        judged=4,
        retrieved=4,
        both=3,
        judged_only=[texts.missing],
        run_only=1,
        without_relevant=[texts.queries[2]],
        judged_at_k=0.75,
        k=10,
        tied_in_top_k=2,
        tied_across_k=1,
        tied_across_k_float32=2,
        own_documents=1,
    )


def report(texts: Texts = PLAIN) -> Report:
    """One run, one measure, one evaluator for each verdict and outcome.

    `exact` is equal; `prints` too, up to 4 decimals; `tied` differs by two axes whose shares sum to
    its difference (-0.03 + 0.01 = -0.02); the program differs by gain and something unknown
    (0.05 + 0.02 = 0.07) and answered two of three queries; `refuses` answered nothing.
    """
    intersection = {**AXES, "queries": "intersection"}
    return Report(
        tool=Tool(version="9.9"),
        created=None,
        command=["ndcgauge", "compare", "qrels", texts.run],
        inputs=[
            InputFile(
                role="qrels",
                name="some.qrels",
                sha256="0123456789abcdef" * 4,
                lines=1234,
                queries=4,
                format="trec qrels",
                relevance_scale={"-1": 2, "0": 1000, "3": 232},
            ),
            InputFile(
                role="run",
                name=texts.run,
                sha256="fedcba9876543210" * 4,
                lines=4000,
                queries=4,
                format="trec run",
                unpacked=True,
                accounting=accounting(texts),
            ),
        ],
        spec=[
            SpecEntry(
                measure="ndcg@10",
                hash="spec:0123456789ab",
                short="ndcg@10 [queries=judged]",
                sentence="nDCG@10 with linear gain; mean over all judged queries.",
                axes=AXES,
            )
        ],
        evaluators=[
            evaluator(texts, "exact", 0.5, (0.5, 0.5, 0.5)),
            evaluator(texts, "prints", 0.5, (0.5, 0.5, 0.5), decimals=4, profile=intersection),
            evaluator(texts, "tied", 0.48, (0.47, 0.48, 0.49), profile=intersection),
            evaluator(
                texts,
                texts.program,
                0.57,
                (0.6, 0.54, None),
                verified=False,
                behaves_as={"gain": "exponential"},
                notes=["behaves as gain=exponential, not as declared"],
            ),
            evaluator(texts, "refuses", None, (None, None, None), message=texts.message, verified=False),
        ],
        discrepancies=[
            discrepancy(texts, "exact", 0.0, "agrees", minimal=[[]]),
            discrepancy(
                texts,
                "prints",
                0.00004,
                "agrees",
                minimal=[[]],
                rounding=0.00004,
                families={"numeric": 0.00004},
            ),
            discrepancy(
                texts,
                "tied",
                -0.02,
                "explained",
                contributions={"ties": -0.03, "queries": 0.01},
                contributions_queries={"ties": 2, "queries": 1},
                families={"tie-breaking": -0.03, "aggregation": 0.01},
                minimal=[["queries", "ties"]],
                queries_differing=3,
                worst=worst(texts, -0.03, -0.02, -0.01),
            ),
            discrepancy(
                texts,
                texts.program,
                0.07,
                "partly explained",
                contributions={"gain": 0.05},
                contributions_queries={"gain": 2},
                families={"gain": 0.05, "unexplained": 0.02},
                residual=0.02,
                over=2,
                queries_differing=2,
                worst=worst(texts, 0.1, 0.04),
                notes=[f"note on {texts.docs[0]}"],
            ),
        ],
        attribution=Attribution(
            envelopes=[
                EnvelopeEntry(run=texts.run, measure="ndcg@10", worst=0.41, average=0.47, best=0.52, queries_open=2)
            ],
            references=[
                ReferenceEntry(
                    run=texts.run,
                    measure="ndcg@10",
                    baseline="trec_eval",
                    mean=0.5,
                    queries=dict.fromkeys(texts.queries, 0.5),
                )
            ],
        ),
        warnings=[f"query {texts.queries[0]} has one document only"],
        environment=Environment(python="3.11.7", packages={"numpy": "2.0"}, created_by="ndcgauge 9.9"),
    )


def scores(texts: Texts = PLAIN) -> Scores:
    """Two measures on one run; the second has no query."""
    first, second, third = texts.queries
    return Scores(
        tool=Tool(version="9.9"),
        scores=[
            ScoreEntry(
                run=texts.run,
                measure="ndcg@10",
                spec=AXES,
                mean=0.4375,
                queries={first: 0.5, second: 0.75, third: 0.0625},
            ),
            ScoreEntry(run=texts.run, measure="ap", spec={"measure": "ap"}, mean=None, queries={}),
        ],
    )
