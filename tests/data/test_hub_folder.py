"""Folders of the Hugging Face hub: a clone of a data set, several shards, the hub's own cache."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from tests.data import formats
from tests.data.writing import contents, load, source

from ndcgauge.data.hub_folder import files_of
from ndcgauge.data.inputs import open_input
from ndcgauge.errors import InputError

JUDGED = [("q1", "a", 1), ("q1", "b", 0), ("q2", "a", 2)]
RUN = [("q1", "b", 2.0), ("q1", "a", 1.0), ("q2", "a", 1.0)]


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def test_a_beir_folder(tmp_path: Path) -> None:
    put(tmp_path / "corpus.jsonl", b'{"_id": "a"}\n')
    put(tmp_path / "queries.jsonl", b'{"_id": "q1"}\n')
    put(tmp_path / "qrels" / "test.tsv", formats.beir(JUDGED))
    assert [each.name for each in files_of(tmp_path, "qrels")] == ["test.tsv"]
    assert open_input(str(tmp_path), "qrels").name == str(tmp_path / "qrels" / "test.tsv")


def test_test_is_the_split_that_is_taken_and_another_is_named_behind_the_folder(tmp_path: Path) -> None:
    for split in ("dev", "test", "train"):
        put(tmp_path / "qrels" / f"{split}.jsonl", formats.json_lines(JUDGED))
    assert files_of(tmp_path, "qrels")[0].name == "test.jsonl"
    assert open_input(str(tmp_path / "dev"), "qrels").name.endswith("dev.jsonl")
    with pytest.raises(InputError, match="no such file"):
        open_input(str(tmp_path / "nothing"), "qrels")


def test_several_splits_without_test_are_an_error_that_lists_them(tmp_path: Path) -> None:
    for split in ("dev", "train"):
        put(tmp_path / f"{split}.tsv", formats.beir(JUDGED))
    with pytest.raises(InputError, match="dev, train") as caught:
        files_of(tmp_path, "qrels")
    assert "dev" in (caught.value.fix or "")


def test_shards_are_one_table(tmp_path: Path) -> None:
    first, second = tmp_path / "data" / "test-00000-of-00002.parquet", tmp_path / "data" / "test-00001-of-00002.parquet"
    first.parent.mkdir()
    data = formats.parquet(first, JUDGED[:2]) + formats.parquet(second, JUDGED[2:])
    put(tmp_path / "corpus" / "corpus-00000-of-00001.parquet", b"PAR1")
    shards = open_input(str(tmp_path), "qrels")
    assert shards.sha256 == hashlib.sha256(data).hexdigest()
    assert shards.size == len(data)
    run = source(tmp_path, "run", formats.trec_run(RUN))
    loaded = load(shards, run)
    assert loaded.qrels_file.lines == 3
    assert contents(loaded.collection) == contents(
        load(source(tmp_path, "q", formats.trec_qrels(JUDGED)), run).collection
    )


def test_a_bad_row_of_a_shard_is_told_with_the_shard(tmp_path: Path) -> None:
    first, second = tmp_path / "test-00000-of-00002.parquet", tmp_path / "test-00001-of-00002.parquet"
    formats.parquet(first, [("q", "a", 1.0)])
    formats.parquet(second, [("q", "b", 1.0), ("q", "c", float("nan"))])
    with pytest.raises(InputError) as caught:
        load(open_input(str(tmp_path), "qrels"), source(tmp_path, "run", formats.trec_run(RUN)))
    assert caught.value.file == str(second)
    assert caught.value.place == "row 2"


def test_the_cache_of_the_hub(tmp_path: Path) -> None:
    cache = tmp_path / "datasets--mteb--scifact"
    put(cache / "blobs" / "abc", formats.beir(JUDGED))
    for revision in ("old", "new"):
        (cache / "snapshots" / revision / "qrels").mkdir(parents=True)
        (cache / "snapshots" / revision / "qrels" / "test.tsv").symlink_to(cache / "blobs" / "abc")
    with pytest.raises(InputError, match="2 revisions"):
        files_of(cache, "qrels")
    put(cache / "refs" / "main", b"new")
    assert files_of(cache, "qrels") == [cache / "snapshots" / "new" / "qrels" / "test.tsv"]


def test_a_folder_without_qrels_is_an_error(tmp_path: Path) -> None:
    put(tmp_path / "corpus.jsonl", b"{}")
    with pytest.raises(InputError, match="directory"):
        open_input(str(tmp_path), "qrels")
