"""The reference of a case that stands among others in a pair of files: one evaluation serves all of them.

A specification is tried on hundreds of cases. Reading each case's files and scoring them one by one would cost
more than calling the evaluators, so the values are taken from the shared files, query by query. A closed form of
the case comes first as ever, and where the shared files have no answer (a gain table that lacks a grade of another
case, a tie too large for the extremes of another) the case's own files are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ndcgauge.spec import MetricSpec
from ndcgauge.suite.batching import Batch
from ndcgauge.suite.expecting import Expecting, Orders, PairReference
from ndcgauge.suite.trials import Given, Trial


@dataclass(frozen=True, eq=False)
class PartReference:
    """What any specification expects of one case among others."""

    own: PairReference
    """The reference on the case's own files, with its closed forms."""
    whole: PairReference
    """The reference on the files that it shares."""
    names: Mapping[str, str]
    """The case's query ids to those in the shared files."""
    orders: Orders | None
    """The order that the evaluator showed on all cases of the shared files, where it did."""

    @property
    def retrieved(self) -> frozenset[str]:
        """The queries of the run: of a case among others, all of its queries."""
        return frozenset(self.names)

    def expecting(self, spec: MetricSpec, docs: Orders | None = None) -> Expecting:
        """What a specification expects of the case's queries; nothing is said of a mean, which others enter too."""
        plain = spec.with_axes({"rounding": "none"})
        if plain in self.own.expectations or (plain["ties"] == "observed" and not self._has(docs)):
            return self.own.expecting(plain, docs)
        shared = self.whole.expecting(plain, self.orders)
        if shared.refused is not None or not shared.queries:
            return self.own.expecting(plain, docs)
        found = {old: shared.queries[new] for old, new in self.names.items() if new in shared.queries}
        return Expecting(None, found, None)

    def _has(self, docs: Orders | None) -> bool:
        """Whether the orders on the shared files hold those of this case."""
        if docs is None or self.orders is None:
            return False
        return all(
            self.orders.get(self.names[query]) == renamed_order(docs[query], query, self.names) for query in docs
        )


def orders_on(batch: Batch, given: Mapping[Trial, Given]) -> Orders:
    """The orders that an evaluator showed for the cases of a batch, under the names that they have in it."""
    names = {part.trial.case.id: part.names for part in batch.parts}
    return {
        own[query]: renamed_order(docs, query, own)
        for trial, each in given.items()
        if (own := names.get(trial.case.id)) is not None and each.docs is not None
        for query, docs in each.docs.items()
        if query in own
    }


def renamed_order(docs: Sequence[str], query: str, names: Mapping[str, str]) -> list[str]:
    """A list of documents in which one that is named as its query has the query's new name."""
    return [names[query] if doc == query else doc for doc in docs]
