"""trec_eval's three columns: what everybody's scripts read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ndcgauge.results.model import Report

_UNCUT = {
    "ndcg": "ndcg",
    "dcg": "dcg",
    "ap": "map",
    "rr": "recip_rank",
    "precision": "set_P",
    "recall": "set_recall",
    "judged": "judged",
}
_CUT = {**_UNCUT, "ndcg": "ndcg_cut", "dcg": "dcg_cut", "ap": "map_cut", "precision": "P", "recall": "recall"}
_BREAKS = re.compile(r"[\t\n\r\v\f]")


class Row(Protocol):
    """One measure on one run: an entry of the scores document, or the plain values that it is made of."""

    @property
    def run(self) -> str:
        """The run, as the user named it."""
        ...

    @property
    def measure(self) -> str:
        """`ndcg@10`."""
        ...

    @property
    def mean(self) -> float | None:
        """None where it is undefined."""
        ...

    @property
    def queries(self) -> Mapping[str, float | None]:
        """Query id to value."""
        ...


class Rows(Protocol):
    """The scores document, or the plain values that it is made of."""

    @property
    def scores(self) -> Sequence[Row]:
        """Run by run, measure by measure."""
        ...


@dataclass(frozen=True)
class _References:
    """The baseline's values, as rows."""

    scores: Sequence[Row]


def trec_name(measure: str) -> str:
    """The name that trec_eval prints for a measure: `ndcg_cut_10`, `map`, `P_10`.

    Raises KeyError for a name that is no measure of ours.
    """
    stem, _, cutoff = measure.partition("@")
    return f"{_CUT[stem]}_{cutoff}" if cutoff else _UNCUT[stem]


def _line(name: str, query: str, value: float | None) -> str:
    return f"{name:<22}\t{_column(query)}\t{'nan' if value is None else format(value, '.4f')}"


def _column(text: str) -> str:
    # An id is data and stays as it is, but for characters that would break line or column.
    return _BREAKS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def render_trec(scores: Rows, *, per_query: bool, named: bool = False) -> str:
    """Name padded to 22, tab, query or `all`, tab, four decimals; per run: first the queries' lines, then the means.

    As trec_eval prints: with several measures, query by query in the order of the measures. With `named`, a
    line `runid` before a run's means says whose they are.
    """
    lines: list[str] = []
    for run in dict.fromkeys(each.run for each in scores.scores):
        entries = [each for each in scores.scores if each.run == run]
        if per_query:
            queries = dict.fromkeys(query for each in entries for query in each.queries)
            lines += [
                _line(trec_name(each.measure), query, each.queries[query])
                for query in queries
                for each in entries
                if query in each.queries
            ]
        if named:
            # As trec_eval names a run before its means: without it, nobody could tell whose they are.
            lines.append(f"{'runid':<22}\tall\t{_column(run)}")
        lines += [_line(trec_name(each.measure), "all", each.mean) for each in entries]
    return "\n".join(lines) + "\n"


def render_report_trec(report: Report) -> str:
    """The baseline's values of a report: for each run its queries' lines, then the means."""
    references = report.attribution.references
    several = len({each.run for each in references}) > 1
    return render_trec(_References(references), per_query=True, named=several)
