"""The judgments of a qrels file, and which lines of a run they judge."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcgauge.data.collection import Bools, Grades, Ints
from ndcgauge.data.columns import QrelsColumns, among, stable_order
from ndcgauge.data.ids import Ids, Words, mix, same

VARIANTS: tuple[str, ...] = ("first", "last", "all")
"""The values of `qrels_duplicates` and `run_duplicates` under which repeated lines can be read."""

HIGH_HALF = 1 if sys.byteorder == "little" else 0
"""Which of the two 32-bit halves of a word is the one that hashing mixes best."""


FEW = 16
"""Values up to which comparing all lines with each is faster than searching for each line's."""


class Repeat(NamedTuple):
    """A (query, document) pair on more than one line."""

    query: bytes
    doc: bytes
    first: int
    """The line that has it first."""
    again: int
    """The line that repeats it."""


@dataclass(frozen=True, eq=False)
class Judgments:
    """The distinct (query, document) pairs of the qrels, sorted by query (bytes), then by first line."""

    queries: Sequence[bytes]
    """Query ids in byte order."""
    code: Mapping[bytes, int]
    """Query id to its index in `queries`."""
    query: Ints
    """(pairs,) index into `queries`; ascending."""
    first: Ints
    """(queries + 1,) where each query's pairs begin."""
    doc: Ids
    line: Ints
    """(pairs,) line number of the pair's first judgment."""
    grades: Mapping[str, Grades]
    """By value of `qrels_duplicates`, as in `collection.Judged`."""
    hashes: Words
    """(pairs,) hash of each document id."""
    repeat: Repeat | None
    """The first line that repeats a pair, if one does."""


class Matches(NamedTuple):
    """Lines of complete queries of a run, looked up among themselves and among the judgments."""

    judged: Ints
    """(lines,) index into the pairs of `Judgments`; -1 where the line has no judgment."""
    original: Ints | None
    """(lines,) position of the first line with the same query and document; None where all differ."""
    own: Bools
    """(lines,) whether the document's id is the query's id."""


def pair_hashes(doc: Words, query: Ints, queries: int) -> Words:
    """(n,) a hash of (query code, document) from the documents' hashes; codes are below `queries`."""
    salt = mix(np.arange(1, queries + 1, dtype=np.uint64))
    return mix(doc ^ salt[query])


def originals(query: Ints, doc: Ids, hashes: Words) -> Ints | None:
    """(lines,) position of the first line with the same query and document; None where all differ.

    `hashes` are of the pairs; equal ones are compared by their ids.
    """
    # Half of a hash is enough to suspect a line, and sorts twice as fast.
    halves = hashes.view(np.uint32)[HIGH_HALF::2]
    ordered = np.sort(halves)
    equal = ordered[1:] == ordered[:-1]
    if not equal.any():
        return None
    suspects = np.flatnonzero(_one_of(halves, ordered[1:][equal]))
    result = np.arange(len(query), dtype=np.int64)
    seen: dict[tuple[int, bytes], int] = {}
    for position in suspects.tolist():
        result[position] = seen.setdefault((int(query[position]), doc.raw(position)), position)
    return result if bool((result != np.arange(len(query))).any()) else None


def _one_of(values: NDArray[np.uint32], ordered: NDArray[np.uint32]) -> Bools:
    """(values,) whether each is one of `ordered`, which ascend; few of them are looked for one after another."""
    if len(ordered) > FEW:
        return among(values, ordered)
    found = values == ordered[0]
    for value in ordered[1:]:
        found |= values == value
    return found


def first_repeat(queries: Sequence[bytes], query: Ints, doc: Ids, line: Ints, original: Ints) -> Repeat:
    """The repetition with the lowest line number; `original` as from `originals`, with one at least."""
    again = np.flatnonzero(original != np.arange(len(original)))
    position = int(again[np.argmin(line[again])])
    return Repeat(
        query=queries[int(query[position])],
        doc=doc.raw(position),
        first=int(line[original[position]]),
        again=int(line[position]),
    )


def judgments_of(columns: QrelsColumns) -> Judgments:
    """Sorts the lines of a qrels file into pairs, and gives each pair the lines that count for it."""
    names = sorted(columns.queries)
    code = {query: number for number, query in enumerate(names)}
    recode = np.fromiter((code[each] for each in columns.queries), np.int64, count=len(names))
    query = recode[columns.query] if names else columns.query
    order = stable_order(query, len(names))
    query, doc = query[order], columns.doc.take(order)
    grade, line = columns.grade[order], columns.line[order]
    # The columns as they stood in the file are not held beside those in order.
    del columns, order
    hashes = doc.hashes()
    original = originals(query, doc, pair_hashes(hashes, query, len(names)))
    everything = np.arange(len(query), dtype=np.int64)
    repeat = None
    if original is None:
        counted = Grades(everything, grade)
        grades = dict.fromkeys(("error", *VARIANTS), counted)
        kept = everything
    else:
        repeat = first_repeat(names, query, doc, line, original)
        kept = np.flatnonzero(original == everything)
        pair = np.searchsorted(kept, original)
        by_pair = stable_order(pair, len(kept))
        last = np.empty(len(kept), dtype=np.int64)
        last[pair[by_pair]] = by_pair
        lines = np.arange(len(kept), dtype=np.int64)
        grades = {
            "first": Grades(lines, grade[kept]),
            "last": Grades(lines, grade[last]),
            "all": Grades(pair[by_pair], grade[by_pair]),
        }
    return Judgments(
        queries=names,
        code=code,
        query=query[kept],
        first=np.searchsorted(query[kept], np.arange(len(names) + 1)),
        doc=doc.take(kept),
        line=line[kept],
        grades=grades,
        hashes=hashes[kept],
        repeat=repeat,
    )


def pairs_of(judgments: Judgments, codes: Ints) -> tuple[Ints, Ints]:
    """The pairs of some queries: (pairs,) their index, and the position in `codes` of their query.

    codes: indices into `Judgments.queries`; -1 for a query that the qrels lack.
    """
    known = np.flatnonzero(codes >= 0)
    low = judgments.first[codes[known]]
    sizes = judgments.first[codes[known] + 1] - low
    before = np.cumsum(sizes) - sizes
    owner = np.repeat(np.arange(len(known), dtype=np.int64), sizes)
    pair = np.arange(len(owner), dtype=np.int64) - before[owner] + low[owner]
    return pair, known[owner]


def codes_of(judgments: Judgments, queries: Sequence[bytes]) -> Ints:
    """(queries,) index of each query in `Judgments.queries`; -1 where the qrels lack it."""
    return np.fromiter((judgments.code.get(each, -1) for each in queries), np.int64, count=len(queries))


def match(judgments: Judgments, queries: Sequence[bytes], query: Ints, doc: Ids) -> Matches:
    """Looks up the lines of complete queries.

    query: (lines,) index into `queries`. A small table over the hashes of these queries' pairs
    lets few lines through; each of those is compared by its bytes.
    """
    pair, owner = pairs_of(judgments, codes_of(judgments, queries))
    seed = 0
    line_docs, pair_docs = doc.hashes(), judgments.hashes[pair]
    while True:
        wanted = pair_hashes(pair_docs, owner, len(queries))
        order = np.argsort(wanted)
        ordered = wanted[order]
        if not bool((ordered[1:] == ordered[:-1]).any()):
            break
        # Two judged pairs with one hash: a search would find only one of them.
        seed += 1
        line_docs, pair_docs = doc.hashes(seed), judgments.doc.take(pair).hashes(seed)
    hashes = pair_hashes(line_docs, query, len(queries))
    judged = np.full(len(query), -1, dtype=np.int64)
    if len(pair):
        hits = _candidates(hashes, ordered)
        place = np.minimum(np.searchsorted(ordered, hashes[hits]), len(ordered) - 1)
        there = order[place]
        right = (ordered[place] == hashes[hits]) & (owner[there] == query[hits])
        hits, there = hits[right], there[right]
        right = same(doc.take(hits), judgments.doc.take(pair[there]))
        judged[hits[right]] = pair[there[right]]
    names = Ids.of(queries)
    own = names.hashes(seed)[query] == line_docs
    maybe = np.flatnonzero(own)
    own[maybe] = same(names.take(query[maybe]), doc.take(maybe))
    return Matches(judged, originals(query, doc, hashes), own)


def _candidates(hashes: Words, wanted: Words) -> Ints:
    """Positions of the hashes whose low bits are those of a wanted one."""
    size = 1 << max(10, (16 * len(wanted)).bit_length())
    table: Bools = np.zeros(size, dtype=np.bool_)
    mask = np.uint64(size - 1)
    table[(wanted & mask).view(np.int64)] = True
    return np.flatnonzero(table[(hashes & mask).view(np.int64)])
