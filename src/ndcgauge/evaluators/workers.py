"""Evaluators at work: one warm process a library, all libraries at once, every failure an outcome."""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import json
import math
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

from ndcgauge.evaluators.answers import Answer, Captured, Seconds, aggregate_of
from ndcgauge.evaluators.names import catalogue
from ndcgauge.evaluators.outcomes import (
    Crashed,
    Missing,
    Outcome,
    Refused,
    TimedOut,
    Unavailable,
    Unsupported,
    Value,
)
from ndcgauge.evaluators.processes import Died, Limits, Process, TooSlow
from ndcgauge.evaluators.references import Catalogued, EvaluatorRef, Program
from ndcgauge.spec import Measure

Progress = Callable[[str], None]

_MODULES = {"sklearn": ("sklearn",), "ranx": ("ranx",), "pyserini": ("pyserini",)}
_INSTALL = {
    "sklearn": "pip install scikit-learn",
    "ranx": "pip install ranx",
    "pyserini": "pip install 'ndcgauge[pyserini]' (pulls torch; `uv run` from a clone does not)",
}
_FIRST = {
    "sklearn": "sklearn: starting",
    "ranx": "ranx: starting; it compiles on its first use and is cached after that",
    "pyserini": "pyserini: starting Java",
}


@dataclass(frozen=True)
class Job:
    """Qrels, run and measures that evaluators are asked about."""

    qrels: Path
    run: Path
    measures: tuple[Measure, ...]
    asked: tuple[str, ...]
    """Every judged query."""


@dataclass
class Workers:
    """Starts, keeps and ends the processes of evaluators. A context manager."""

    limits: Limits = field(default_factory=Limits)
    jobs: int = 8
    progress: Progress | None = None
    _processes: dict[str, Process] = field(default_factory=dict[str, Process])
    _locks: dict[str, threading.Lock] = field(default_factory=dict[str, threading.Lock])
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Workers:
        self._folder = tempfile.TemporaryDirectory(prefix="ndcgauge-")
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes.values():
            process.close()
        self._processes.clear()
        if self._folder is not None:
            self._folder.cleanup()

    def evaluate(self, evaluators: Sequence[EvaluatorRef], job: Job) -> dict[tuple[str, str], Answer]:
        """The answer of every evaluator for every measure, under (evaluator id, measure name).

        Libraries work at the same time, ids of one library one after another. Never raises for
        what an evaluator does.
        """
        groups: dict[str, list[EvaluatorRef]] = {}
        for each in evaluators:
            groups.setdefault(_worker_of(each), []).append(each)

        def work(group: list[EvaluatorRef]) -> list[Answer]:
            return [answer for each in group for answer in self._one(each, job)]

        with ThreadPoolExecutor(max_workers=max(1, min(self.jobs, len(groups) or 1))) as pool:
            done = list(pool.map(work, groups.values()))
        return {(answer.evaluator, answer.measure.name): answer for answers in done for answer in answers}

    def describe(self, evaluator: EvaluatorRef) -> Outcome | dict[str, str]:
        """Versions of what runs, as it says itself; an outcome where it cannot."""
        missing = unavailable(evaluator)
        if missing is not None:
            return missing
        if isinstance(evaluator, Program):
            return {}
        reply = self._ask(_worker_of(evaluator), self._command(evaluator), {"op": "describe"})
        return dict(reply["versions"]) if isinstance(reply, dict) else reply

    def _one(self, evaluator: EvaluatorRef, job: Job) -> list[Answer]:
        missing = unavailable(evaluator)
        if missing is not None:
            return [_failed(evaluator, measure, job, missing) for measure in job.measures]
        if isinstance(evaluator, Program) and evaluator.kind == "trec":
            from ndcgauge.evaluators.trec_program import run_trec_program

            return run_trec_program(evaluator, job, self.limits)
        folder = self._private_folder()
        request = {
            "op": "evaluate",
            "qrels": str(job.qrels.absolute()),
            "run": str(job.run.absolute()),
            "folder": str(folder),
            "options": dict(catalogue()[evaluator.id].options) if isinstance(evaluator, Catalogued) else {},
            "measures": [
                {"name": each.name, "stem": each.stem, "cutoff": each.cutoff, "changes": dict(each.changes)}
                for each in job.measures
            ],
        }
        reply = self._ask(_worker_of(evaluator), self._command(evaluator), request)
        if not isinstance(reply, dict):
            return [_failed(evaluator, measure, job, reply) for measure in job.measures]
        return [_answer(evaluator, measure, job, reply) for measure in job.measures]

    def _private_folder(self) -> Path:
        assert self._folder is not None, "Workers is a context manager"
        return Path(tempfile.mkdtemp(dir=self._folder.name))

    def _command(self, evaluator: EvaluatorRef) -> list[str]:
        if isinstance(evaluator, Program):
            return list(evaluator.command)
        serve = Path(__file__).with_name("adapters") / "serve.py"
        return [sys.executable, "-P", str(serve), catalogue()[evaluator.id].adapter]

    def _ask(self, worker: str, command: list[str], request: dict[str, Any]) -> dict[str, Any] | Outcome:
        with self._locks.setdefault(worker, threading.Lock()):
            process = self._processes.get(worker)
            if process is None or not process.alive:
                if self.progress is not None:
                    self.progress(_FIRST.get(worker, f"{worker}: starting"))
                try:
                    process = Process(command, _environment(), self.limits)
                except OSError as error:
                    return Unavailable(f"{command[0]} cannot be started: {error.strerror or error}")
                self._processes[worker] = process
            number = next(self._numbers)
            outcome = _exchange(process, {"id": number, **request})
            if not isinstance(outcome, dict):
                process.kill()
                self._processes.pop(worker, None)
            return outcome


def unavailable(evaluator: EvaluatorRef) -> Unavailable | None:
    """How to install an evaluator of the catalogue that is not here; None where it is."""
    if isinstance(evaluator, Program):
        return None
    adapter = catalogue()[evaluator.id].adapter
    for module in _MODULES[adapter]:
        if importlib.util.find_spec(module) is None:
            return Unavailable(_INSTALL[adapter])
    return None


def _worker_of(evaluator: EvaluatorRef) -> str:
    return catalogue()[evaluator.id].adapter if isinstance(evaluator, Catalogued) else f"program {evaluator.id}"


def _environment() -> dict[str, str]:
    environment = dict(os.environ)
    environment.setdefault("OPENBLAS_NUM_THREADS", "1")
    # ranx compiles on first use; the cache outlives environments that uv makes and throws away.
    environment.setdefault("NUMBA_CACHE_DIR", str(Path(platformdirs.user_cache_dir("ndcgauge")) / "numba"))
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return environment


def _exchange(process: Process, request: dict[str, Any]) -> dict[str, Any] | Outcome:
    try:
        process.send(json.dumps(request, ensure_ascii=True).encode() + b"\n")
        line = process.line()
    except Died as death:
        return Crashed(death.message, death.stderr)
    except TooSlow:
        return TimedOut(process.limits.seconds)
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        return Crashed(f"its reply is no JSON: {line[:80].decode('utf-8', 'replace')!r}", process.stderr_tail())
    if not isinstance(reply, dict) or reply.get("id") != request["id"]:
        return Crashed("its reply is not the reply to what it was asked", process.stderr_tail())
    if reply.get("ok") is not True:
        message = str(reply.get("message", "it gave no reason"))
        if reply.get("kind") == "refused":
            return Refused(message)
        return Crashed(message, str(reply.get("traceback") or reply.get("stderr", "")))
    return reply


def _outcome(entry: object) -> Outcome:
    """One outcome of the protocol; what is none of its forms is a crash."""
    match entry:
        case {"value": bool()}:
            return Crashed(f"its reply has no outcome: {entry!r}")
        case {"value": int(number) | float(number)}:
            return Value(float(number))
        case {"value": "NaN"}:
            return Value(math.nan)
        case {"refused": str(message)}:
            return Refused(message)
        case {"unsupported": str(axis), "message": str(message)}:
            return Unsupported(axis, message)
        case {"crashed": str(message)}:
            return Crashed(message)
        case {"missing": True}:
            return Missing()
        case _:
            return Crashed(f"its reply has no outcome: {entry!r}")


def _failed(evaluator: EvaluatorRef, measure: Measure, job: Job, outcome: Outcome) -> Answer:
    queries: Mapping[str, Outcome] = dict.fromkeys(job.asked, outcome)
    return Answer(evaluator.id, measure, queries, outcome, called=called(evaluator, measure))


def called(evaluator: EvaluatorRef, measure: Measure) -> str:
    """The call as a line that a user could type."""
    if isinstance(evaluator, Program):
        return " ".join(evaluator.command)
    text = catalogue()[evaluator.id].called
    cutoff = "None" if measure.cutoff is None else str(measure.cutoff)
    trec = measure.trec_name if measure.cutoff is None else measure.trec_name.rsplit("_", 1)[0] + f".{cutoff}"
    for name, value in (("measure", measure.name), ("trec_measure", trec), ("cutoff", cutoff)):
        text = text.replace("{" + name + "}", value)
    return text


def _answer(evaluator: EvaluatorRef, measure: Measure, job: Job, reply: dict[str, Any]) -> Answer:
    results = reply.get("results")
    entry = results.get(measure.name) if isinstance(results, dict) else None
    if not isinstance(entry, dict):
        return _failed(evaluator, measure, job, Crashed("its reply lacks a measure that it was asked for"))
    if not isinstance(entry.get("queries"), dict):
        return _failed(evaluator, measure, job, _outcome(entry))
    rows = {query: _outcome(each) for query, each in entry["queries"].items()}
    queries = {query: rows.get(query, Missing()) for query in job.asked}
    prints_missing = not isinstance(evaluator, Catalogued) or catalogue()[evaluator.id].prints_missing
    given = None if entry.get("aggregate") is None else _outcome(entry["aggregate"])
    order = reply.get("order_file")
    decimals = entry.get("decimals")
    return Answer(
        evaluator=evaluator.id,
        measure=measure,
        queries=queries,
        aggregate=aggregate_of(given, queries, rows_for_missing=prints_missing),
        decimals=decimals if isinstance(decimals, int) else None,
        order_file=Path(order) if isinstance(order, str) else None,
        versions={str(name): str(version) for name, version in dict(reply.get("versions") or {}).items()},
        python=str(reply.get("python", "")),
        called=called(evaluator, measure),
        seconds=Seconds(_seconds(reply.get("load")), _seconds(reply.get("evaluate"))),
        captured=Captured(str(reply.get("stdout", "")), str(reply.get("stderr", ""))),
        unasked={query: outcome for query, outcome in rows.items() if query not in queries},
    )


def _seconds(value: object) -> float:
    with contextlib.suppress(TypeError, ValueError):
        return float(value)  # type: ignore[arg-type]
    return 0.0
