"""Asks evaluators about batches of cases, and gives every trial what is its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.order_file import shown_lists
from ndcgauge.evaluators.outcomes import Crashed, Outcome, Refused
from ndcgauge.evaluators.references import EvaluatorRef
from ndcgauge.evaluators.workers import Answers, Job, Workers
from ndcgauge.suite.batching import Batch, Part
from ndcgauge.suite.trials import Given, Trial

Ready = Callable[[Sequence[EvaluatorRef]], None]
"""Told of the evaluators of a library that has answered everything."""


@dataclass
class Asking:
    """Calls evaluators on batches; files live in a private folder."""

    workers: Workers
    folder: Path
    given: dict[str, dict[Trial, Given]] = field(default_factory=dict[str, dict[Trial, Given]])
    """Evaluator id to what it gave, trial by trial."""
    whole: dict[str, list[tuple[Batch, Answer]]] = field(default_factory=dict[str, list[tuple[Batch, Answer]]])
    """Evaluator id to the answers on shared files that are a mean and no row."""
    calls: int = 0
    """How many pairs of files were given to evaluators, counted once for each evaluator."""

    def ask(self, evaluators: Sequence[EvaluatorRef], batches: Sequence[Batch], ready: Ready | None = None) -> None:
        """Asks every evaluator about every batch. Never raises for what an evaluator does.

        ready: called as soon as a library is through, while others work.

        Where one gives nothing for a file that several cases share, or stops in the middle of it, the
        rest is asked again in halves, so that a case which breaks an evaluator breaks no other case.
        """
        if not evaluators:
            return

        def take(group: Sequence[EvaluatorRef], given: Sequence[Answers]) -> None:
            for batch, answers in zip(batches, given, strict=True):
                for each in group:
                    self._take(each, batch, answers)
            if ready is not None:
                ready(group)

        self.workers.evaluate_all(evaluators, self._jobs(batches, len(evaluators)), take)

    def versions(self, evaluator: str) -> dict[str, str]:
        """Library to version, as an evaluator reported them."""
        return {
            name: number for each in self.given.get(evaluator, {}).values() for name, number in each.versions.items()
        }

    def again(self, evaluator: EvaluatorRef, batches: Sequence[Batch]) -> dict[Trial, Given]:
        """What an evaluator gives for the same batches at another call."""
        found: dict[Trial, Given] = {}
        for batch, answers in zip(batches, self._calls(evaluator, batches), strict=True):
            found |= {
                part.trial: _given(part, batch, answers[evaluator.id, part.trial.measure.name]) for part in batch.parts
            }
        return found

    def _calls(self, evaluator: EvaluatorRef, batches: Sequence[Batch]) -> list[Answers]:
        """An evaluator's answers to each batch."""
        return [self.workers.evaluate([evaluator], job) for job in self._jobs(batches, 1)]

    def _jobs(self, batches: Sequence[Batch], asked: int) -> list[Job]:
        return [self._job(batch, asked) for batch in batches]

    def _job(self, batch: Batch, asked: int) -> Job:
        self.calls += asked
        folder = self.folder / f"{self.calls}"
        folder.mkdir(parents=True)
        (folder / "qrels.txt").write_bytes(batch.qrels)
        (folder / "run.txt").write_bytes(batch.run)
        return Job(folder / "qrels.txt", folder / "run.txt", batch.measures, _judged(batch))

    def _take(self, evaluator: EvaluatorRef, batch: Batch, answers: Answers) -> None:
        own = self.given.setdefault(evaluator.id, {})
        found = {part: _given(part, batch, answers[evaluator.id, part.trial.measure.name]) for part in batch.parts}
        again = [] if batch.alone else _stopped([(part, given.failure) for part, given in found.items()])
        own |= {part.trial: given for part, given in found.items() if part not in again}
        if not batch.alone:
            self.whole.setdefault(evaluator.id, []).extend(
                (batch, answers[evaluator.id, measure.name]) for measure in batch.measures
            )
        if len(again) == 1 and len(found) == 1:
            own |= {part.trial: found[part] for part in again}
        elif len(again) < len(found) and again:
            self._take_part(evaluator, batch, again)
        elif again:
            middle = len(again) // 2
            self._take_part(evaluator, batch, again[:middle])
            self._take_part(evaluator, batch, again[middle:])

    def _take_part(self, evaluator: EvaluatorRef, batch: Batch, parts: Sequence[Part]) -> None:
        smaller = batch.only(parts)
        self._take(evaluator, smaller, self._calls(evaluator, [smaller])[0])


def _stopped(outcomes: Sequence[tuple[Part, Outcome | None]]) -> list[Part]:
    """The parts that an evaluator did not come to: none from one on has a value.

    Refusals among values are those of single queries: asking again would give the same. No answer in
    time is not asked for again.
    """
    rest: list[Part] = []
    for part, failure in reversed(outcomes):
        if not isinstance(failure, (Refused, Crashed)):
            break
        rest.append(part)
    return rest[::-1]


def _judged(batch: Batch) -> tuple[str, ...]:
    """The judged queries of a batch, in byte order, as any reader of TREC files finds them."""
    lines = batch.qrels.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    found = {line.split()[0] for line in lines if line.split() and not line.startswith(b"#")}
    return tuple(each.decode("utf-8", "surrogateescape") for each in sorted(found))


def _given(part: Part, batch: Batch, answer: Answer) -> Given:
    """A part's own share of an answer."""
    rows = {**answer.queries, **answer.unasked}
    docs = None if answer.order_file is None else orders_of(answer.order_file)
    if batch.alone:
        return Given(rows, answer.aggregate, answer.decimals, docs, versions=answer.versions)
    old = {new: name for name, new in part.names.items()}
    queries = {old[query]: outcome for query, outcome in rows.items() if query in old}
    own = None if docs is None else {old[query]: _under(docs[query], query, old) for query in docs if query in old}
    return Given(queries, None, answer.decimals, own, versions=answer.versions)


def _under(docs: Sequence[str], query: str, old: Mapping[str, str]) -> list[str]:
    return [old[query] if doc == query else doc for doc in docs]


@lru_cache(maxsize=8)
def orders_of(path: Path) -> dict[str, list[str]]:
    """The order that an adapter wrote down: query to documents, best first."""
    lists = {query: docs.decode("utf-8", "surrogateescape") for query, docs in shown_lists(path).items()}
    return {query: docs.split(" ") if docs else [] for query, docs in lists.items()}
