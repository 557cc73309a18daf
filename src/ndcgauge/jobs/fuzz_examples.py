"""One query with its judgments and its ranking: drawn by hypothesis, made smaller, written as files.

Drawn are what makes evaluators differ: ties inside and across the cutoff, in short lists and in ones too
long for a stable sort; scores that are equal in single precision only; lists shorter than the cutoff;
unjudged documents, judged ones that the run lacks, negative grades; lines in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hypothesis import strategies as st

LONGEST = 48
"""Documents of a list: several times what unstable sorts leave to insertion."""
_GRADES = (None, None, 0, 0, 1, 1, 2, 3, 4, -1)
_CLOSE = 16777216.0
"""2^24: from here on single precision tells no two neighbouring whole numbers apart."""


@dataclass(frozen=True)
class Retrieved:
    """A line of the run, with the document's grade."""

    doc: int
    score: float
    grade: int | None
    """None for an unjudged document."""


@dataclass(frozen=True)
class Example:
    """One query."""

    retrieved: tuple[Retrieved, ...]
    """In the order of the lines."""
    missing: tuple[int, ...]
    """Grades of judged documents that the run lacks."""

    @property
    def cost(self) -> tuple[float, ...]:
        """What makes one example simpler than another: fewer documents, then fewer and lower grades, plainer scores."""
        grades = [each.grade for each in self.retrieved if each.grade is not None] + list(self.missing)
        distinct = {each.score for each in self.retrieved}
        plain = sum(score != round(score) or abs(score) > len(self.retrieved) for score in distinct)
        disorder = sum(one.doc > two.doc for one, two in zip(self.retrieved, self.retrieved[1:], strict=False))
        return (
            len(self.retrieved) + len(self.missing),
            len(grades),
            sum(abs(each) + 3 * (each < 0) for each in grades),
            plain,
            len(distinct),
            disorder,
        )

    def qrels(self, query: str) -> str:
        """The lines of the qrels."""
        lines = [f"{query} 0 {_name(each.doc)} {each.grade}\n" for each in self.retrieved if each.grade is not None]
        lines += [f"{query} 0 M{number:02d} {grade}\n" for number, grade in enumerate(self.missing, 1)]
        return "".join(lines)

    def run(self, query: str) -> str:
        """The lines of the run."""
        return "".join(
            f"{query} Q0 {_name(each.doc)} {rank} {each.score!r} fuzz\n" for rank, each in enumerate(self.retrieved, 1)
        )


def _name(doc: int) -> str:
    return f"D{doc:02d}"


@st.composite
def examples(draw: st.DrawFn) -> Example:
    """Queries of 1 to LONGEST retrieved documents, at least one of them or of the missing ones judged."""
    count = draw(st.one_of(st.integers(1, 6), st.integers(1, LONGEST)))
    scores = draw(
        st.sampled_from(
            (
                st.just(1.0),
                st.sampled_from((0.0, 1.0, 2.0)),
                st.integers(0, 3).map(lambda step: _CLOSE + step),
                st.integers(0, 3).map(lambda step: 0.1 + step * 1e-9),
                st.integers(-count, count).map(float),
                st.floats(-1e6, 1e6, allow_nan=False),
            )
        )
    )
    order = draw(st.one_of(st.just(list(range(1, count + 1))), st.permutations(range(1, count + 1))))
    retrieved = tuple(Retrieved(doc, draw(scores), draw(st.sampled_from(_GRADES))) for doc in order)
    missing = tuple(draw(st.lists(st.integers(0, 4), max_size=4)))
    if not missing and all(each.grade is None for each in retrieved):
        missing = (1,)
    return Example(retrieved, missing)


def smaller(example: Example) -> Iterator[Example]:
    """Examples that are simpler by one step each: pieces left out (half, a quarter, … one document), grades and
    scores made plainer, lines put in order.

    Where one document is left out, the others' grades are also turned round: an unjudged document at the top may be
    all that keeps a list from its ideal order.
    """
    docs = example.retrieved
    size = len(docs) // 2
    while size:
        for begin in range(0, len(docs), size):
            kept = docs[:begin] + docs[begin + size :]
            yield replace(example, retrieved=kept)
            if size == 1:
                turned = zip(kept, reversed(kept), strict=True)
                yield replace(example, retrieved=tuple(replace(each, grade=other.grade) for each, other in turned))
        size //= 2
    for number in range(len(example.missing)):
        yield replace(example, missing=example.missing[:number] + example.missing[number + 1 :])
        yield _with_missing(example, number, 1)
        yield _with_missing(example, number, example.missing[number] - 1)
    yield _plain_scores(example)
    yield replace(example, retrieved=tuple(replace(each, score=1.0) for each in docs))
    yield replace(example, retrieved=tuple(sorted(docs, key=lambda each: each.doc)))
    yield replace(example, retrieved=tuple(sorted(docs, key=lambda each: -each.score)))
    yield replace(example, retrieved=tuple(replace(each, doc=place) for place, each in enumerate(docs, 1)))
    yield replace(
        example, retrieved=tuple(replace(each, grade=None if each.grade == 0 else each.grade) for each in docs)
    )
    for number, each in enumerate(docs):
        if each.grade is None:
            continue
        for grade in (None, 0, 1, each.grade - 1):
            if grade != each.grade:
                yield replace(example, retrieved=(*docs[:number], replace(each, grade=grade), *docs[number + 1 :]))


def _with_missing(example: Example, number: int, grade: int) -> Example:
    return replace(example, missing=(*example.missing[:number], grade, *example.missing[number + 1 :]))


def _plain_scores(example: Example) -> Example:
    """The same order and the same ties with scores 1, 2, 3 …"""
    place = {score: float(number) for number, score in enumerate(sorted({each.score for each in example.retrieved}), 1)}
    return replace(example, retrieved=tuple(replace(each, score=place[each.score]) for each in example.retrieved))


def usable(example: Example) -> bool:
    """Whether it can be a query of a pair: something is retrieved, and something judged."""
    return bool(example.retrieved) and (
        bool(example.missing) or any(each.grade is not None for each in example.retrieved)
    )


def names(count: int) -> list[str]:
    """Query ids for examples that make up one pair."""
    return [f"q{number:05d}" for number in range(1, count + 1)]


def write(batch: Sequence[Example], folder: Path) -> tuple[Path, Path]:
    """Writes examples as the queries of one pair; the paths of qrels and run."""
    folder.mkdir(parents=True, exist_ok=True)
    qrels, run = folder / "qrels", folder / "run"
    queries = names(len(batch))
    qrels.write_text("".join(each.qrels(query) for query, each in zip(queries, batch, strict=True)), encoding="utf-8")
    run.write_text("".join(each.run(query) for query, each in zip(queries, batch, strict=True)), encoding="utf-8")
    return qrels, run
