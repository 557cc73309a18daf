"""Small collections and specifications over all axes, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from ndcgauge.spec import MEASURES, MetricSpec, axes_of

Qrels = list[tuple[str, str, float]]
Run = list[tuple[str, str, float, float]]

SCORES = (2.0, 1.0, 1.0, 0.5, 0.1234567892, 0.1234567891, 16777217.0, 16777216.0, 0.0, -1.0, -2.5)
GRADES = (0.0, 0.0, 1.0, 1.0, 2.0, 3.0, -1.0, -2.0, 0.5, 1.9)
PARAMETERS = {
    "depth": ("2", "3"),
    "unretrieved": ("score:1", "score:-3", "score:0.1234567892"),
    "min_score": ("0", "0.5"),
    "gain": ("0:0,1:1,2:4,3:10,-1:-1,-2:-3,0.5:0.5,1.9:2",),
    "min_grade": ("1", "2"),
    "threshold": ("2", "0.5"),
    "discount": ("log2+2", "jk:2", "jk:3"),
    "cutoff": ("1", "2", "3", "5"),
    "row_rounding": ("3",),
    "rounding": ("4",),
}


def values_of(axis: str, named: tuple[str, ...], duplicates: bool) -> list[str]:
    """The values of an axis that a specification may take."""
    values = [value for value in (*named, *PARAMETERS.get(axis, ())) if value not in ("random", "observed")]
    if axis.endswith("_duplicates") and duplicates:
        values.remove("error")
    return values


@st.composite
def specs(draw: st.DrawFn, duplicates: bool = False) -> MetricSpec:
    """A specification of any measure; every axis the preset's, or any value."""
    measure = draw(st.sampled_from(MEASURES))
    changes: dict[str, str] = {}
    for axis in axes_of(measure):
        values = values_of(axis.name, axis.values, duplicates)
        changed = axis.name == "cutoff" or draw(st.integers(0, 3)) == 0
        changes[axis.name] = draw(st.sampled_from(values)) if changed else values[0]
    return MetricSpec.of(measure, changes)


@st.composite
def collections(draw: st.DrawFn, duplicates: bool = False) -> tuple[Qrels, Run]:
    """Up to three queries with up to five documents each, ties, oddities and all."""
    qrels: Qrels = []
    run: Run = []
    for query in draw(st.lists(st.sampled_from(["q1", "q10", "é"]), min_size=1, max_size=3, unique=True)):
        docs = ["a", "B", "é", "10", query]
        judged = draw(st.lists(st.sampled_from(docs), max_size=5, unique=not duplicates))
        retrieved = draw(st.lists(st.sampled_from(docs), max_size=5, unique=not duplicates))
        qrels += [(query, doc, draw(st.sampled_from(GRADES))) for doc in judged]
        run += [
            (query, doc, float(draw(st.integers(1, 5))), draw(st.sampled_from(SCORES))) for doc in retrieved
        ]
    return draw(st.permutations(qrels)), draw(st.permutations(run))
