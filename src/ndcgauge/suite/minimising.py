"""Delta debugging: from files on which two evaluators differ to the fewest lines on which they still do.

Every round has many candidates, and all of them are queries of one pair of files, so that an evaluator is
called once a round and not once a candidate (DESIGN §5.2). After Zeller and Hildebrandt, Simplifying and
isolating failure-inducing input, IEEE TSE 28(2), 2002.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

Keeps = Callable[[Sequence[Sequence["Line"]]], list[bool]]
"""Whether each of some candidates still shows what is to be kept."""


@dataclass(frozen=True)
class Line:
    """A line of one of the two files, apart from its query."""

    query: str
    doc: str
    grade: str | None = None
    """Of a judgment, as written; None for a line of the run."""
    rank: str = ""
    score: str = ""

    @property
    def judged(self) -> bool:
        """Whether it stands in the qrels."""
        return self.grade is not None


def smallest(
    lines: Sequence[Line], keeps: Keeps, cutoff: int | None = None, tell: Callable[[int], None] | None = None
) -> list[Line]:
    """The lines that are left when none can be taken away without losing what `keeps` looks for.

    1-minimal: no single line is superfluous. `lines` themselves must pass. `cutoff`: the measure's, where large
    cuts are tried first; `tell` hears after each round how many lines are left.
    """
    left, parts = _first_cut(lines, keeps, cutoff or 10), 2
    while len(left) > 1:
        if tell is not None:
            tell(len(left))
        chunks = _chunks(left, parts)
        # Halves alone first: the largest step that can be taken.
        candidates = [*chunks, *(_without(left, chunk) for chunk in chunks)] if parts < len(left) else []
        candidates = candidates or [_without(left, chunk) for chunk in chunks]
        passed = [each for each, good in zip(candidates, keeps(candidates), strict=True) if good]
        if passed:
            best = min(passed, key=len)
            parts = 2 if len(best) <= len(left) // 2 else max(2, parts - 1)
            left = best
        elif parts >= len(left):
            break
        else:
            parts = min(len(left), parts * 2)
    return left


def _first_cut(lines: Sequence[Line], keeps: Keeps, cutoff: int) -> list[Line]:
    """The smallest of some large cuts that passes, all tried in one round: what a measure at a cutoff looks at first.

    The best documents of the run, and of the judgments either theirs, or theirs and those above 0, or all.
    """
    run = sorted((each for each in lines if not each.judged), key=lambda each: -float(each.score))
    cuts = [list(lines)]
    for number in (cutoff // 2, cutoff, 2 * cutoff, 4 * cutoff, 16 * cutoff, len(run)):
        kept = {id(each) for each in run[:number]}
        docs = {each.doc for each in run[:number]}
        for least in (math.inf, 0.0, -math.inf):
            cuts.append(
                [
                    each
                    for each in lines
                    if id(each) in kept or (each.grade is not None and (each.doc in docs or float(each.grade) > least))
                ]
            )
    cuts.sort(key=len)
    return next((cut for cut, good in zip(cuts, keeps(cuts), strict=True) if good), list(lines))


def _chunks(lines: Sequence[Line], parts: int) -> list[list[Line]]:
    bounds = [len(lines) * number // parts for number in range(parts + 1)]
    return [list(lines[low:high]) for low, high in itertools.pairwise(bounds) if high > low]


def _without(lines: Sequence[Line], chunk: Sequence[Line]) -> list[Line]:
    gone = {id(each) for each in chunk}
    return [each for each in lines if id(each) not in gone]


def neutral(lines: Sequence[Line]) -> tuple[list[Line], list[list[Line]]]:
    """The lines with plain ids, and forms that are plainer still, to be tried in this order.

    Queries become `q1`, `q2` …, documents `D1`, `D2` …, in the byte order of the old ids, so that every tie rule
    by ids keeps its order; a document that is named as its query stays so. Plainer forms: scores that count
    down (equal ones stay equal), and ranks 1, 2, 3 by line.
    """
    queries = _numbered("q", {each.query for each in lines})
    docs = _numbered("D", {each.doc for each in lines})
    plain = [
        replace(each, query=queries[each.query], doc=queries[each.query] if each.doc == each.query else docs[each.doc])
        for each in lines
    ]
    return plain, [_counted(plain, ranks=True), _counted(plain, ranks=False)]


def _numbered(letter: str, ids: set[str]) -> dict[str, str]:
    ordered = sorted(ids, key=lambda each: each.encode("utf-8", "surrogateescape"))
    width = len(str(len(ordered)))
    return {old: f"{letter}{number:0{width}d}" for number, old in enumerate(ordered, start=1)}


def _counted(lines: Sequence[Line], *, ranks: bool) -> list[Line]:
    """Scores n.0 down to 1.0, one for each different score of a query; ranks by line where asked for."""
    levels: dict[str, dict[float, int]] = {}
    for query in {each.query for each in lines}:
        different = sorted({float(each.score) for each in lines if each.query == query and not each.judged})
        levels[query] = {score: number for number, score in enumerate(different, start=1)}
    place: dict[str, int] = {}
    found: list[Line] = []
    for each in lines:
        if each.judged:
            found.append(each)
            continue
        place[each.query] = place.get(each.query, 0) + 1
        rank = str(place[each.query]) if ranks else each.rank
        found.append(replace(each, score=f"{levels[each.query][float(each.score)]}.0", rank=rank))
    return found


def renamed(lines: Sequence[Line], query: str) -> list[Line]:
    """Lines of one query under another id; a document that is named as the query follows it."""
    return [replace(each, query=query, doc=query if each.doc == each.query else each.doc) for each in lines]


def files_of(lines: Sequence[Line]) -> tuple[bytes, bytes]:
    """The qrels and the run that some lines make."""
    qrels = "".join(f"{each.query} 0 {each.doc} {each.grade}\n" for each in lines if each.judged)
    run = "".join(f"{each.query} Q0 {each.doc} {each.rank} {each.score} demo\n" for each in lines if not each.judged)
    return qrels.encode("utf-8", "surrogateescape"), run.encode("utf-8", "surrogateescape")
