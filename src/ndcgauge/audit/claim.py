"""A claim: a published number, and what its source says of how it was computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ndcgauge.audit.printed import Printed, parse_printed
from ndcgauge.audit.trec_measures import NAMES
from ndcgauge.errors import UsageError
from ndcgauge.evaluators.names import baseline_spec, catalogue
from ndcgauge.spec import Measure, MetricSpec, axis, parse_measure


@dataclass(frozen=True)
class Claim:
    """A published number to audit."""

    measure: Measure
    printed: Printed
    stated: Mapping[str, str] = field(default_factory=dict[str, str])
    """Axis to canonical value: what the source says. What it leaves unsaid is taken from `trec_eval`."""
    source: str | None = None
    """Where it was published."""
    place: str | None = None
    """Where in the source it stands: a table's row and column."""
    evaluator: str | None = None
    """The evaluator that is said to have printed it."""
    trec_name: str | None = None
    """A measure that only trec_eval has (`bpref`); `measure` then is precision, whose axes it shares."""

    @property
    def name(self) -> str:
        """The measure's name."""
        return self.measure.name if self.trec_name is None else self.trec_name

    @property
    def spec(self) -> MetricSpec:
        """The stated specification: what is left unsaid is `trec_eval`'s, or the named evaluator's own.

        Where the evaluator's order of ties can only be seen by calling it, the order of lines stands in.
        """
        base = self._base()
        if base["ties"].startswith("observed"):
            base = base.replace(ties="line")
        return base.replace(rounding="none", **self.said)

    def _base(self) -> MetricSpec:
        name = "trec_eval" if self.evaluator is None else self.evaluator.partition("==")[0]
        plain = Measure(self.measure.stem, self.measure.cutoff)
        entry = catalogue().get(name)
        profile = None if entry is None else entry.profile(plain)
        return baseline_spec("trec_eval", plain) if profile is None else profile

    @property
    def said(self) -> dict[str, str]:
        """The axes that the source says, by the measure's name or in words, and that the measure has."""
        return {
            name: value
            for name, value in {**self.measure.changes, **self.stated}.items()
            if self.measure.stem in axis(name).measures
        }


def parse_claim(text: str, stated: Mapping[str, str] | None = None, evaluator: str | None = None) -> Claim:
    """Reads `ndcg@10=0.7137`: a measure as everywhere, an equals sign, the number as it was printed.

    Raises UsageError for anything else.
    """
    measure, equals, number = text.rpartition("=")
    if not equals or not measure.strip():
        raise UsageError(f"--claim {text!r} is not MEASURE=NUMBER", fix="for example --claim 'ndcg@10=0.7137'")
    plain, trec_name = read_measure(measure.strip())
    return Claim(plain, parse_printed(number), dict(stated or {}), evaluator=evaluator, trec_name=trec_name)


def read_measure(text: str) -> tuple[Measure, str | None]:
    """A measure as users write it, and its name where it is one that only trec_eval has. UsageError otherwise."""
    only = NAMES.get(text.strip().lower())
    return (parse_measure(text), None) if only is None else (Measure("precision", None), only)
