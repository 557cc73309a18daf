"""What each axis means, and the family that it is reported under: texts of the report's own."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

FAMILIES = (
    "gain",
    "discount",
    "tie-breaking",
    "unjudged",
    "document set",
    "normalisation",
    "aggregation",
    "numeric",
    "reading",
    "unexplained",
)
"""Every family, the four that are always shown first (DESIGN §2)."""


@dataclass(frozen=True)
class Term:
    """An axis in words."""

    axis: str
    family: str
    text: str
    """What it decides, and its values."""
    source: str
    """Where it comes from: a paper, a program, or that no paper defines it."""


@cache
def glossary() -> dict[str, Term]:
    """Every axis by its name, in the order of the pipeline's stages."""
    read = tomllib.loads((files("ndcgauge.report") / "glossary.toml").read_text(encoding="utf-8"))
    return {axis: Term(axis, **entry) for axis, entry in read.items()}


def family_of(axis: str) -> str:
    """The family of an axis; `rounding` is numeric; what is no axis is unexplained."""
    found = glossary().get(axis)
    return "unexplained" if found is None else found.family
