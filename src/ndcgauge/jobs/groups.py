"""Groups of queries: the means over each, since a macro average over all queries hides them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ndcgauge.data.ids import decode
from ndcgauge.data.refusals import shown
from ndcgauge.data.sources import open_source
from ndcgauge.errors import InputError
from ndcgauge.jobs.document import safe
from ndcgauge.results.model import EvaluatorEntry, ReferenceEntry
from ndcgauge.results.several import GroupEntry, GroupValue

_SPACE = b" \t\n\v\f\r"
_FIX = "a line of the file is a query id, white space, and the group's name"


@dataclass(frozen=True)
class Groups:
    """A file of groups."""

    name: str
    of: Mapping[str, str]
    """Query id to the name of its group, both as they are in a report."""


def read_groups(file: str) -> Groups:
    """Reads `query id, white space, group name` lines; a name may have spaces. `#` lines and blank ones are left out.

    Raises InputError for a line without a name, a query on two lines, and a file without any.
    """
    source = open_source(file)
    with source.open() as stream:
        data = b""
        while chunk := stream.read(1 << 20):
            data += chunk
    found: dict[str, str] = {}
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip(_SPACE) or line.startswith(b"#"):
            continue
        fields = line.strip(_SPACE).split(maxsplit=1)
        if len(fields) < 2:
            raise InputError("the group's name is missing", file=source.name, line=number, text=shown(line), fix=_FIX)
        query, group = (safe(decode(each)) for each in fields)
        if query in found:
            raise InputError(
                f"query {query} is named twice",
                file=source.name,
                line=number,
                text=shown(line),
                fix="a query stands in one group: keep one of its lines",
            )
        found[query] = group
    if not found:
        raise InputError("names no group", file=source.name, fix=_FIX)
    return Groups(source.name, found)


def group_entries(
    groups: Groups, references: Sequence[ReferenceEntry], evaluators: Sequence[EvaluatorEntry]
) -> list[GroupEntry]:
    """For each run and measure every group in the order of names, then the queries without one (group "")."""
    return [
        _entry(groups, group, reference, [each for each in evaluators if _beside(each, reference)])
        for reference in references
        for group in _names(groups, reference)
    ]


def unknown_queries(groups: Groups, references: Iterable[ReferenceEntry]) -> list[str]:
    """The queries of the file that no mean of the report counts, in the order of the file."""
    known = {query for each in references for query in each.queries}
    return [query for query in groups.of if query not in known]


def _beside(entry: EvaluatorEntry, reference: ReferenceEntry) -> bool:
    return (entry.run, entry.measure) == (reference.run, reference.measure)


def _names(groups: Groups, reference: ReferenceEntry) -> list[str]:
    found = {groups.of.get(query, "") for query in reference.queries}
    return sorted(found, key=lambda name: (name == "", name))


def _entry(groups: Groups, group: str, reference: ReferenceEntry, evaluators: Sequence[EvaluatorEntry]) -> GroupEntry:
    own = next((each for each in evaluators if each.id == reference.baseline), None)
    base = reference.queries if own is None else {query: each.value for query, each in own.queries.items()}
    queries = [query for query in base if groups.of.get(query, "") == group]
    values: dict[str, GroupValue] = {}
    for entry in evaluators:
        if entry is own:
            continue
        pairs: list[tuple[float, float]] = []
        for query in queries:
            outcome, value = entry.queries.get(query), base[query]
            if outcome is not None and outcome.value is not None and value is not None:
                pairs.append((value, outcome.value))
        ours, theirs = mean([each[0] for each in pairs]), mean([each[1] for each in pairs])
        difference = None if ours is None or theirs is None else theirs - ours
        values[entry.id] = GroupValue(over=len(pairs), baseline=ours, mean=theirs, difference=difference)
    return GroupEntry(
        run=reference.run,
        measure=reference.measure,
        group=group,
        queries=len(queries),
        mean=mean([base[query] for query in queries]),
        evaluators=values,
    )


def mean(values: Sequence[float | None]) -> float | None:
    """The mean; None of nothing, and where a value is undefined."""
    known = [each for each in values if each is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(values) else None
