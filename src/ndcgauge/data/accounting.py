"""Query accounting: what the files hold, before any metric (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ndcgauge.data.collection import Bools, Collection, Floats, Ints, RankingKey, RunRows, TiedGroups


@dataclass(frozen=True)
class Ties:
    """Queries whose scores tie near a cutoff; among all retrieved documents, judged or not."""

    within: int
    """Queries with two equal scores among the first k."""
    within_float32: int
    """Queries with two among the first k that are equal in single precision only."""
    across: int
    """Queries whose scores at ranks k and k + 1 are equal."""
    across_float32: int
    """Queries where they are equal in single precision only."""


@dataclass(frozen=True)
class Accounting:
    """Counts of queries, judgments, ties and oddities of qrels and a run.

    Where documents are repeated, everything is counted over the first line of each, except the repetitions.
    """

    judged: int
    """Queries in the qrels."""
    retrieved: int
    """Queries in the run."""
    both: int
    judged_only: tuple[str, ...]
    """Judged queries that the run lacks, in byte order."""
    run_only: tuple[str, ...]
    """Queries of the run that the qrels lack, in byte order."""
    without_relevant: tuple[str, ...]
    """Judged queries without a grade that reaches the threshold, in byte order."""
    judgments: int
    """Distinct judged (query, document) pairs."""
    documents: int
    """Distinct retrieved (query, document) pairs."""
    fewest: int
    """Documents of the query of the run that has the fewest."""
    most: int
    """Documents of the query of the run that has the most."""
    scale: tuple[tuple[str, int], ...]
    """Each grade with the number of pairs that have it, ascending."""
    negative: int
    """Pairs with a grade below 0."""
    fractional: int
    """Pairs with a grade that is no whole number."""
    own: int
    """Retrieved documents whose id is their query's."""
    repeated_judgments: int
    """Lines of the qrels that repeat a pair."""
    repeated_documents: int
    """Lines of the run that repeat a document of a query."""
    judged_at: Mapping[int, float]
    """Cutoff k to the share of judged documents among the first k of every query in both files, in
    trec_eval's order; all these documents taken together. NaN where no query is in both."""
    ties: Mapping[int, Ties]
    """By cutoff, over all queries of the run."""


def account(collection: Collection, cutoffs: Sequence[int] = (10,), threshold: float = 1.0) -> Accounting:
    """The accounting of a collection; a grade is relevant where it reaches `threshold`."""
    both = collection.in_qrels & collection.in_run
    first = "first"
    grades = collection.judged.grades[first].grade
    relevant = np.zeros(len(collection.queries), dtype=np.bool_)
    relevant[collection.judged.query[grades >= threshold]] = True
    distinct, counts = np.unique(grades + 0.0, return_counts=True)
    rows = collection.rows[first]
    ranked = rows.rankings[RankingKey()].ranked
    per_query = ranked[collection.in_run]
    everything = int(collection.rows["all"].rankings[RankingKey()].ranked.sum())
    return Accounting(
        judged=int(collection.in_qrels.sum()),
        retrieved=int(collection.in_run.sum()),
        both=int(both.sum()),
        judged_only=_named(collection, collection.in_qrels & ~collection.in_run),
        run_only=_named(collection, collection.in_run & ~collection.in_qrels),
        without_relevant=_named(collection, collection.in_qrels & ~relevant),
        judgments=len(collection.judged.query),
        documents=int(ranked.sum()),
        fewest=int(per_query.min(initial=0 if not len(per_query) else per_query[0])),
        most=int(per_query.max(initial=0)),
        scale=tuple((grade_text(grade), int(count)) for grade, count in zip(distinct.tolist(), counts, strict=True)),
        negative=int((grades < 0).sum()),
        fractional=int((grades != np.trunc(grades)).sum()),
        own=int((rows.own & ~rows.inserted).sum()),
        repeated_judgments=len(collection.judged.grades["all"].grade) - len(grades),
        repeated_documents=everything - int(ranked.sum()),
        judged_at={k: _judged_at(rows, ranked, np.flatnonzero(both), k) for k in cutoffs},
        ties={k: _ties(collection.ties, k) for k in cutoffs},
    )


def grade_text(grade: float) -> str:
    """A grade as qrels write it: a whole number without a point."""
    return str(int(grade)) if grade == int(grade) else repr(grade)


def _named(collection: Collection, chosen: Bools) -> tuple[str, ...]:
    return tuple(collection.queries[query] for query in np.flatnonzero(chosen).tolist())


def _judged_at(rows: RunRows, ranked: Ints, queries: Ints, k: int) -> float:
    ranking = rows.rankings[RankingKey()]
    rank = ranking.start + ranking.by_docid
    counted = (rows.judged >= 0) & (ranking.start > 0) & (rank <= k)
    judged = np.bincount(rows.query[counted], minlength=len(ranked))[queries]
    shown = np.minimum(ranked[queries], k)
    return float(judged.sum() / shown.sum()) if len(queries) else float("nan")


def _ties(ties: Mapping[str, TiedGroups], k: int) -> Ties:
    """Counts the pairs of neighbours that are equal, within the first k and across the cutoff."""
    within: dict[str, Floats] = {}
    across: dict[str, Floats] = {}
    for precision, groups in ties.items():
        last = groups.start + groups.length - 1
        here = groups.start <= k
        query = groups.query[here]
        pairs = np.minimum(last[here], k) - groups.start[here]
        size = int(max(each.query.max(initial=-1) for each in ties.values())) + 1
        within[precision] = np.bincount(query, pairs, size).astype(np.float64)
        across[precision] = np.bincount(query, last[here] > k, size).astype(np.float64)
    wide, narrow = "float64", "float32"
    return Ties(
        within=int((within[wide] > 0).sum()),
        within_float32=int((within[narrow] > within[wide]).sum()),
        across=int((across[wide] > 0).sum()),
        across_float32=int((across[narrow] > across[wide]).sum()),
    )
