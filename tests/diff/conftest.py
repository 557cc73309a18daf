"""The collection of the planting tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.diff.planted import rich_lines

from ndcgauge.data.collection import Collection
from ndcgauge.data.memory import collection_from_lines
from ndcgauge.diff.probes import InputFiles
from ndcgauge.diff.verification import Verifier
from ndcgauge.reference import Evaluation


@pytest.fixture(scope="session")
def collection() -> Collection:
    return collection_from_lines(*rich_lines())


@pytest.fixture
def evaluation(collection: Collection) -> Evaluation:
    return Evaluation(collection, {})


@pytest.fixture
def verifier(collection: Collection, evaluation: Evaluation, tmp_path: Path) -> Verifier:
    qrels, run = rich_lines()
    files = InputFiles(tmp_path / "qrels", tmp_path / "run")
    files.qrels.write_text("".join(f"{q} 0 {d} {g:g}\n" for q, d, g in qrels))
    files.run.write_text("".join(f"{q} Q0 {d} {r:g} {s} t\n" for q, d, r, s in run))
    return Verifier(collection, evaluation, files, tmp_path / "probes")
