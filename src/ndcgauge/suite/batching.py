"""Cases as queries of few pairs of files, so that each library is called few times (DESIGN §5.2).

A case that is plain (space-separated columns, queries in both files, nothing repeated) goes under
other query ids into a pair of files with many others; only its queries' values are looked at then. A
case whose files, query ids or mean are the point has files of its own, byte for byte; cases with the
same bytes share them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ndcgauge.spec import Measure
from ndcgauge.suite.lint import READING
from ndcgauge.suite.model import Case
from ndcgauge.suite.trials import Trial

ON_THE_MEAN = frozenset({"queries", "averaging", "row_rounding"})
"""Axes that act on the mean, which a case among others does not have."""
ON_THE_FILES = frozenset({"nul", "run_duplicates", "qrels_duplicates"})
FILLER = b"c0000n1", b"d" * 300
"""A query of no case, and its one document, judged and retrieved.

It makes the longest id of all shared files as long as the longest of the suite: ranx compiles its lists anew, in three
to six seconds, for every greatest length of a document's id that it meets (numba has a type for each).
"""
_PLAIN = re.compile(rb"(?:[!-~]+(?: [!-~]+)*\n)*")
_WHOLE = re.compile(rb"[+-]?\d+")


@dataclass(frozen=True, eq=False)
class Part:
    """A trial with its place in a pair of files."""

    trial: Trial
    names: Mapping[str, str]
    """The case's query ids to those in the files; also its documents that are named as a query."""


@dataclass(frozen=True, eq=False)
class Batch:
    """A pair of files, and the trials that are asked on it."""

    qrels: bytes
    run: bytes
    parts: tuple[Part, ...]
    alone: bool
    """Whether the files are those of the parts' cases, so that the mean is theirs too."""

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """Each measure once."""
        return tuple(dict.fromkeys(part.trial.measure for part in self.parts))

    def only(self, parts: Sequence[Part]) -> Batch:
        """A batch of some of the parts, in files of their own."""
        return self if self.alone else joined([part.trial for part in parts], fill=False)


def batches(trials: Sequence[Trial]) -> list[Batch]:
    """The pairs of files for some trials: first those that many cases share."""
    shared: dict[tuple[str, str], list[Trial]] = {}
    alone: dict[tuple[bytes, bytes, str], list[Trial]] = {}
    for trial in trials:
        case, changes = trial.case, repr(sorted(trial.measure.changes.items()))
        if stands_alone(case):
            alone.setdefault((case.qrels, case.run, changes), []).append(trial)
        else:
            shared.setdefault((_hazard(case), changes), []).append(trial)
    own = [
        Batch(qrels, run, tuple(Part(each, _same(each.case)) for each in group), alone=True)
        for (qrels, run, _), group in alone.items()
    ]
    return [*(joined(group) for group in shared.values()), *own]


def stands_alone(case: Case) -> bool:
    """Whether a case needs files of its own."""
    if case.folder == READING or not (ON_THE_MEAN | ON_THE_FILES).isdisjoint(case.written.axes):
        return True
    if not (_PLAIN.fullmatch(case.qrels) and _PLAIN.fullmatch(case.run)):
        return True
    judged, retrieved = _columns(case.qrels), _columns(case.run)
    if any(len(each) != 4 for each in judged) or any(len(each) != 6 for each in retrieved):
        return True
    pairs = [[(each[0], each[2]) for each in lines] for lines in (judged, retrieved)]
    if any(len(set(each)) < len(each) for each in pairs) or {each[0] for each in judged} != {
        each[0] for each in retrieved
    }:
        return True
    # trec_eval 9.0.4 dies of a grade of -2, and takes the rest of the file with it.
    if any(float(each[3]) <= -2 for each in judged):
        return True
    if any(not each.mean_is_macro or each.refused == "input" for each in case.expectations):
        return True
    return _has_own_document(judged + retrieved) and _is_tied(retrieved)


def _hazard(case: Case) -> str:
    """What makes some evaluators refuse a whole file: such cases share one among themselves."""
    grades = [each[3] for each in _columns(case.qrels)]
    if any(not _WHOLE.fullmatch(each) for each in grades):
        return "a grade that is no whole number"
    return "a grade below 0" if any(int(each) < 0 for each in grades) else ""


def _has_own_document(lines: Sequence[Sequence[bytes]]) -> bool:
    return any(each[0] == each[2] for each in lines)


def _is_tied(lines: Sequence[Sequence[bytes]]) -> bool:
    """Whether another id would change an order: two documents of a query at one score, in single precision."""
    with np.errstate(over="ignore"):
        keys = [(each[0], float(np.float32(float(each[4])))) for each in lines]
    return len(set(keys)) < len(keys)


def _columns(data: bytes) -> list[list[bytes]]:
    return [line.split(b" ") for line in data.split(b"\n") if line]


def _same(case: Case) -> dict[str, str]:
    del case
    return {}


def joined(trials: Sequence[Trial], *, fill: bool = True) -> Batch:
    """A pair of files in which every case stands under query ids of its own: `c0001n1`, `c0001n2` …

    Trials of cases with the same files share their lines. fill: whether `FILLER` stands before them; an evaluator
    that could not do with that long an id would else answer no case, in whatever parts it is asked.
    """
    numbers: dict[tuple[bytes, bytes], int] = {}
    qrels, run, parts = list[bytes](), list[bytes](), list[Part]()
    if fill:
        query, doc = FILLER
        qrels, run = [b"%s 0 %s 1\n" % (query, doc)], [b"%s Q0 %s 1 1 demo\n" % (query, doc)]
    names: dict[int, dict[str, str]] = {}
    for trial in trials:
        key = (trial.case.qrels, trial.case.run)
        known = key in numbers
        number = numbers.setdefault(key, len(numbers) + 1)
        if not known:
            judged, retrieved = _columns(key[0]), _columns(key[1])
            ids = sorted({each[0] for each in judged + retrieved})
            new = {each: b"c%04dn%d" % (number, place) for place, each in enumerate(ids, start=1)}
            names[number] = {old.decode(): each.decode() for old, each in new.items()}
            qrels += [_renamed(each, new) for each in judged]
            run += [_renamed(each, new) for each in retrieved]
        parts.append(Part(trial, names[number]))
    return Batch(b"".join(qrels), b"".join(run), tuple(parts), alone=False)


def _renamed(columns: Sequence[bytes], names: Mapping[bytes, bytes]) -> bytes:
    """A line under the new id of its query; a document that has the query's id follows it."""
    query, second, doc, *rest = columns
    new = names[query]
    return b" ".join((new, second, new if doc == query else doc, *rest)) + b"\n"
