"""What belongs together in a report document."""

from __future__ import annotations

from ndcgauge.results.model import DiscrepancyEntry, EnvelopeEntry, EvaluatorEntry, ReferenceEntry, Report, SpecEntry


def pairs(report: Report) -> list[tuple[str, str]]:
    """(run, measure) in the order of the document."""
    return list(dict.fromkeys((each.run, each.measure) for each in report.attribution.references))


def reference_of(report: Report, run: str, measure: str) -> ReferenceEntry:
    """The baseline's values; KeyError where the document has none for this run and measure."""
    for each in report.attribution.references:
        if (each.run, each.measure) == (run, measure):
            return each
    raise KeyError((run, measure))


def envelope_of(report: Report, run: str, measure: str) -> EnvelopeEntry | None:
    """The tie envelope of the baseline."""
    found = (each for each in report.attribution.envelopes if (each.run, each.measure) == (run, measure))
    return next(found, None)


def evaluators_of(report: Report, run: str, measure: str) -> list[EvaluatorEntry]:
    """The evaluators of a run and measure."""
    return [each for each in report.evaluators if (each.run, each.measure) == (run, measure)]


def discrepancies_of(report: Report, run: str, measure: str) -> list[DiscrepancyEntry]:
    """The discrepancies of a run and measure."""
    return [each for each in report.discrepancies if (each.run, each.measure) == (run, measure)]


def discrepancy_of(report: Report, entry: EvaluatorEntry) -> DiscrepancyEntry | None:
    """The discrepancy of an evaluator; None for the baseline, and where nothing was answered."""
    found = discrepancies_of(report, entry.run, entry.measure)
    return next((each for each in found if each.evaluator == entry.id), None)


def is_baseline(report: Report, entry: EvaluatorEntry) -> bool:
    """Whether the others are compared with this evaluator."""
    return reference_of(report, entry.run, entry.measure).baseline == entry.id


def spec_of(report: Report, measure: str) -> SpecEntry:
    """The baseline's specification of a measure; KeyError where the document has none."""
    for each in report.spec:
        if each.measure == measure:
            return each
    raise KeyError(measure)


def changed(report: Report, run: str, measure: str) -> str:
    """What `--set` and the like made of a `trec_eval` baseline, ` with gain=exponential`; empty where nothing.

    A number under a changed specification must not be told as trec_eval's own.
    """
    if reference_of(report, run, measure).baseline != "trec_eval":
        return ""
    axes = spec_of(report, measure).short.partition(" [")[2].removesuffix("]")
    if axes in ("", "trec_eval"):
        return ""
    return " -c" if axes == "queries=judged" else f" with {axes}"


def changes_of(spec: SpecEntry) -> dict[str, str]:
    """What a specification changes of the `trec_eval` preset: the short text's `[axis=value, …]`."""
    listed = spec.short.partition(" [")[2].removesuffix("]")
    # A gain table has commas of its own: an item begins with the name of one of the specification's axes.
    changes: dict[str, str] = {}
    last = ""
    for item in listed.split(", ") if listed else ():
        axis, equals, value = item.partition("=")
        if equals and axis in spec.axes:
            changes[axis], last = value, axis
        elif last:
            changes[last] += f", {item}"
    return changes
