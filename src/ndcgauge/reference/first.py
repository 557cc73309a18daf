"""The rows that can stand among the first k of what is left of a list, found once for all tie rules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ndcgauge.data.collection import Ints, RankingKey, RunRows
from ndcgauge.data.columns import first_of_each
from ndcgauge.reference.grades import Judgments


class First(NamedTuple):
    """Rows of a ranking that matter where nothing beyond rank k of what is left counts."""

    rows: Ints
    """(some rows,) ascending; whole tie groups, with what is dropped from among them."""
    left: Ints
    """(queries,) documents left of the whole list."""


def first_rows(
    rows: RunRows, key: RankingKey, judgments: Judgments, k: int, queries: int, *, drop_unjudged: bool
) -> First | None:
    """The rows that can reach the first `k` ranks after drops, under whatever tie rule; None where all lists are short.

    For lists to which nothing is added and that no `depth` cuts.
    """
    ranking = rows.rankings[key]
    if int(ranking.ranked.max(initial=0)) <= k:
        return None
    index = np.flatnonzero(ranking.start > 0)
    query, start = rows.query[index].astype(np.int64), ranking.start[index].astype(np.int64)
    pair = rows.judged[index]
    known = pair >= 0
    if not drop_unjudged:
        # No document rises by more ranks than there are dropped ones.
        gone = np.bincount(query[known][judgments.dropped[pair[known]]], minlength=queries)
        return First(index[start <= k + gone[query]], ranking.ranked - gone)
    # What `negative` drops has no judgment left that counts.
    stays = np.zeros(len(index), dtype=np.bool_)
    stays[known] = judgments.judged[pair[known]]
    place = query * (int(start.max(initial=0)) + 1) + start
    # Lists stand in the order of their scores as a rule: then there is nothing to sort.
    if not bool((place[1:] >= place[:-1]).all()):
        order = np.argsort(place, kind="stable")
        index, query, place, stays = index[order], query[order], place[order], stays[order]
    before = np.cumsum(stays) - stays
    before -= before[first_of_each(query)]
    # A tie group counts from its first row: with k before that, none of its rows gets among the first k.
    of_group = before[first_of_each(place)]
    inside = np.sort(index[of_group < k])
    return First(inside, np.bincount(query[stays], minlength=queries))
