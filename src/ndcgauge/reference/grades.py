"""Grades to gains: the axes `grades`, `negative`, `gain`, `min_grade` and `threshold`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ndcgauge.data.collection import Bools, Floats, Ints, Judged
from ndcgauge.errors import UsageError
from ndcgauge.reference.sums import sums
from ndcgauge.spec import MetricSpec


class Judgments(NamedTuple):
    """The judgments that count under `qrels_duplicates`, `grades` and `negative`."""

    pair: Ints
    """(lines,) index into `Judged`; ascending."""
    query: Ints
    """(lines,) index of the query."""
    grade: Floats
    """(lines,) the grade after `grades`; below 0 only under `negative` zero, keep and keep-dcg."""
    judged: Bools
    """(pairs,) whether the pair has a judgment that counts."""
    dropped: Bools
    """(pairs,) whether the document leaves ranking and ideal (`negative=drop`)."""
    negative: str
    single: bool
    """Whether every pair has at most one line that counts."""


def judgments_of(judged: Judged, spec: MetricSpec) -> Judgments:
    """The judgments that count under a specification.

    `grades=integer` cuts towards 0, as C's `atol` does in trec_eval; then `negative` looks at
    the cut grade. A document with any negative line leaves under `negative=drop`.
    """
    lines = judged.grades[spec["qrels_duplicates"]]
    grade = np.trunc(lines.grade) + 0.0 if spec["grades"] == "integer" else lines.grade
    below = grade < 0
    dropped = np.zeros(len(judged.query), dtype=np.bool_)
    pair = lines.judged
    if spec["negative"] in ("unjudged", "drop") and below.any():
        if spec["negative"] == "drop":
            dropped[pair[below]] = True
            below = dropped[pair]
        pair, grade = pair[~below], grade[~below]
    judged_pairs = np.zeros(len(judged.query), dtype=np.bool_)
    judged_pairs[pair] = True
    # Where every pair has its line, the pairs stand one after another.
    everything = len(pair) == len(judged.query) and bool(judged_pairs.all())
    return Judgments(
        pair=pair,
        query=judged.query if everything else judged.query[pair],
        grade=grade,
        judged=judged_pairs,
        dropped=dropped,
        negative=spec["negative"],
        single=len(pair) < 2 or bool((pair[1:] != pair[:-1]).all()),
    )


def _table_gains(grade: Floats, table: str) -> Floats:
    gains = {float(key): float(gain) for key, gain in (item.split(":") for item in table.split(","))}
    distinct, inverse = np.unique(grade, return_inverse=True)
    missing = [each for each in distinct.tolist() if each not in gains]
    if missing:
        listed = ", ".join(f"{each:g}" for each in missing[:5])
        raise UsageError(
            f"the gain table {table} has no gain for grade {listed}",
            fix="give every grade of the qrels a gain",
        )
    return np.array([gains[each] for each in distinct.tolist()], dtype=np.float64)[inverse]


def _powers_of_two(grade: Floats) -> Floats:
    """2^grade, exact for whole grades (NumPy's exp2 need not be); inf beyond the range of float64."""
    with np.errstate(over="ignore"):
        if (grade == np.trunc(grade)).all():
            return np.ldexp(1.0, np.clip(grade, -2000, 2000).astype(np.int64))
        return np.power(2.0, grade)


def line_gains(judgments: Judgments, spec: MetricSpec) -> tuple[Floats, Floats]:
    """(lines,) twice: each judgment's gain in the DCG, and in the ideal.

    `gain=exponential` is 2^grade - 1 (Burges et al. 2005, §6). Raises UsageError where a gain
    table lacks a grade of the qrels.
    """
    grade = judgments.grade
    below = grade < 0
    gain = spec["gain"]
    if gain == "binary":
        gains = (grade >= float(spec["threshold"])).astype(np.float64)
    elif gain == "linear":
        gains = grade
    elif gain == "exponential":
        # A ratio is the same for gains of another unit: so grades beyond 1000 do not overflow nDCG.
        shift = max(0.0, float(grade.max(initial=0.0)) - 1000.0) if spec.measure == "ndcg" else 0.0
        gains = _powers_of_two(grade - shift) - 2.0**-shift
    else:
        # The gain of a negative grade that counts as 0 is never looked up.
        asked = ~below if judgments.negative == "zero" else np.ones(len(grade), dtype=np.bool_)
        gains = np.zeros(len(grade))
        gains[asked] = _table_gains(grade[asked], gain)
    if gain != "binary" and spec["min_grade"] != "none":
        gains = np.where(grade < float(spec["min_grade"]), 0.0, gains)
    if not below.any() or judgments.negative == "keep":
        return gains, gains
    ideal = gains.copy()
    ideal[below] = 0.0
    if judgments.negative == "zero":
        return ideal, ideal
    return gains, ideal


def line_relevance(judgments: Judgments, threshold: str) -> Floats:
    """(lines,) 1 where the grade reaches the threshold, else 0; a grade that counts as 0 (`negative`) never does."""
    relevant = judgments.grade >= float(threshold)
    if judgments.negative == "zero":
        relevant &= judgments.grade >= 0
    return relevant.astype(np.float64)


def pair_sums(judgments: Judgments, per_line: Floats) -> Floats:
    """(pairs + 1,) the sum of a line quantity over each pair's lines; the last entry, 0, stands for no judgment."""
    pairs = len(judgments.judged)
    if judgments.single:
        result = np.zeros(pairs + 1)
        result[judgments.pair] = per_line
        return result
    return sums(judgments.pair, per_line, pairs + 1)
