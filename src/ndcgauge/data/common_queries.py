"""Whether qrels and a run speak of the same queries, and a guess at why they do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ndcgauge.data.collection import Collection
from ndcgauge.errors import InputError

_LOOKED_AT = 2000
"""Queries that are looked at for a guess."""


def require_common_queries(collection: Collection) -> None:
    """Raises InputError where no query is in both files, with an id of each and a guess at the cause."""
    if bool((collection.in_qrels & collection.in_run).any()):
        return
    judged = [collection.queries[int(each)] for each in np.flatnonzero(collection.in_qrels)]
    retrieved = [collection.queries[int(each)] for each in np.flatnonzero(collection.in_run)]
    raise InputError(
        f"no query is in both files, so nothing can be scored: the qrels have {_examples(judged)}, "
        f"the run has {_examples(retrieved)}",
        fix=_guess(judged, retrieved) or "check that the run belongs to these qrels",
    )


def _examples(ids: Sequence[str]) -> str:
    return f"{ids[0]!r}" + (f" and {len(ids) - 1:,} more" if len(ids) > 1 else "") if ids else "none"


def _guess(judged: Sequence[str], retrieved: Sequence[str]) -> str | None:
    guesses = [
        *_affixes(judged, retrieved, "qrels"),
        *_affixes(retrieved, judged, "run"),
        *_same_after("ignoring case", str.casefold, judged, retrieved),
        *_same_after("without leading zeros", lambda text: text.lstrip("0") or "0", judged, retrieved),
    ]
    if not guesses:
        return None
    count, text = max(guesses, key=lambda guess: guess[0])
    total = min(len(judged), len(retrieved))
    return f"{text}, {count:,} of {total:,} ids match: write the ids alike in both files"


def _affixes(longer: Sequence[str], shorter: Sequence[str], file: str) -> Iterable[tuple[int, str]]:
    """What, taken off the ids of one file, leaves the most ids of the other."""
    ids = set(shorter)
    suffixes: Counter[str] = Counter()
    prefixes: Counter[str] = Counter()
    for text in longer[:_LOOKED_AT]:
        for split in range(1, len(text)):
            if text[:split] in ids:
                suffixes[text[split:]] += 1
            if text[split:] in ids:
                prefixes[text[:split]] += 1
    for kind, found in (("suffix", suffixes), ("prefix", prefixes)):
        for affix, _ in found.most_common(1):
            left = {_without(text, affix, kind) for text in longer} & ids
            yield len(left), f"without the {kind} {affix!r} in the {file}"


def _without(text: str, affix: str, kind: str) -> str:
    return text.removesuffix(affix) if kind == "suffix" else text.removeprefix(affix)


def _same_after(
    text: str, change: Callable[[str], str], judged: Sequence[str], retrieved: Sequence[str]
) -> Iterable[tuple[int, str]]:
    both = {change(each) for each in judged} & {change(each) for each in retrieved}
    if both:
        yield len(both), text
