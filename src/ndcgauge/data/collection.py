"""What a reader leaves in memory of qrels and a run: the judgments and the judged rows.

A specification needs, for each retrieved document that is judged, its grade, its query and,
for each ranking key, the tie group that it stands in; per query the number of retrieved
documents; and the judgments. Everything else of a run is dropped while it is read
(DESIGN §4). A query's own document (`self`) is kept beside the judged ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ndcgauge.data.columns import RunColumns

Ints = NDArray[np.int64]
Ranks = NDArray[np.int32]
"""Places inside the list of one query: kept in half the bytes, made 64 bits wide before they are counted with."""
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Grades(NamedTuple):
    """The lines of the qrels that count under one value of `qrels_duplicates`."""

    judged: Ints
    """(lines,) index into `Judged` of the line's (query, document); ascending."""
    grade: Floats
    """(lines,) the grade as written, integral or not, negative or not."""


@dataclass(frozen=True, eq=False)
class Judged:
    """The distinct (query, document) pairs of the qrels, sorted by query, then by first line."""

    query: Ints
    """(pairs,) index into `Collection.queries`; ascending."""
    doc: Sequence[str]
    """(pairs,) document id."""
    line: Ints
    """(pairs,) line number of the pair's first judgment, from 1."""
    grades: Mapping[str, Grades]
    """By value of `qrels_duplicates`: `first`, `last`, `all`, and `error`, which is there only
    where no pair is repeated; then all four are the same object."""

    @cached_property
    def by_id(self) -> Ints:
        """(pairs,) place of each pair's document id among all, ascending by the bytes of their UTF-8 text."""
        # Ids are columns of the floor above this one.
        from ndcgauge.data.ids import Ids, IdTexts, encode

        ids = self.doc.ids if isinstance(self.doc, IdTexts) else Ids.of(map(encode, self.doc))
        place = np.empty(len(ids), dtype=np.int64)
        place[np.lexsort(ids.descending_keys()[::-1])] = np.arange(len(ids) - 1, -1, -1)
        return place


class RankingKey(NamedTuple):
    """What ranks the documents, and which of them: the choices that a reader has to make."""

    order: str = "score"
    """`score`, `rank` or `line`."""
    precision: str = "float64"
    """`float64` or `float32`; `float64` where `order` is not `score`."""
    min_score: float | None = None
    """Documents with a score of this or less are not ranked; compared as float64."""
    insert_score: float | None = None
    """Judged documents that the run lacks stand at this score (`unretrieved=score:x`)."""


class Ranking(NamedTuple):
    """Where each row stands under one key: tie groups, and the place inside them.

    A row that is not ranked under the key has start 0, length 0 and place 0.
    """

    start: Ranks
    """(rows,) rank, from 1, of the first document of the row's tie group."""
    length: Ranks
    """(rows,) number of documents in the tie group, judged or not."""
    by_docid: Ranks
    """(rows,) place, from 0, inside the group by descending id (bytes of UTF-8); equal ids by line."""
    by_line: Ranks
    """(rows,) place, from 0, inside the group by line."""
    ranked: Ints
    """(queries,) number of documents ranked, judged or not; 0 for a query that the run lacks."""


class RunRows(NamedTuple):
    """The judged rows of a run under one value of `run_duplicates`, sorted by query, then line.

    Rows of `insert_score` rankings are in here too; `inserted` marks them, and every ranking
    without `insert_score` gives them start 0.
    """

    query: Ints
    """(rows,) index into `Collection.queries`; ascending."""
    judged: Ints
    """(rows,) index into `Judged`; -1 for a query's own document where it has no judgment."""
    own: Bools
    """(rows,) whether the document's id is the query's id."""
    line: Ints
    """(rows,) line number in the run, from 1; 0 for inserted rows."""
    inserted: Bools
    """(rows,) whether the row stands for a judged document that the run lacks."""
    rankings: Mapping[RankingKey, Ranking]
    """One for every key that was asked for."""


class TiedGroups(NamedTuple):
    """Tie groups of two or more documents, judged or not, in the ranking by score."""

    query: Ints
    """(groups,) index of the query."""
    start: Ints
    """(groups,) rank, from 1, of the first document."""
    length: Ints
    """(groups,) number of documents."""


class RunLine(NamedTuple):
    """One line of a run, as read, for the places where a person looks."""

    doc: str
    rank: str
    """The rank column as written."""
    score: float
    line: int


class Needs(NamedTuple):
    """What the specifications of a call ask of the reader."""

    min_scores: frozenset[float] = frozenset()
    insert_scores: frozenset[float] = frozenset()
    lists: bool = False
    """Whether the complete lists will be looked at (`Collection.complete`): they are kept, unless they are large."""

    def keys(self) -> list[RankingKey]:
        """Every ranking key: each order and precision, with each minimum score, then the insertions."""
        keys = [
            RankingKey(order, precision, minimum)
            for minimum in (None, *sorted(self.min_scores))
            for order, precision in (
                ("score", "float64"),
                ("score", "float32"),
                ("rank", "float64"),
                ("line", "float64"),
            )
        ]
        keys += [
            RankingKey("score", precision, minimum, insert)
            for insert in sorted(self.insert_scores)
            for minimum in (None, *sorted(self.min_scores))
            for precision in ("float64", "float32")
        ]
        return keys


DEFAULT_NEEDS = Needs(min_scores=frozenset({0.0}))
"""What the lattice can ask for (DESIGN §1)."""


@dataclass(frozen=True, eq=False)
class Collection:
    """Qrels and a run, aligned. Everything that the reference and the reports need of them."""

    queries: Sequence[str]
    """Every query id of either file, in the byte order of their UTF-8 text."""
    in_qrels: Bools
    """(queries,) whether the query has a line in the qrels."""
    in_run: Bools
    """(queries,) whether the query has a line in the run."""
    judged: Judged
    rows: Mapping[str, RunRows]
    """By value of `run_duplicates`: `first`, `last`, `all`, and `error`, which is there only
    where no document is repeated; then all four are the same object."""
    has_scores: bool
    """False where the run has ranks only (score = 1/rank)."""
    lists: Callable[[Sequence[str]], Mapping[str, Sequence[RunLine]]] = field(repr=False, compare=False)
    """Reads the complete lists of some queries again: query id to its lines in file order."""
    complete: Callable[[], Iterator[RunColumns]] = field(repr=False, compare=False)
    """The run once more, as it was kept or read again: some complete queries at a time, whatever `run_duplicates` says,
    their lines sorted by query and else as they stand. There may be queries that the collection has no more."""
    ties: Mapping[str, TiedGroups] = field(default_factory=dict[str, TiedGroups])
    """By `score_precision`: the ties of the run's scores, with `run_duplicates=first` where documents repeat."""

    @cached_property
    def index(self) -> dict[str, int]:
        """Query id to its index."""
        return {query: i for i, query in enumerate(self.queries)}
