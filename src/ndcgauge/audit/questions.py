"""What a source did not state and needed to, and the queries that would settle it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ndcgauge.audit.finding import Candidate, Separator, Verdict
from ndcgauge.audit.hypotheses import Attempt, Mistake
from ndcgauge.audit.material import Material
from ndcgauge.audit.printed import Printed
from ndcgauge.data.collection import Ints
from ndcgauge.errors import UsageError
from ndcgauge.reference import NoClosedForm
from ndcgauge.search.lattice import Lattice
from ndcgauge.spec import AXES, MetricSpec

MOST_GROUPS = 4
"""Classes of candidates whose queries are compared."""
MOST_QUERIES = 5

_OF_MISTAKES = {
    Mistake.ROWS: "whether two rows of the table were exchanged",
    Mistake.QRELS: "which judgments were used",
    Mistake.SUBSET: "over which queries the mean runs",
    Mistake.CUTOFF: "at which cutoff the number was taken",
    Mistake.MEASURE: "which measure the column shows",
    Mistake.QUERIES: "over how many queries the mean runs, and which those are",
    Mistake.PERCENT: "whether the number is a percentage",
    Mistake.ROUNDED_ROWS: "whether the queries' values were rounded before the mean",
    Mistake.TWICE: "how the number was rounded",
    Mistake.TRUNCATED: "how the number was rounded",
    Mistake.INTERMEDIATES: "how the number was computed, and with how many decimals in between",
}


def needed_axes(lattice: Lattice, code: int, printed: Printed, said: Sequence[str]) -> list[str]:
    """The unsaid axes that decide the number: another value of one alone, at the same point, prints another one."""
    found: list[str] = []
    space = lattice.acting.space
    for axis, weight, values in zip(space.axes, space.weights, space.values, strict=True):
        if axis in said:
            continue
        here = code // weight % len(values)
        others = np.array([code + (digit - here) * weight for digit in range(len(values)) if digit != here])
        places = _places(lattice, others)
        if any(printed.rounding(float(lattice.means[lattice.kind[place]])) is None for place in places.tolist()):
            found.append(axis)
    return found


def _places(lattice: Lattice, codes: Ints) -> Ints:
    """Where points stand in the lattice, those left out that it does not have."""
    if not len(lattice.codes):
        return np.empty(0, dtype=np.int64)
    places = np.minimum(np.searchsorted(lattice.codes, codes), len(lattice.codes) - 1)
    return places[lattice.codes[places] == codes]


def questions(
    verdict: Verdict,
    candidates: Sequence[Candidate],
    needed: Sequence[str],
    hypothesis: Attempt | None,
    stated: MetricSpec,
) -> list[str]:
    """What to ask the authors, the most telling question first."""
    if hypothesis is not None:
        return [_OF_MISTAKES[hypothesis.mistake]]
    if verdict in (Verdict.NOT, Verdict.IMPOSSIBLE):
        return [
            "for the run and the qrels that were scored, and the evaluator, its version and the command that did it"
        ]
    differing: dict[str, dict[str, None]] = {}
    for each in candidates:
        for axis in each.changes:
            differing.setdefault(axis, {})
    for axis, values in differing.items():
        if verdict is not Verdict.REPRODUCED:
            values.update(dict.fromkeys([stated[axis], *(each.spec[axis] for each in candidates)]))
    asked = [
        f"{axis}, {AXES[axis].summary}: {' or '.join(values)}?" for axis, values in differing.items() if len(values) > 1
    ]
    rest = [axis for axis in needed if axis not in differing]
    if rest:
        told = "; ".join(f"{axis} ({AXES[axis].summary})" for axis in rest)
        asked.append(f"what the source leaves unsaid and decides the number here: {told}")
    return asked


def separators(material: Material, candidates: Sequence[Candidate]) -> list[Separator]:
    """The queries on which candidates of different classes differ most."""
    groups: dict[int, MetricSpec] = {}
    for each in candidates:
        groups.setdefault(each.group, each.spec)
    chosen = [groups[group] for group in sorted(groups)[:MOST_GROUPS]]
    if len(chosen) < 2:
        return []
    try:
        rows = np.array([material.evaluation.per_query(spec)[0] for spec in chosen])
    except (NoClosedForm, UsageError):
        return []
    spread = np.nan_to_num(rows.max(axis=0) - rows.min(axis=0), nan=0.0)
    order = np.argsort(-spread, kind="stable")[:MOST_QUERIES]
    return [
        Separator(str(material.collection.queries[place]), tuple(float(value) for value in rows[:, place]))
        for place in order.tolist()
        if spread[place] > 1e-9
    ]
