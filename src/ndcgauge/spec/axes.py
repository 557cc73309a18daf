"""The axes of a metric specification: names, values, families, and what applies to which measure.

An axis value is a canonical text (`log2+2`, `jk:2`, `0:0,1:1,2:4,3:10`), never a Python
object, so that the identity of a specification is a matter of text alone (DESIGN §2.1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from ndcgauge.errors import UsageError
from ndcgauge.spec.numbers import canonical_number, positive_integer


class Family(StrEnum):
    """The heading that an axis is reported under."""

    GAIN = "gain"
    DISCOUNT = "discount"
    TIES = "tie-breaking"
    UNJUDGED = "unjudged"
    DOCUMENTS = "document set"
    NORMALISATION = "normalisation"
    AGGREGATION = "aggregation"
    NUMERIC = "numeric"
    READING = "reading"
    UNEXPLAINED = "unexplained"


FOUR_FAMILIES = (Family.GAIN, Family.DISCOUNT, Family.TIES, Family.UNJUDGED)
"""The families that reports show first and always, also when they are 0."""

GRADED_MEASURES = ("ndcg", "dcg")
BINARY_MEASURES = ("ap", "rr", "precision", "recall", "judged")
MEASURES = GRADED_MEASURES + BINARY_MEASURES


def _no_parameter(_text: str) -> str | None:
    return None


@dataclass(frozen=True)
class Axis:
    """One independent choice in a metric's definition."""

    name: str
    values: tuple[str, ...]
    """The values that have a name; the first is the `trec_eval` preset's."""
    family: Family
    summary: str
    """What the axis decides, as a phrase that follows its name."""
    parameter: Callable[[str], str | None] = _no_parameter
    """Reads values that carry a number; returns the canonical text, or None if it is none of them."""
    forms: tuple[str, ...] = ()
    """How the values that carry a number are written, for messages."""
    measures: tuple[str, ...] = MEASURES
    """The measures that the axis applies to."""

    def parse(self, text: str) -> str:
        """The canonical text of a value; UsageError if the axis has no such value."""
        stripped = text.strip()
        if stripped in self.values:
            return stripped
        try:
            value = self.parameter(stripped)
        except ValueError as error:
            raise UsageError(f"axis {self.name}: {text!r} cannot be read: {error}") from None
        if value is None:
            raise UsageError(
                f"axis {self.name} has no value {text!r}",
                fix=f"one of {', '.join((*self.values, *self.forms))}",
            )
        return value


def _after(prefix: str, text: str) -> str | None:
    return text[len(prefix) :] if text.startswith(prefix) else None


def _integer(text: str) -> str | None:
    return positive_integer(text) if text.lstrip("+-").isdigit() else None


def _decimals(text: str) -> str | None:
    return str(int(text)) if text.isdigit() and int(text) <= 17 else None


def _number(text: str) -> str | None:
    return canonical_number(text)


def _score_at(text: str) -> str | None:
    number = _after("score:", text)
    return None if number is None else f"score:{canonical_number(number)}"


def _observed(text: str) -> str | None:
    digest = _after("observed:", text)
    if digest is None:
        return None
    if len(digest) != 12 or any(each not in "0123456789abcdef" for each in digest):
        raise ValueError("observed: is followed by the 12 hex digits of an observed order")
    return text


def _discount(text: str) -> str | None:
    if (number := _after("log2+", text)) is not None:
        if float(number) <= 0:
            raise ValueError("log2(i+c) needs c > 0")
        canonical = canonical_number(number)
        return "log2" if canonical == "1" else f"log2+{canonical}"
    if (number := _after("jk:", text)) is not None:
        if float(number) <= 1:
            raise ValueError("the base b of jk:b must be greater than 1")
        return f"jk:{canonical_number(number)}"
    return None


def _gain_table(text: str) -> str | None:
    if ":" not in text:
        return None
    table: dict[float, str] = {}
    for item in text.split(","):
        grade, colon, gain = item.partition(":")
        if not colon:
            raise ValueError(f"{item!r} is not of the form grade:gain")
        key = canonical_number(grade)
        if float(key) in table:
            raise ValueError(f"grade {key} stands twice in the gain table")
        table[float(key)] = f"{key}:{canonical_number(gain)}"
    return ",".join(table[key] for key in sorted(table))


_GRADED = GRADED_MEASURES
_NDCG = ("ndcg",)

_AXES = (
    Axis("order", ("score", "rank", "line"), Family.TIES, "what ranks the documents"),
    Axis("score_precision", ("float64", "float32"), Family.TIES, "the type that scores are compared in"),
    Axis(
        "ties",
        (
            "docid-desc",
            "docid-asc",
            "line",
            "line-reversed",
            "average",
            "best",
            "worst",
            "random",
            "observed",
        ),
        Family.TIES,
        "the order of documents with equal keys",
        _observed,
        ("observed:<hash>",),
    ),
    Axis("unjudged", ("zero", "drop"), Family.UNJUDGED, "what a retrieved document without a judgment is"),
    Axis(
        "depth",
        ("none", "cutoff"),
        Family.DOCUMENTS,
        "how many documents of a query are kept before anything is dropped",
        _integer,
        ("an integer",),
    ),
    Axis(
        "unretrieved",
        ("absent", "append"),
        Family.DOCUMENTS,
        "where a judged document that the run lacks stands",
        _score_at,
        ("score:x",),
    ),
    Axis(
        "min_score",
        ("none",),
        Family.DOCUMENTS,
        "the score that a document must exceed to be retrieved",
        _number,
        ("a number",),
    ),
    Axis("self", ("keep", "drop"), Family.DOCUMENTS, "a retrieved document whose id is the query's id"),
    Axis("grades", ("integer", "as-written"), Family.GAIN, "how a grade that is no whole number is read"),
    Axis(
        "negative",
        ("unjudged", "zero", "keep", "keep-dcg", "drop"),
        Family.GAIN,
        "what a grade below 0 means",
    ),
    Axis(
        "gain",
        ("linear", "exponential", "binary"),
        Family.GAIN,
        "the gain of a grade",
        _gain_table,
        ("a table such as 0:0,1:1,2:4,3:10",),
        _GRADED,
    ),
    Axis(
        "min_grade",
        ("none",),
        Family.GAIN,
        "the grade below which a graded gain is 0",
        _number,
        ("a number",),
        _GRADED,
    ),
    Axis("threshold", ("1",), Family.GAIN, "the lowest grade that is relevant", _number, ("a number",)),
    Axis(
        "discount",
        ("log2", "reciprocal", "log2*reciprocal", "none"),
        Family.DISCOUNT,
        "the weight of a rank",
        _discount,
        ("log2+c", "jk:b"),
        _GRADED,
    ),
    Axis(
        "cutoff",
        ("none",),
        Family.DISCOUNT,
        "the last rank that counts",
        _integer,
        ("an integer",),
    ),
    Axis(
        "ideal",
        ("judged", "retrieved", "perfect"),
        Family.NORMALISATION,
        "whose grades form the ideal ranking",
        measures=_NDCG,
    ),
    Axis(
        "ideal_cutoff",
        ("same", "none", "retrieved"),
        Family.NORMALISATION,
        "where the ideal ranking is cut",
        measures=_NDCG,
    ),
    Axis(
        "zero_ideal",
        ("zero", "one", "skip", "nan"),
        Family.NORMALISATION,
        "the value of a query without a positive ideal",
        measures=("ndcg", "ap", "rr", "precision", "recall"),
    ),
    Axis(
        "ap_denominator",
        ("relevant", "retrieved", "min-k"),
        Family.NORMALISATION,
        "what the sum of precisions is divided by",
        measures=("ap",),
    ),
    Axis(
        "recall_denominator",
        ("relevant", "min-k", "any"),
        Family.NORMALISATION,
        "what the relevant documents found are divided by",
        measures=("recall",),
    ),
    Axis(
        "precision_denominator",
        ("k", "retrieved"),
        Family.NORMALISATION,
        "what the relevant documents found are divided by",
        measures=("precision",),
    ),
    Axis(
        "judged_denominator",
        ("retrieved", "k"),
        Family.NORMALISATION,
        "what the judged documents found are divided by",
        measures=("judged",),
    ),
    Axis("queries", ("intersection", "judged", "run"), Family.AGGREGATION, "the queries of the mean"),
    Axis("averaging", ("macro", "pooled"), Family.AGGREGATION, "how the queries' values become one"),
    Axis(
        "row_rounding",
        ("none",),
        Family.NUMERIC,
        "the decimals that queries' values are rounded to before the mean",
        _decimals,
        ("a number of decimals",),
    ),
    Axis("rounding", ("none",), Family.NUMERIC, "the decimals that are printed", _decimals, ("a number of decimals",)),
    Axis(
        "run_duplicates",
        ("error", "first", "last", "all"),
        Family.READING,
        "a repeated document of a query in the run",
    ),
    Axis(
        "qrels_duplicates",
        ("error", "first", "last", "all"),
        Family.READING,
        "a repeated judgment in the qrels",
    ),
    Axis("nul", ("error", "stop", "keep"), Family.READING, "a NUL byte in a file"),
)

AXES: dict[str, Axis] = {axis.name: axis for axis in _AXES}
"""Every axis by its name, in the order of the pipeline's stages."""


def axis(name: str) -> Axis:
    """The axis of that name (`-` and `_` are the same); UsageError if there is none."""
    found = AXES.get(name.strip().replace("-", "_"))
    if found is None:
        raise UsageError(f"there is no axis {name!r}", fix=f"one of {', '.join(AXES)}")
    return found


def axes_of(measure: str) -> tuple[Axis, ...]:
    """The axes that a measure has, in pipeline order."""
    return tuple(each for each in _AXES if measure in each.measures)
