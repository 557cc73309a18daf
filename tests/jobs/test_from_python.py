"""From Python: paths, mappings, frames of pandas and polars, ranx's own classes, ir_datasets' names; one result."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import ir_datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import ranx
from ir_datasets.datasets.base import Dataset
from ir_datasets.formats import BaseQrels, BaseScoredDocs

import ndcgauge
from ndcgauge.errors import InputError, UsageError

QRELS = {"007": {"NA": 2, "1e5": 1, "é": 0}, "q2": {"NA": 1}}
RUN = {"007": {"é": 3.0, "NA": 2.0, "1e5": 1.0}, "q2": {"x": 2.0, "NA": 1.0}}
# By hand, linear gain and log2: 007 = (2/log2(3) + 1/log2(4)) / (2 + 1/log2(3)); q2 = 1/log2(3).
L3 = float(np.log2(3.0))
EXPECTED = {"007": (2 / L3 + 1 / 2) / (2 + 1 / L3), "q2": 1 / L3}


def rows(given: dict[str, dict[str, Any]]) -> list[tuple[str, str, Any]]:
    return [(query, doc, number) for query, docs in given.items() for doc, number in docs.items()]


def pandas_frame(given: dict[str, dict[str, Any]], last: str) -> pd.DataFrame:
    frame = pd.DataFrame(rows(given), columns=["qid", "docno", last])
    frame["query"] = [object()] * len(frame)  # PyTerrier's frames have more columns, of any type
    return frame


def files(folder: Path) -> tuple[Path, Path]:
    (folder / "qrels").write_text("".join(f"{q} 0 {d} {n}\n" for q, d, n in rows(QRELS)))
    (folder / "run").write_text("".join(f"{q} Q0 {d} 1 {n} t\n" for q, d, n in rows(RUN)))
    return folder / "qrels", folder / "run"


Make = Callable[[], tuple[Any, Any]]
WAYS: dict[str, Make] = {
    "mappings": lambda: (QRELS, RUN),
    "numpy numbers": lambda: (
        {q: {d: np.int64(n) for d, n in docs.items()} for q, docs in QRELS.items()},
        {q: {d: np.float32(n) for d, n in docs.items()} for q, docs in RUN.items()},
    ),
    "pandas": lambda: (pandas_frame(QRELS, "label"), pandas_frame(RUN, "score")),
    "pandas categories": lambda: (
        pd.DataFrame(rows(QRELS), columns=["qid", "docno", "label"]).astype({"qid": "category", "docno": "string"}),
        pandas_frame(RUN, "score"),
    ),
    "polars": lambda: tuple(
        pl.DataFrame(rows(each), schema=["query-id", "corpus-id", "score"], orient="row") for each in (QRELS, RUN)
    ),  # pyright: ignore[reportReturnType]
    "polars, lazy": lambda: tuple(
        pl.LazyFrame(rows(each), schema=["query-id", "corpus-id", "score"], orient="row") for each in (QRELS, RUN)
    ),  # pyright: ignore[reportReturnType]
    "arrow": lambda: tuple(
        pa.table(dict(zip(("q_id", "doc_id", "score"), map(list, zip(*rows(each), strict=True)), strict=True)))
        for each in (QRELS, RUN)
    ),  # pyright: ignore[reportReturnType]
    "ranx": lambda: (ranx.Qrels(QRELS), ranx.Run(RUN, name="bm25")),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_gives_the_same_values(way: str) -> None:
    qrels, run = WAYS[way]()
    scores = ndcgauge.score(qrels, run, measures="ndcg@10")  # pyright: ignore[reportCallIssue]
    assert dict(scores.scores[0].queries) == pytest.approx(EXPECTED, rel=1e-14)


def test_paths_as_text_and_as_path(tmp_path: Path) -> None:
    qrels, run = files(tmp_path)
    for given in ((qrels, run), (str(qrels), str(run)), (QRELS, run), (qrels, RUN)):
        assert dict(ndcgauge.score(*given).scores[0].queries) == pytest.approx(EXPECTED, rel=1e-14)


def test_several_runs_and_their_names() -> None:
    scores = ndcgauge.score(QRELS, [RUN, ("second", RUN), ranx.Run(RUN, name="third")], measures=["ndcg@10", "map"])
    assert [(each.run, each.measure) for each in scores.scores] == [
        (run, measure) for run in ("<run 1>", "second", "<run 3>") for measure in ("ndcg@10", "ap")
    ]


def test_compare_gives_evaluators_files_made_of_the_values() -> None:
    report = ndcgauge.compare(QRELS, RUN, evaluators=["sklearn-padded"], complete=True)
    (entry,) = report.evaluators
    assert entry.mean == pytest.approx(sum(EXPECTED.values()) / 2, rel=1e-9)
    assert all(each.written for each in report.inputs)


def test_explain_names_the_query() -> None:
    (table,) = ndcgauge.explain(QRELS, RUN, "q2")
    assert table.value == pytest.approx(EXPECTED["q2"], rel=1e-14)


def test_whole_numbers_are_ids_as_their_digits() -> None:
    assert dict(ndcgauge.score({7: {1: 1}}, {np.int32(7): {1: 0.5}}).scores[0].queries) == {"7": 1.0}


@pytest.mark.parametrize(
    ("qrels", "said"),
    [
        ({"q": {"d": float("nan")}}, "not finite"),
        ({"q": {"d": True}}, "bool"),
        ({"q": {"d": "1"}}, "str"),
        ({"q": {"d": None}}, "NoneType"),
        ({"q": ["d"]}, "list"),
        ({1.5: {"d": 1}}, "float"),
        ({None: {"d": 1}}, "NoneType"),
        ({1: {"d": 1}, "1": {"d": 1}}, "stands twice"),
        ({}, "no line"),
        (pd.DataFrame({"qid": ["q", None], "docno": ["a", "b"], "label": [1, 1]}), "null"),
        (pd.DataFrame({"qid": ["q", 1], "docno": ["a", "b"], "label": [1, 1]}), "several types"),
        (pd.DataFrame({"qid": [1.0, 2.0], "docno": ["a", "b"], "label": [1, 1]}), "of type double"),
        (pd.DataFrame({"qid": ["q"], "docno": ["a"]}), "lacks a column"),
        (pl.DataFrame({"qid": ["q"], "docno": ["a"], "label": ["high"]}), "not a number"),
    ],
)
def test_bad_values_are_errors_with_a_fix(qrels: Any, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        ndcgauge.score(qrels, RUN)
    assert caught.value.file == "<qrels>"
    assert caught.value.fix


def test_what_is_no_input_at_all_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="int"):
        ndcgauge.score(7, RUN)
    with pytest.raises(UsageError, match="qrels come first"):
        ndcgauge.score(ranx.Run(RUN), RUN)


class Judgment(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int


class Scored(NamedTuple):
    query_id: str
    doc_id: str
    score: float


class Qrels(BaseQrels):
    def qrels_iter(self) -> Any:
        return (Judgment(*each) for each in rows(QRELS))

    def qrels_cls(self) -> Any:
        return Judgment


class Docs(BaseScoredDocs):
    def scoreddocs_iter(self) -> Any:
        return (Scored(*each) for each in rows(RUN))


@pytest.fixture
def registered() -> str:
    if "ndcgauge-test" not in ir_datasets.registry:
        ir_datasets.registry.register("ndcgauge-test", Dataset(Qrels(), Docs()))
    return "irds:ndcgauge-test"


def test_ir_datasets_names(registered: str) -> None:
    assert dict(ndcgauge.score(registered, registered).scores[0].queries) == pytest.approx(EXPECTED, rel=1e-14)


def test_a_name_that_ir_datasets_lacks_is_an_input_error() -> None:
    with pytest.raises(InputError, match="no data set"):
        ndcgauge.score("irds:no-such-collection", RUN)


def test_without_ir_datasets_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(InputError, match="not installed") as caught:
        ndcgauge.score("irds:vaswani", RUN)
    assert caught.value.fix == "pip install ir_datasets"


def test_warnings_of_the_readers_are_warnings(tmp_path: Path) -> None:
    (tmp_path / "run.tsv").write_text("q2\tNA\t1\n")
    with pytest.warns(UserWarning, match="1/rank"):
        ndcgauge.score(QRELS, tmp_path / "run.tsv")
