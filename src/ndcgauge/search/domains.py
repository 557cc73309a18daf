"""The finite domain of every axis in the lattice (DESIGN §1)."""

from __future__ import annotations

from ndcgauge.spec import AXES, axes_of

_PARAMETERS: dict[str, tuple[str, ...]] = {
    "depth": ("none", "cutoff"),
    "unretrieved": ("absent", "append"),
    "min_score": ("none", "0"),
    "gain": ("linear", "exponential", "binary", "0:0,1:1,2:4,3:10", "0:0,1:1,2:10,3:100"),
    "min_grade": ("none", "1", "2"),
    "threshold": ("1", "2"),
    "discount": ("log2", "log2+2", "jk:2", "jk:10", "reciprocal", "log2*reciprocal", "none"),
    "row_rounding": ("none", "3", "4"),
}
_OUTSIDE = ("random", "observed")
"""Tie rules without a value of their own."""
_FIXED = ("cutoff", "rounding")
"""Part of the question (the cutoff) or of the printing (rounding): no player in a search."""


def domain(axis: str) -> tuple[str, ...]:
    """The values of an axis that the lattice has; one value for the axes it does not vary."""
    if axis in _FIXED:
        return ()
    listed = _PARAMETERS.get(axis, AXES[axis].values)
    return tuple(value for value in listed if value not in _OUTSIDE)


def domains(measure: str) -> dict[str, tuple[str, ...]]:
    """Axis to lattice values, for the axes of a measure that the lattice varies."""
    return {each.name: domain(each.name) for each in axes_of(measure) if domain(each.name)}
