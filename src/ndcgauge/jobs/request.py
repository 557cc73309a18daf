"""What a caller asks for: measures, baseline, evaluators, and how files are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ndcgauge.data.collection import DEFAULT_NEEDS, Collection, Needs
from ndcgauge.errors import UsageError
from ndcgauge.evaluators.names import baseline_spec, is_evaluator
from ndcgauge.spec import Measure, MetricSpec, axis, parse_measure

DEFAULT_MEASURE = "ndcg@10"
DEFAULT_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Request:
    """The question, apart from the files."""

    measures: tuple[Measure, ...]
    baseline: str = "trec_eval"
    sets: Mapping[str, str] = field(default_factory=dict[str, str])
    """Axis to canonical value: what `--set` and `-c` change of the baseline's specification."""
    on_duplicate: str = "error"
    on_nul: str = "error"

    def spec(self, measure: Measure, collection: Collection | None = None) -> MetricSpec:
        """The baseline's specification of a measure: an evaluator's profile as it is; a preset
        with the measure's own axes, then `--set`.

        Where the collection repeats documents, the duplicate axes say which line counts.
        """
        spec = baseline_spec(self.baseline, measure)
        changes = {} if is_evaluator(self.baseline) else {**measure.changes, **self.sets}
        spec = spec.replace(**{name: value for name, value in changes.items() if name in spec.axes})
        return spec if collection is None else reading_spec(spec, collection, self.on_duplicate, self.on_nul)

    def needs(self) -> Needs:
        """What the reader must keep for these specifications and for the lattice."""
        minimum, insert = set(DEFAULT_NEEDS.min_scores), set[float]()
        for measure in self.measures:
            spec = self.spec(measure)
            if spec["min_score"] != "none":
                minimum.add(float(spec["min_score"]))
            if spec["unretrieved"].startswith("score:"):
                insert.add(float(spec["unretrieved"].removeprefix("score:")))
        return Needs(frozenset(minimum), frozenset(insert))


def reading_spec(spec: MetricSpec, collection: Collection, on_duplicate: str, on_nul: str) -> MetricSpec:
    """A specification whose reading axes say how these files were read."""
    changes = {"nul": on_nul} if on_nul != "error" else {}
    if "error" not in collection.rows and spec["run_duplicates"] == "error":
        changes["run_duplicates"] = on_duplicate
    if "error" not in collection.judged.grades and spec["qrels_duplicates"] == "error":
        changes["qrels_duplicates"] = on_duplicate
    return spec.replace(**changes) if changes else spec


def request(
    measures: Sequence[str] | None = None,
    *,
    baseline: str = "trec_eval",
    sets: Sequence[str] | Mapping[str, str] | None = None,
    complete: bool = False,
    on_duplicate: str = "error",
    on_nul: str = "error",
) -> Request:
    """A request from what users write.

    Raises UsageError for unknown measures, axes, values and baselines, for an axis that none of
    the measures has, and for `--set` or `-c` beside an evaluator as the baseline.
    """
    parsed: dict[Measure, None] = dict.fromkeys(parse_measure(text) for text in measures or [DEFAULT_MEASURE])
    changes = _changes(sets, complete)
    if changes and is_evaluator(baseline):
        raise UsageError(
            f"--set and -c change a preset's specification, and {baseline} is an evaluator",
            fix="take a preset as the baseline, or another evaluator",
        )
    for name in changes:
        if not any(each.stem in axis(name).measures for each in parsed):
            raise UsageError(f"none of the measures asked for has the axis {name}")
    asked = Request(tuple(parsed), baseline, changes, on_duplicate, on_nul)
    for measure in asked.measures:
        asked.spec(measure)
    return asked


def _changes(sets: Sequence[str] | Mapping[str, str] | None, complete: bool) -> dict[str, str]:
    changes: dict[str, str] = {}
    pairs = sets.items() if isinstance(sets, Mapping) else (_pair(text) for text in sets or ())
    for name, value in pairs:
        known = axis(name)
        if known.name == "cutoff":
            raise UsageError("the cutoff is part of the measure's name", fix="-m ndcg@20")
        canonical = known.parse(value)
        if known.name in changes and changes[known.name] != canonical:
            raise UsageError(f"--set gives {known.name} twice: {changes[known.name]} and {canonical}")
        changes[known.name] = canonical
    if complete:
        if changes.get("queries", "judged") != "judged":
            raise UsageError(f"-c says queries=judged, and --set says queries={changes['queries']}")
        changes["queries"] = "judged"
    return changes


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--set {text!r} is not of the form axis=value", fix="for example --set gain=exponential")
    return name, value
