"""A program that takes qrels and run and prints trec_eval's three columns: no adapter needed."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ndcgauge.errors import UsageError
from ndcgauge.evaluators.answers import Answer, Captured, aggregate_of
from ndcgauge.evaluators.outcomes import Crashed, Missing, Outcome, TimedOut, Unavailable, Unsupported, Value
from ndcgauge.evaluators.processes import Died, Limits, Started, TooSlow
from ndcgauge.evaluators.references import Program
from ndcgauge.spec import Measure, parse_measure

if TYPE_CHECKING:
    from ndcgauge.evaluators.workers import Job


SHOWN = 4096
"""Characters of its output that an answer keeps."""
FULL = 15
"""Decimals beyond which a number is taken to be printed in full."""
_PLAIN = re.compile(r"[+-]?\d+(?:\.(\d*))?")


@dataclass
class Printed:
    """The lines of one measure."""

    queries: dict[str, float] = field(default_factory=dict[str, float])
    aggregate: float | None = None
    decimals: int | None = 0
    """None where numbers came in full: with exponents, or with more decimals than `FULL`."""


def parse_columns(text: str) -> dict[Measure, Printed]:
    """Measure to its lines; lines that are no `measure query value` are passed over."""
    result: dict[Measure, Printed] = {}
    for line in text.splitlines():
        fields = line.split("\t") if line.count("\t") >= 2 else line.split()
        if len(fields) != 3:
            continue
        try:
            (measure, query), value = _measure_and_query(fields[0].strip(), fields[1].strip()), float(fields[2])
        except (UsageError, ValueError):
            continue
        printed = result.setdefault(measure, Printed())
        if math.isfinite(value) and printed.decimals is not None:
            plain = _PLAIN.fullmatch(fields[2].strip())
            decimals = None if plain is None else len(plain[1] or "")
            printed.decimals = None if decimals is None or decimals > FULL else max(printed.decimals, decimals)
        if query == "all":
            if printed.aggregate is not None:
                printed.queries["all"] = printed.aggregate
            printed.aggregate = value
        else:
            printed.queries[query] = value
    return result


def _measure_and_query(first: str, second: str) -> tuple[Measure, str]:
    """The measure and the query of a line: in trec_eval's order, or in that of ir_measures, the query first.

    Raises UsageError where neither is a measure.
    """
    try:
        return parse_measure(first), second
    except UsageError:
        return parse_measure(second), first


def _with_files(command: Sequence[str], qrels: str, run: str) -> list[str]:
    """The command with the files in place of the words `{qrels}` and `{run}`; without these they come last."""
    if "{qrels}" in command or "{run}" in command:
        return [{"{qrels}": qrels, "{run}": run}.get(word, word) for word in command]
    return [*command, qrels, run]


def run_trec_program(program: Program, job: Job, limits: Limits, started: Started) -> list[Answer]:
    """One call of the program, its lines as the answers for every measure. It ends with the others of `started`."""
    command = _with_files(program.command, str(job.qrels.absolute()), str(job.run.absolute()))
    try:
        process = started.start(command, os.environ, limits)
    except OSError as error:
        return _all(program, job, Unavailable(f"{command[0]} cannot be started: {error.strerror or error}"))
    except Died as death:
        return _all(program, job, Crashed(death.message, death.stderr))
    process.close_input()
    try:
        text = process.everything().decode("utf-8", "surrogateescape")
        stderr = process.stderr_tail()
    except Died as death:
        return _all(program, job, Crashed(death.message, death.stderr))
    except TooSlow:
        return _all(program, job, TimedOut(limits.seconds))
    finally:
        process.close()
    printed = parse_columns(text)
    captured = Captured(text[-SHOWN:], stderr)
    return [_answer(program, measure, job, _of(measure, printed), captured) for measure in job.measures]


def _of(measure: Measure, printed: Mapping[Measure, Printed]) -> Printed | None:
    """The lines of a measure; where its name says more than a printed one can (`AP(rel=2)`), those of the plain one."""
    return printed.get(measure) or printed.get(Measure(measure.stem, measure.cutoff))


def _all(program: Program, job: Job, outcome: Outcome) -> list[Answer]:
    queries: Mapping[str, Outcome] = dict.fromkeys(job.asked, outcome)
    return [Answer(program.id, measure, queries, outcome, called=" ".join(program.command)) for measure in job.measures]


def _answer(program: Program, measure: Measure, job: Job, printed: Printed | None, captured: Captured) -> Answer:
    if printed is None:
        message = "it printed no line of this measure"
        silent = not captured.stdout.strip()
        outcome: Outcome = Crashed(message, captured.stderr) if silent else Unsupported("measure", message)
        return Answer(program.id, measure, dict.fromkeys(job.asked, outcome), outcome, called=" ".join(program.command))
    rows: dict[str, Outcome] = {query: Value(value) for query, value in printed.queries.items()}
    queries = {query: rows.get(query, Missing()) for query in job.asked}
    given = None if printed.aggregate is None else Value(printed.aggregate)
    return Answer(
        evaluator=program.id,
        measure=measure,
        queries=queries,
        aggregate=aggregate_of(given, queries, rows_for_missing=False),
        decimals=printed.decimals,
        called=" ".join(program.command),
        captured=captured,
        unasked={query: outcome for query, outcome in rows.items() if query not in queries},
    )
