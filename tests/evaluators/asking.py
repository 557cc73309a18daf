"""Questions to evaluators, made of lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.outcomes import Value
from ndcgauge.evaluators.workers import Job
from ndcgauge.spec import parse_measure

WORKED_QRELS = "a 0 D1 3\na 0 D2 2\na 0 D3 1\na 0 D4 1\na 0 D5 1\n"
WORKED_RUN = "".join(
    f"a Q0 {doc} {rank} {10 - rank} t\n" for rank, doc in enumerate(("D2", "X", "D1", "D3", "Y", "D4"), 1)
)
"""The worked example of the main job."""


class MakeJob(Protocol):
    def __call__(self, qrels: str | bytes, run: str | bytes, *measures: str) -> Job: ...


class Ask(Protocol):
    def __call__(self, evaluator: str, measure: str, qrels: str | bytes, run: str | bytes) -> Answer: ...


def _bytes(lines: str | bytes) -> bytes:
    return lines if isinstance(lines, bytes) else lines.encode("utf-8", "surrogateescape")


def _queries(lines: bytes) -> tuple[str, ...]:
    found = (line.split()[0] for line in lines.split(b"\n") if line.split() and not line.startswith(b"#"))
    return tuple(dict.fromkeys(query.decode("utf-8", "surrogateescape") for query in found))


def job_of(folder: Path, qrels: str | bytes, run: str | bytes, measures: Sequence[str]) -> Job:
    """Writes both files into a folder and asks for the measures."""
    texts = {"qrels": _bytes(qrels), "run": _bytes(run)}
    for name, text in texts.items():
        (folder / name).write_bytes(text)
    return Job(
        folder / "qrels",
        folder / "run",
        tuple(parse_measure(name) for name in measures),
        _queries(texts["qrels"]),
    )


def values(answer: Answer) -> dict[str, float]:
    """The numbers of the queries that have one."""
    return {query: each.number for query, each in answer.queries.items() if isinstance(each, Value)}


def mean(answer: Answer) -> float:
    """The mean, which must be a number."""
    assert isinstance(answer.aggregate, Value), answer.aggregate
    return answer.aggregate.number
