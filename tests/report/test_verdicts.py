from __future__ import annotations

from tests.report.documents import report

from ndcgauge.report.verdicts import verdict_text


def test_who_differs_then_who_agrees_then_who_gave_nothing() -> None:
    first, second = verdict_text(report()).splitlines()
    assert first == (
        "ndcg@10 of bm25.run: trec_eval -c 0.5000. "
        "house +0.0700 on the 2 of 3 queries that it answered (partly explained: gain +0.0500; unexplained +0.0200). "
        "tied -0.0200 (explained: ties -0.0300, queries +0.0100). exact agrees. prints agrees up to printed decimals. "
        "refuses gave no value (refused: a negative grade)."
    )
    assert second == (
        "bm25.run lacks 1 judged query (304): counted as 0 by trec_eval, exact, house; "
        "left out of the mean by prints, tied."
    )


def test_evaluators_of_which_the_same_is_said_share_a_sentence() -> None:
    document = report()
    exact = document.evaluators[0]
    twin = exact.model_copy(update={"id": "twin"})
    same = document.discrepancies[0].model_copy(update={"evaluator": "twin"})
    document = document.model_copy(
        update={"evaluators": [exact, twin], "discrepancies": [document.discrepancies[0], same]}
    )
    assert verdict_text(document).splitlines()[0] == "ndcg@10 of bm25.run: trec_eval -c 0.5000. exact, twin agree."


def test_a_difference_that_no_axis_explains() -> None:
    document = report()
    found = document.discrepancies[3].model_copy(
        update={"contributions": {}, "verdict": "unexplained", "residual": 0.07, "families": {"unexplained": 0.07}}
    )
    document = document.model_copy(update={"evaluators": [document.evaluators[3]], "discrepancies": [found]})
    assert "house +0.0700 on the 2 of 3 queries that it answered (unexplained)." in verdict_text(document)


def test_an_undefined_mean_is_a_dash() -> None:
    document = report()
    reference = document.attribution.references[0].model_copy(update={"mean": None})
    document = document.model_copy(
        update={
            "attribution": document.attribution.model_copy(update={"references": [reference]}),
            "evaluators": [],
            "discrepancies": [],
        }
    )
    assert verdict_text(document).splitlines()[0] == "ndcg@10 of bm25.run: trec_eval -c –."


def test_several_runs_have_a_line_each() -> None:
    document = report()
    other = document.attribution.references[0].model_copy(update={"run": "other.run", "mean": 0.25})
    references = [*document.attribution.references, other]
    attribution = document.attribution.model_copy(update={"references": references})
    lines = verdict_text(document.model_copy(update={"attribution": attribution})).splitlines()
    assert lines[1] == "ndcg@10 of other.run: trec_eval -c 0.2500."
