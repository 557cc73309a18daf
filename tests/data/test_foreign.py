"""Every format reads to the same collection as TREC columns with the same lines do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.data import formats
from tests.data.writing import contents, load, source

from ndcgauge.data.collection import Collection

IDS = ("007", "7", "NA", "null", "1e5", "é", "nan", "True", "-0", "d#1", "0x1p3")
"""Ids that a careless reader makes numbers, missing values or each other of."""


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[formats.Judgment], list[formats.Retrieved]]:
    """Judgments and a run; the lines of each query stand together, no pair is repeated."""
    judged: list[formats.Judgment] = []
    run: list[formats.Retrieved] = []
    for query in draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=4, unique=True)):
        docs = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=8, unique=True))
        judged += [(query, doc, draw(st.integers(-2, 4))) for doc in docs]
        docs = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=8, unique=True))
        scores = st.one_of(
            st.sampled_from([0.0, 1.5, 16777216.0, 16777217.0]), st.floats(allow_nan=False, allow_infinity=False)
        )
        run += [(query, doc, draw(scores)) for doc in docs]
    return judged, run


def without_lines(collection: Collection) -> dict[str, object]:
    """The contents, with line numbers as places: a header shifts the lines."""
    found = contents(collection)

    def places(lines: list[int]) -> list[int]:
        order = sorted(set(lines))
        return [order.index(line) for line in lines]

    judged = found["judged"]
    assert isinstance(judged, list)
    judged[2] = places(judged[2])
    for rule in ("error", "first", "last", "all"):
        rows = found[rule]
        assert isinstance(rows, list)
        rows[3] = places(rows[3])
    return found


@settings(max_examples=40, deadline=None)
@given(pairs())
def test_every_format_reads_to_the_same_collection(
    tmp_path_factory: pytest.TempPathFactory, both: tuple[list[formats.Judgment], list[formats.Retrieved]]
) -> None:
    judged, run = both
    folder = tmp_path_factory.mktemp("formats")
    trec = load(source(folder, "qrels", formats.trec_qrels(judged)), source(folder, "run", formats.trec_run(run)))
    expected = without_lines(trec.collection)
    for name, qrels_bytes, run_bytes in (
        ("beir.tsv", formats.beir(judged), formats.beir(run)),
        ("nested.json", formats.nested(judged), formats.nested(run)),
        ("lines.jsonl", formats.json_lines(judged), formats.json_lines(run)),
        ("table.parquet", formats.parquet(folder / "q", judged), formats.parquet(folder / "r", run)),
    ):
        loaded = load(source(folder, f"qrels.{name}", qrels_bytes), source(folder, f"run.{name}", run_bytes))
        assert without_lines(loaded.collection) == expected, name
        for query in dict.fromkeys(query for query, _, _ in run):
            listed = loaded.collection.lists([query])[query]
            assert [(each.doc, each.score) for each in listed] == [(d, s) for q, d, s in run if q == query]
        again = load(
            source(folder, "written.qrels", loaded.qrels_file.for_evaluators().read_bytes()),
            source(folder, "written.run", loaded.run_file.for_evaluators().read_bytes()),
        )
        assert again.run_file.format == "trec run"
        assert without_lines(again.collection) == expected, name


@pytest.mark.parametrize("packing", [".gz", ".zst"])
def test_packed_formats_are_read_too(tmp_path: Path, packing: str) -> None:
    judged, run = [("q", "a", 1), ("q", "b", 2)], [("q", "b", 2.0), ("q", "a", 1.0)]
    expected = contents(
        load(source(tmp_path, "q", formats.trec_qrels(judged)), source(tmp_path, "r", formats.trec_run(run))).collection
    )
    for name, data in {
        "json": formats.nested(run),
        "jsonl": formats.json_lines(run),
        "parquet": formats.parquet(tmp_path / "p", run),
    }.items():
        packed = source(tmp_path, f"run.{name}{packing}", data)
        loaded = load(source(tmp_path, "q", formats.trec_qrels(judged)), packed)
        assert loaded.run_file.format.startswith(name + " run")
        assert contents(loaded.collection) == expected


def test_ranks_alone_make_the_score(tmp_path: Path) -> None:
    # By hand: 1/1, 1/2, 1/2 (equal ranks tie), 1/4.
    run = source(tmp_path, "run.tsv", b"q\tc\t4\nq\ta\t1\nq\tb\t2\nq\td\t2\n")
    qrels = source(tmp_path, "qrels", b"q 0 a 1\nq 0 b 1\nq 0 c 1\nq 0 d 1\n")
    loaded = load(qrels, run)
    assert [(each.doc, each.rank, each.score) for each in loaded.collection.lists(["q"])["q"]] == [
        ("c", "4", 0.25),
        ("a", "1", 1.0),
        ("b", "2", 0.5),
        ("d", "2", 0.5),
    ]
    assert not loaded.collection.has_scores
    assert any("1/rank" in each for each in loaded.warnings)
    written = loaded.run_file.for_evaluators().read_text()
    assert written == "q Q0 c 4 0.25 ndcgauge\nq Q0 a 1 1.0 ndcgauge\nq Q0 b 2 0.5 ndcgauge\nq Q0 d 2 0.5 ndcgauge\n"
    rows = loaded.collection.rows["all"]
    assert all(
        int(each.length.max()) == 2
        for key, each in rows.rankings.items()
        if key.order != "line" and key.min_score is None
    )


def test_a_large_ms_marco_run_reads_as_a_small_one_does(tmp_path: Path) -> None:
    lines = [
        b"%d\td%d\t%d\n" % (query, doc, rank)
        for query in range(150)
        for rank, doc in enumerate(range(query, query + 1000), 1)
    ]
    qrels = source(tmp_path, "qrels", b"".join(b"%d 0 d%d 1\n" % (query, query + 20) for query in range(150)))
    run = source(tmp_path, "run.tsv", b"".join(lines))
    whole, pieces = load(qrels, run), load(qrels, run, block=1 << 14)
    assert whole.run_file.lines == 150_000
    assert contents(whole.collection) == contents(pieces.collection)
    ranking = next(iter(whole.collection.rows["all"].rankings.values()))
    assert np.array_equal(ranking.start, np.full(150, 21))


def test_an_id_with_white_space_is_scored_but_not_written(tmp_path: Path) -> None:
    from ndcgauge.errors import InputError

    qrels = source(tmp_path, "qrels.json", b'{"q": {"a b": 1, "c": 0}}')
    loaded = load(qrels, source(tmp_path, "run.json", b'{"q": {"c": 2.0, "a b": 1.0}}'))
    assert list(loaded.collection.judged.doc) == ["a b", "c"]
    with pytest.raises(InputError, match="white space"):
        loaded.run_file.for_evaluators()


def test_repeats_across_the_formats_follow_on_duplicate(tmp_path: Path) -> None:
    qrels = source(tmp_path, "qrels", b"q 0 a 1\nq 0 b 0\n")
    twice = {
        "json": b'{"q": {"a": 3.0, "b": 2.0, "a": 1.0}}',
        "jsonl": b"".join(
            b'{"qid": "q", "docno": "%b", "score": %b}\n' % each for each in ((b"a", b"3"), (b"b", b"2"), (b"a", b"1"))
        ),
        "tsv": b"qid\tdocno\tscore\nq\ta\t3\nq\tb\t2\nq\ta\t1\n",
    }
    # By hand: a is first under `first` (score 3), second under `last` (score 1 < 2).
    for name, data in twice.items():
        run = source(tmp_path, f"run.{name}", data)
        for rule, rank in (("first", 1), ("last", 2)):
            loaded = load(qrels, run, on_duplicate=rule)
            rows = loaded.collection.rows[rule]
            ranking = next(iter(rows.rankings.values()))
            assert dict(zip(rows.judged.tolist(), ranking.start.tolist(), strict=True))[0] == rank, (name, rule)
