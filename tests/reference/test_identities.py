"""Identities of the measures that need no second evaluator, over small collections."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.reference.strategies import Qrels, Run, collections

from ndcgauge.data.memory import collection_from_lines
from ndcgauge.reference import evaluate
from ndcgauge.spec import MEASURES, MetricSpec, parse_measure, preset_spec

SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
TIES = st.sampled_from(["docid-desc", "docid-asc", "line", "line-reversed", "average"])


def spec_of(name: str, **changes: str) -> MetricSpec:
    measure = parse_measure(name)
    spec = preset_spec("trec_eval", measure.stem, measure.cutoff)
    return spec.replace(**{axis: value for axis, value in changes.items() if axis in spec.axes})


def values(lines: tuple[Qrels, Run], spec: MetricSpec) -> dict[str, float]:
    return evaluate(collection_from_lines(*lines), [spec]).of(spec)


def relevant(qrels: Qrels, query: str) -> int:
    return sum(q == query and math.trunc(grade) >= 1 for q, _, grade in qrels)


@SETTINGS
@given(collections(), TIES, st.sampled_from(["", "@1", "@2", "@4"]))
def test_with_one_relevant_document_ap_is_rr(lines: tuple[Qrels, Run], ties: str, cutoff: str) -> None:
    average = values(lines, spec_of(f"ap{cutoff}", ties=ties))
    reciprocal = values(lines, spec_of(f"rr{cutoff}", ties=ties))
    for query, value in average.items():
        if relevant(lines[0], query) == 1:
            assert value == pytest.approx(reciprocal[query], abs=1e-15)


@SETTINGS
@given(collections(), st.sampled_from(["docid-desc", "docid-asc", "line", "line-reversed"]), st.integers(1, 4))
def test_rr_at_k_is_0_or_rr(lines: tuple[Qrels, Run], ties: str, k: int) -> None:
    whole = values(lines, spec_of("rr", ties=ties))
    for query, value in values(lines, spec_of(f"rr@{k}", ties=ties)).items():
        assert value in (0.0, whole[query])


@SETTINGS
@given(collections(), st.sampled_from(["linear", "exponential", "binary"]), st.sampled_from(["", "@1", "@3"]))
def test_the_judgments_against_themselves_are_1(lines: tuple[Qrels, Run], gain: str, cutoff: str) -> None:
    qrels = [(query, doc, abs(grade)) for query, doc, grade in lines[0]]
    by_grade = sorted(qrels, key=lambda line: -line[2])
    run = [(query, doc, rank, -float(rank)) for rank, (query, doc, _) in enumerate(by_grade, start=1)]
    for query, value in values((qrels, run), spec_of(f"ndcg{cutoff}", gain=gain)).items():
        assert value == pytest.approx(1.0 if relevant(qrels, query) else 0.0, abs=1e-12)


@SETTINGS
@given(
    collections(),
    st.sampled_from(["linear", "exponential", "binary"]),
    TIES,
    st.sampled_from(["zero", "drop"]),
    st.sampled_from(["absent", "append"]),
    st.sampled_from(["", "@2"]),
)
def test_ndcg_is_at_most_1_without_negative_grades(
    lines: tuple[Qrels, Run], gain: str, ties: str, unjudged: str, unretrieved: str, cutoff: str
) -> None:
    qrels = [(query, doc, abs(grade)) for query, doc, grade in lines[0]]
    spec = spec_of(f"ndcg{cutoff}", gain=gain, ties=ties, unjudged=unjudged, unretrieved=unretrieved)
    assert all(0 <= value <= 1 + 1e-12 for value in values((qrels, lines[1]), spec).values())


@SETTINGS
@given(collections(), st.sampled_from(MEASURES), TIES, st.sampled_from([None, 2]))
def test_a_monotone_change_of_scores_changes_nothing(
    lines: tuple[Qrels, Run], stem: str, ties: str, cutoff: int | None
) -> None:
    qrels, run = lines
    spec = spec_of(stem if cutoff is None else f"{stem}@{cutoff}", ties=ties)
    steps = {score: float(number) for number, score in enumerate(sorted({line[3] for line in run}))}
    stretched = [(query, doc, rank, steps[score]) for query, doc, rank, score in run]
    assert values(lines, spec) == values((qrels, stretched), spec)


@SETTINGS
@given(collections(), st.sampled_from(MEASURES), st.randoms(use_true_random=False), st.sampled_from([None, 2]))
def test_renaming_documents_changes_nothing_where_no_scores_tie(
    lines: tuple[Qrels, Run], stem: str, order: Any, cutoff: int | None
) -> None:
    qrels, run = lines
    assume(len({(query, score) for query, _, _, score in run}) == len(run))
    docs = sorted({doc for _, doc, _ in qrels} | {doc for _, doc, _, _ in run})
    others = list(docs)
    order.shuffle(others)
    names = dict(zip(docs, others, strict=True))
    other = [(q, names[doc], grade) for q, doc, grade in qrels], [(q, names[doc], r, s) for q, doc, r, s in run]
    spec = spec_of(stem if cutoff is None else f"{stem}@{cutoff}")
    assert values(lines, spec) == values(other, spec)
