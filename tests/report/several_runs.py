"""A document of three runs by hand: `tied` swaps the first two, `prints` cannot tell the last two apart."""

from __future__ import annotations

from tests.report.documents import Texts, report

from ndcgauge.results.model import EvaluatorEntry, Report
from ndcgauge.results.several import (
    GroupEntry,
    GroupValue,
    OrderEntry,
    Perturbation,
    PerturbedOrder,
    SensitivityEntry,
)

A, B, C = "runs/a.run", "runs/b.run", "other/c.run"


def order(name: str, means: tuple[float, float, float], runs: list[list[str]], **more: object) -> OrderEntry:
    values = {"tau": 1.0, "swapped": [], "undecided": [], "changes_winner": False, **more}
    return OrderEntry.model_validate(
        {
            "measure": "ndcg@10",
            "evaluator": name,
            "means": dict(zip((A, B, C), means, strict=True)),
            "order": runs,
            **values,
        }
    )


def changed(gain: str, run: str, mean: float, after: float) -> SensitivityEntry:
    return SensitivityEntry(
        measure="ndcg@10",
        run=run,
        gain=gain,
        mean=mean,
        perturbed=after,
        difference=after - mean,
        queries_changed=2,
        largest=0.25,
        largest_query="301",
    )


def several(*, swap: bool = True) -> Report:
    """With `swap` False, `tied` orders the runs as the baseline does."""
    one = report(Texts(run=A))
    parts = [one, report(Texts(run=B)), report(Texts(run=C))]
    evaluators: list[EvaluatorEntry] = [each for part in parts for each in part.evaluators[:3]]
    references = [
        part.attribution.references[0].model_copy(update={"mean": mean})
        for part, mean in zip(parts, (0.5, 0.4, 0.3), strict=True)
    ]
    tied = (
        order("tied", (0.4, 0.5, 0.3), [[B], [A], [C]], tau=1 / 3, swapped=[[A, B]], changes_winner=True)
        if swap
        else order("tied", (0.6, 0.5, 0.3), [[A], [B], [C]])
    )
    return one.model_copy(
        update={
            "inputs": [one.inputs[0], *(part.inputs[1] for part in parts)],
            "evaluators": evaluators,
            "discrepancies": [each for part in parts for each in part.discrepancies[:3]],
            "attribution": one.attribution.model_copy(
                update={
                    "references": references,
                    "envelopes": [each for part in parts for each in part.attribution.envelopes],
                }
            ),
            "orders": [
                order("trec_eval", (0.5, 0.4, 0.3), [[A], [B], [C]]),
                order("prints", (0.5, 0.35, 0.35), [[A], [C, B]], tau=0.8165, undecided=[[B, C]]),
                tied,
            ],
            "groups": [
                GroupEntry(
                    run=A,
                    measure="ndcg@10",
                    group=group,
                    queries=2,
                    mean=0.5,
                    evaluators={
                        "tied": GroupValue(over=over, baseline=0.5, mean=0.25, difference=-0.25),
                        "prints": GroupValue(over=0, baseline=None, mean=None, difference=None),
                    },
                )
                for group, over in (("head | short", 2), ("", 1))
            ],
            "perturbation": Perturbation(
                changes={"3": "2"},
                judgments=232,
                entries=[changed("linear", A, 0.5, 0.45), changed("exponential", A, 0.5, 0.375)],
                orders=[
                    PerturbedOrder(
                        measure="ndcg@10",
                        gain=gain,
                        before=[[A], [B]],
                        after=[[B], [A]] if wins else [[A], [B]],
                        tau=-1.0 if wins else 1.0,
                        swapped=[[A, B]] if wins else [],
                        changes_winner=wins,
                    )
                    for gain, wins in (("linear", False), ("exponential", True))
                ],
            ),
        }
    )
