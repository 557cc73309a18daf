"""`compare --identities`: what is checked without a second evaluator, and how it is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ndcgauge.diff.identities import Answers, AskAll, Checked
from ndcgauge.diff.probes import InputFiles
from ndcgauge.evaluators.references import EvaluatorRef
from ndcgauge.evaluators.workers import Job, Workers
from ndcgauge.jobs.document import safe
from ndcgauge.spec import Measure


def ask_again(
    workers: Workers, evaluator: EvaluatorRef, measures: tuple[Measure, ...], asked: tuple[str, ...]
) -> AskAll:
    """Calls one evaluator for several measures on other files, in one call."""

    def ask(files: InputFiles) -> Answers:
        answers = workers.evaluate([evaluator], Job(files.qrels, files.run, measures, asked))
        return {measure: answers[evaluator.id, measure.name] for measure in measures}

    return ask


def broken_identities(checked: Sequence[Checked], evaluator: str, run: str) -> list[str]:
    """One warning for each identity that does not hold."""
    return [
        f"{evaluator}, {each.measure.name} of {run}: {each.identity}, but not on {len(each.broken):,} of the "
        f"{each.queries:,} queries that show it; on {safe(each.broken[0])} it gave {each.example}"
        for each in checked
        if each.broken
    ]


def held_identities(checked: Sequence[Checked]) -> Mapping[str, str]:
    """Measure name to a note that counts the identities which hold."""
    held: dict[str, list[str]] = defaultdict(list)
    for each in checked:
        if not each.broken:
            held[each.measure.name].append(f"{each.identity} ({each.queries:,})")
    return {name: f"identities that hold (queries): {'; '.join(lines)}" for name, lines in held.items()}
