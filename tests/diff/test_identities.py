"""Identities on evaluators that keep them, and on fakes that each break one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ndcgauge.data.collection import Collection
from ndcgauge.data.memory import collection_from_lines
from ndcgauge.diff import identities
from ndcgauge.diff.identities import Checked, check_identities
from ndcgauge.diff.probes import InputFiles, monotone, perfect
from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Missing, Outcome, Value
from ndcgauge.reference import Evaluation
from ndcgauge.spec import Measure, MetricSpec, parse_measure, preset_spec

QRELS = "one 0 a 0\none 0 b 1\none 0 c 0\ntwo 0 a 3\ntwo 0 b 1\ntwo 0 d 1\nneg 0 a 2\nneg 0 b -1\n"
RUN = (
    "one Q0 a 1 0.1234567892 t\none Q0 b 2 0.1234567891 t\none Q0 c 3 0.1 t\n"
    "two Q0 x 1 3 t\ntwo Q0 a 2 2 t\ntwo Q0 b 3 2 t\ntwo Q0 d 4 1 t\n"
    "neg Q0 b 1 2 t\nneg Q0 a 2 1 t\n"
)
MEASURES = tuple(parse_measure(name) for name in ("ndcg@2", "ap", "rr", "rr@1"))


@pytest.fixture
def files(tmp_path: Path) -> InputFiles:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return InputFiles(tmp_path / "qrels", tmp_path / "run")


def read(files: InputFiles) -> Collection:
    qrels = [line.split() for line in files.qrels.read_text().splitlines()]
    run = [line.split() for line in files.run.read_text().splitlines()]
    return collection_from_lines(
        [(query, doc, float(grade)) for query, _, doc, grade in qrels],
        [(query, doc, float(rank), float(score)) for query, _, doc, rank, score, _ in run],
    )


Turn = Callable[[Measure, str, float], float]
Ask = Callable[[InputFiles], dict[Measure, Answer]]


def evaluator(changes: Mapping[str, str], turn: Turn = lambda _measure, _query, value: value) -> Ask:
    """Computes the reference under some axes, and then spoils what `turn` says."""

    def ask(files: InputFiles) -> dict[Measure, Answer]:
        collection = read(files)
        evaluation = Evaluation(collection, {})
        answers: dict[Measure, Answer] = {}
        for measure in MEASURES:
            base = preset_spec("trec_eval", measure.stem, measure.cutoff)
            spec: MetricSpec = base.replace(**{axis: value for axis, value in changes.items() if axis in base.axes})
            values, counted, _ = evaluation.score(spec)
            rows: dict[str, Outcome] = {
                query: Value(turn(measure, query, float(value))) if here else Missing()
                for query, value, here in zip(collection.queries, values, counted, strict=True)
            }
            answers[measure] = Answer("fake", measure, rows, Missing())
        return answers

    return ask


def checked(files: InputFiles, tmp_path: Path, ask: Ask) -> list[Checked]:
    return check_identities(read(files), ask(files), files, tmp_path / "probes", ask, 1e-9)


def broken(found: list[Checked]) -> dict[tuple[str, str], tuple[str, ...]]:
    return {(each.identity, each.measure.name): tuple(each.broken) for each in found if each.broken}


def test_trec_eval_keeps_them_all(files: InputFiles, tmp_path: Path) -> None:
    found = checked(files, tmp_path, evaluator({}))
    assert broken(found) == {}
    counts = {(each.identity, each.measure.name): each.queries for each in found}
    # By hand: one and neg have one relevant document; one and two have no negative grade; only two has a tie.
    assert counts[identities.AP_IS_RR, "ap"] == 2
    assert counts[identities.RR_AT_K, "rr@1"] == 3
    assert counts[identities.SELF_IS_ONE, "ndcg@2"] == 2
    assert counts[identities.AT_MOST_ONE, "ndcg@2"] == 2
    assert counts[identities.MONOTONE, "ndcg@2"] == 3
    assert counts[identities.RENAMING, "ndcg@2"] == 2


@pytest.mark.parametrize(
    ("changes", "identity", "queries"),
    [
        # An ideal that is not cut at 2 counts three documents of `two`, of which the ranking has two.
        ({"ideal_cutoff": "none"}, identities.SELF_IS_ONE, ("two",)),
        # 0.1234567892 and 0.1234567891 are equal in single precision: their ids decide, until scores are 3, 2, 1.
        ({"score_precision": "float32"}, identities.MONOTONE, ("one",)),
        ({"score_precision": "float32"}, identities.RENAMING, ("one",)),
    ],
)
def test_axes_that_break_one(
    files: InputFiles, tmp_path: Path, changes: dict[str, str], identity: str, queries: tuple[str, ...]
) -> None:
    assert broken(checked(files, tmp_path, evaluator(changes)))[identity, "ndcg@2"] == queries


@pytest.mark.parametrize(
    ("turn", "identity", "measure", "queries"),
    [
        (lambda m, _q, v: 1.25 if m.stem == "ndcg" else v, identities.AT_MOST_ONE, "ndcg@2", ("one", "two")),
        (lambda m, _q, v: v / 2 if m.stem == "ap" else v, identities.AP_IS_RR, "ap", ("neg", "one")),
        (lambda m, q, v: 0.75 if m.name == "rr@1" and q == "two" else v, identities.RR_AT_K, "rr@1", ("two",)),
        (
            lambda m, q, v: float("nan") if m.name == "ndcg@2" and q == "two" else v,
            identities.AT_MOST_ONE,
            "ndcg@2",
            ("two",),
        ),
    ],
)
def test_values_that_break_one(
    files: InputFiles, tmp_path: Path, turn: Turn, identity: str, measure: str, queries: tuple[str, ...]
) -> None:
    assert broken(checked(files, tmp_path, evaluator({}, turn)))[identity, measure] == queries


def test_printed_decimals_break_nothing(files: InputFiles, tmp_path: Path) -> None:
    def ask(files: InputFiles) -> dict[Measure, Answer]:
        rounded = evaluator({}, lambda _m, _q, value: float(format(value, ".2f")))(files)
        return {
            measure: Answer("fake", measure, answer.queries, Missing(), decimals=2)
            for measure, answer in rounded.items()
        }

    assert broken(checked(files, tmp_path, ask)) == {}


def test_without_calls_only_the_values_are_checked(files: InputFiles, tmp_path: Path) -> None:
    answers = evaluator({})(files)
    found = check_identities(read(files), answers, files, tmp_path, None, 1e-9)
    assert {each.identity for each in found} == {identities.AP_IS_RR, identities.RR_AT_K, identities.AT_MOST_ONE}


def test_a_monotone_run_keeps_ties_and_order(files: InputFiles, tmp_path: Path) -> None:
    lines = [line.split() for line in monotone(files, tmp_path / "m").run.read_text().splitlines()]
    assert [(line[0], line[2], line[4]) for line in lines[:7]] == [
        ("one", "a", "3"),
        ("one", "b", "2"),
        ("one", "c", "1"),
        ("two", "x", "3"),
        ("two", "a", "2"),
        ("two", "b", "2"),
        ("two", "d", "1"),
    ]


def test_the_perfect_run_is_the_judgments_by_falling_grade(files: InputFiles, tmp_path: Path) -> None:
    lines = [line.split() for line in perfect(files, tmp_path / "p").run.read_text().splitlines()]
    assert [(line[0], line[2], line[3], line[4]) for line in lines if line[0] == "one"] == [
        ("one", "b", "1", "3"),
        ("one", "a", "2", "2"),
        ("one", "c", "3", "1"),
    ]
