"""The parts of the Pyserini adapter that need neither Pyserini nor Java."""

from __future__ import annotations

import os
import sys

import pytest

from ndcgauge.evaluators.adapters import pyserini_adapter as adapter


def measure(stem: str, cutoff: int | None, **settings: str) -> dict[str, object]:
    return {"name": stem, "stem": stem, "cutoff": cutoff, "settings": settings}


def test_cutoffs_of_one_measure_go_together() -> None:
    words = adapter.arguments(["judged.10", "ndcg_cut.20", "map", "ndcg_cut.5", "judged.1", "ndcg_cut.5"])
    assert words == ["-m", "judged.1,10", "-m", "ndcg_cut.5,20", "-m", "map"]


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        (measure("ndcg", 10), ("ndcg_cut.10", "ndcg_cut_10")),
        (measure("ndcg", None), ("ndcg", "ndcg")),
        (measure("precision", None), ("set_P", "set_P")),
        (measure("recall", 5, recall_denominator="any"), ("success.5", "success_5")),
        (measure("recall", None, recall_denominator="any"), None),
        (measure("rr", 10), None),
        (measure("judged", None), None),
        (measure("dcg", None), None),
    ],
)
def test_names(asked: dict[str, object], names: tuple[str, str] | None) -> None:
    assert adapter.names_of(asked) == names


def test_printed_lines() -> None:
    text = (
        "msmarco run detected. Converting to trec...\n"
        "map                   \tall\t0.5000\n"
        "ndcg_cut_10           \tall\t0.2500\n"
        "ndcg_cut_10           \tall\t0.7500\n"
        "runid                 \tall\ttag\n"
        "ndcg_cut_10           \tq\tnot a number\n"
    )
    assert adapter.parse(text, {"ndcg_cut_10"}) == {
        "ndcg_cut_10": {"queries": {"all": {"value": 0.25}}, "aggregate": {"value": 0.75}, "decimals": 4}
    }


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], None),
        (["something else"], None),
        (["x", "trec_eval: No queries", "trec_eval: more"], "trec_eval: No queries"),
        (
            ["trec_eval.f: duplicate docs Dtrec_eval: Can't go on"],
            "trec_eval.f: duplicate docs D; trec_eval: Can't go on",
        ),
        (["The run file x does not exist!"], "The run file x does not exist!"),
    ],
)
def test_its_own_words(lines: list[str], words: str | None) -> None:
    assert adapter.words_of(lines) == words


def test_standard_error_of_python_and_of_children_is_heard_and_passed_on(capfd: pytest.CaptureFixture[str]) -> None:
    heard: list[str] = []
    with adapter.spoken(heard):
        os.write(2, b"from below\n")
        print("from above", file=sys.stderr, flush=True)
    assert "from below" in heard
    assert "from below" in capfd.readouterr().err
