"""Small collections and specifications over all axes, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from ndcgauge.data.collection import Needs
from ndcgauge.spec import MEASURES, MetricSpec, axes_of

Qrels = list[tuple[str, str, float]]
Run = list[tuple[str, str, float, float]]

# Two pairs that float32 alone ties; scores at, above and below 0.
SCORES = (2.0, 1.0, 0.5, 0.1234567892, 0.1234567891, 16777217.0, 16777216.0, 0.0, -1.0, -2.5)
GRADES = (0.0, 1.0, 2.0, 3.0, -1.0, -2.0, 0.5, 1.9, -0.5)
TABLES = (
    "-2:-3,-1:-1,-0.5:-1,0:0,0.5:0.5,1:1,1.9:2,2:4,3:10",
    # Gains for grade 0, and a higher grade that gains less.
    "-2:1,-1:0,-0.5:0,0:2,0.5:0.5,1:1,1.9:2,2:4,3:3",
    # Grade 3 is missing.
    "0:0,1:1,2:2",
)
PARAMETERS = {
    "depth": ("1", "2", "3", "4"),
    "unretrieved": ("score:1", "score:-3", "score:0.1234567892"),
    "min_score": ("0", "0.5"),
    "gain": TABLES,
    "min_grade": ("1", "2", "-1"),
    "threshold": ("2", "0.5", "0", "-1"),
    "discount": ("log2+2", "log2+0.5", "jk:2", "jk:3"),
    "cutoff": ("1", "2", "3", "5"),
    "row_rounding": ("0", "3"),
    "rounding": ("4",),
}
NEEDS = Needs(frozenset({0.0, 0.5}), frozenset({1.0, -3.0, 0.1234567892}))
"""What the specifications ask of a collection."""


def _values(axis: str, named: tuple[str, ...], repeats: bool) -> tuple[str, ...]:
    """The values that an axis may take; the preset's first."""
    without = {"random", "observed"} | ({"error"} if axis.endswith("_duplicates") and repeats else set())
    return tuple(value for value in (*named, *PARAMETERS.get(axis, ())) if value not in without)


@st.composite
def specs(draw: st.DrawFn, repeats: bool = False) -> MetricSpec:
    """A specification: up to five axes that differ from the preset, or every axis at random.

    With `repeats`, none refuses a repeated document.
    """
    measure = draw(st.sampled_from(MEASURES))
    values = {axis.name: _values(axis.name, axis.values, repeats) for axis in axes_of(measure)}
    every = draw(st.integers(0, 3)) == 3
    changed = set(values) if every else draw(st.sets(st.sampled_from(sorted(values)), max_size=5))
    base = {name: each[0] for name, each in values.items()}
    return MetricSpec.of(measure, {**base, **{name: draw(st.sampled_from(values[name])) for name in sorted(changed)}})


@st.composite
def collections(draw: st.DrawFn, repeats: bool = False) -> tuple[Qrels, Run]:
    """One to three queries, with up to six judged and six retrieved documents each; lines in any order.

    A document may have its query's id, a query may lack judgments or documents. With `repeats`,
    a document may be judged or retrieved more than once.
    """
    qrels: Qrels = []
    run: Run = []
    for query in draw(st.lists(st.sampled_from(["q1", "q10", "é"]), min_size=1, max_size=3, unique=True)):
        docs = st.lists(st.sampled_from(["a", "B", "b2", "é", "10", query]), max_size=6, unique=not repeats)
        # Few different scores make long ties.
        scores = st.sampled_from(draw(st.lists(st.sampled_from(SCORES), min_size=1, max_size=4)))
        qrels += [(query, doc, draw(st.sampled_from(GRADES))) for doc in draw(docs)]
        run += [(query, doc, float(draw(st.integers(1, 5))), draw(scores)) for doc in draw(docs)]
    return draw(st.permutations(qrels)), draw(st.permutations(run))
