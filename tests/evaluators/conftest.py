"""What the tests of evaluators share: pairs of files, and one set of warm workers for the real libraries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.evaluators.asking import Ask, MakeJob, job_of

from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.processes import Limits
from ndcgauge.evaluators.references import Catalogued, resolve
from ndcgauge.evaluators.workers import Workers, unavailable


@pytest.fixture
def make_job(tmp_path: Path) -> MakeJob:
    """Writes a pair of files and asks for measures; lines are given as they stand in the files."""
    return lambda qrels, run, *measures: job_of(tmp_path, qrels, run, measures or ("ndcg@10",))


@pytest.fixture(scope="session")
def warm() -> Iterator[Workers]:
    """Workers of the real libraries, started once for all tests."""
    with Workers(Limits(seconds=300.0)) as workers:
        yield workers


@pytest.fixture
def ask(warm: Workers, make_job: MakeJob) -> Ask:
    """Asks one catalogued evaluator for one measure; skips where its library is not installed."""

    def asked(evaluator: str, measure: str, qrels: str | bytes, run: str | bytes) -> Answer:
        missing = unavailable(Catalogued(evaluator))
        if missing is not None:
            pytest.skip(f"{evaluator} is not installed: {missing.how_to_install}")
        job = make_job(qrels, run, measure)
        return warm.evaluate([resolve(evaluator)], job)[evaluator, job.measures[0].name]

    return asked
