"""Rankings made in the plainest way, to check the reader against: lists, `sorted`, and loops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ndcgauge.data.collection import RankingKey

QrelsLine = tuple[str, str, float]
RunLine = tuple[str, str, float, float]
Place = tuple[int, int, int, int]
"""Start, length, place by id, place by line."""


@dataclass(frozen=True)
class Entry:
    """A document of a ranking: its value, and what decides a tie by line."""

    doc: str
    value: float
    after: tuple[int, int]
    row: tuple[str, str, int]
    """Query, document, line (0: the run lacks it)."""


def counted(run: list[RunLine], rule: str) -> list[tuple[int, RunLine]]:
    """The lines that count under a value of `run_duplicates`, with their numbers."""
    kept: dict[tuple[str, str], int] = {}
    for number, line in enumerate(run, 1):
        if rule == "last" or line[:2] not in kept:
            kept[line[:2]] = number
    return [
        (number, line) for number, line in enumerate(run, 1) if rule in ("all", "error") or kept[line[:2]] == number
    ]


def single(score: float) -> float:
    """The nearest float32, ±inf beyond its range."""
    with np.errstate(over="ignore"):
        return float(np.float32(score))


def entries(qrels: list[QrelsLine], run: list[RunLine], rule: str, key: RankingKey, query: str) -> list[Entry]:
    """The documents that are ranked for a query of the run, in the order of lines."""
    result: list[Entry] = []
    lines = [(number, line) for number, line in counted(run, rule) if line[0] == query]
    for number, (_, doc, rank, score) in lines:
        if key.min_score is not None and score <= key.min_score:
            continue
        value = {"score": score, "rank": -rank, "line": -float(number)}[key.order]
        value = single(value) if key.precision == "float32" else value
        result.append(Entry(doc, value, (0, number), (query, doc, number)))
    if key.insert_score is not None:
        value = single(key.insert_score) if key.precision == "float32" else key.insert_score
        there = {entry.doc for entry in result}
        for number, (judged_query, doc, _) in enumerate(qrels, 1):
            if judged_query == query and doc not in there:
                there.add(doc)
                line = min((n for n, line in lines if line[1] == doc), default=0)
                result.append(Entry(doc, value, (1, number), (query, doc, line)))
    return result


def place(ranked: list[Entry], entry: Entry) -> Place:
    """Where a document stands among those that are ranked."""
    tied = [each for each in ranked if each.value == entry.value]
    start = 1 + sum(each.value > entry.value for each in ranked)
    by_id = sorted(tied, key=lambda each: each.after)
    by_id.sort(key=lambda each: each.doc.encode("utf-8", "surrogateescape"), reverse=True)
    by_line = sorted(tied, key=lambda each: each.after)
    return start, len(tied), by_id.index(entry), by_line.index(entry)


def rows(
    qrels: list[QrelsLine], run: list[RunLine], rule: str, key: RankingKey
) -> tuple[dict[tuple[str, str, int], Place], dict[str, int]]:
    """The place of every judged document and of every query's own, and the number ranked a query."""
    judged = {line[:2] for line in qrels}
    found: dict[tuple[str, str, int], Place] = {}
    ranked: dict[str, int] = {}
    for query in dict.fromkeys(line[0] for line in run):
        listed = entries(qrels, run, rule, key, query)
        ranked[query] = len(listed)
        for entry in listed:
            if (query, entry.doc) in judged or query == entry.doc:
                found[entry.row] = place(listed, entry)
    return found, ranked
