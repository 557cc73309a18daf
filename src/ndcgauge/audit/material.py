"""What a claim is audited on: a run with its qrels, and what else the caller gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ndcgauge.data.collection import Collection
from ndcgauge.reference import Evaluation


@dataclass(frozen=True)
class Material:
    """The data of one claim. Names are the files' as the caller gave them."""

    run: str
    collection: Collection
    others: Mapping[str, Collection] = field(default_factory=dict[str, Collection])
    """Other runs given, against the same qrels: rows that may have been exchanged."""
    other_qrels: Mapping[str, Collection] = field(default_factory=dict[str, Collection])
    """The same run against other qrels (`--also-qrels`)."""
    subsets: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Lists of query ids (`--queries`)."""

    @cached_property
    def evaluation(self) -> Evaluation:
        """Shared work of single specifications on the run and its qrels."""
        return Evaluation(self.collection, {})
