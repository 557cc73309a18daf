"""Ids and numbers of formats other than TREC's: what is taken, and what is said of the rest."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ndcgauge.data.refusals import is_number, shown
from ndcgauge.errors import InputError


@dataclass(frozen=True)
class Where:
    """Where a value stands."""

    file: str
    line: int | None = None
    place: str | None = None
    text: bytes | None = None

    def refusal(self, problem: str, fix: str) -> InputError:
        """The error for the value."""
        text = None if self.text is None else shown(self.text)
        return InputError(problem, file=self.file, line=self.line, place=self.place, text=text, fix=fix)


def number_of(what: str, field: bytes, where: Where) -> float:
    """A finite decimal number. Raises InputError for anything else."""
    if is_number(field):
        return float(field)
    try:
        finite = b"_" in field or math.isfinite(float(field))
    except ValueError:
        finite = True
    raise where.refusal(
        f"the {what} {shown(field)!r} is " + ("no number" if finite else "not finite"),
        f"write the {what} as a finite decimal number",
    )


def rank_of(field: bytes, where: Where) -> float:
    """A whole number from 1 on, as a rank that stands alone must be. Raises InputError for anything else."""
    rank = number_of("rank", field, where)
    if rank < 1 or rank != math.floor(rank):
        raise where.refusal(
            f"the rank {shown(field)!r} is no whole number from 1 on, and the score is made of it (1/rank)",
            "count ranks from 1",
        )
    return rank


def id_of(what: str, raw: bytes, where: Where) -> bytes:
    """An id of one byte or more, white space alone excluded. Raises InputError for anything else."""
    if not raw.strip():
        raise where.refusal(f"the {what} id is empty", "every query and document needs an id")
    return raw
