"""`MetricSpec`: a measure, a cutoff and a value for every axis that the measure has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ndcgauge.errors import UsageError
from ndcgauge.spec.axes import AXES, MEASURES, axes_of, axis


@lru_cache
def _preset_axes(measure: str) -> Mapping[str, str]:
    """Every axis of a measure but the cutoff, as the `trec_eval` preset has it."""
    axes = MetricSpec.of(measure).axes
    return {name: value for name, value in axes.items() if name != "cutoff"}


@dataclass(frozen=True, eq=False)
class MetricSpec:
    """A fully written-out metric. There are no implicit axes (DESIGN §2).

    Built by `MetricSpec.of` or a preset; equality and hash are those of the canonical JSON.
    """

    measure: str
    """`ndcg`, `dcg`, `ap`, `rr`, `precision`, `recall` or `judged`."""
    values: tuple[tuple[str, str], ...]
    """(axis, canonical value) for every axis of the measure, sorted by axis name; `cutoff` is one of them."""

    @staticmethod
    def of(measure: str, values: Mapping[str, str] | None = None) -> MetricSpec:
        """A specification whose axes are the `trec_eval` preset's but for `values`.

        Raises UsageError for an unknown measure, axis or value, or an axis that the measure lacks.
        """
        if measure not in MEASURES:
            raise UsageError(f"there is no measure {measure!r}", fix=f"one of {', '.join(MEASURES)}")
        full = {each.name: each.values[0] for each in axes_of(measure)}
        for name, text in (values or {}).items():
            known = axis(name)
            if known.name not in full:
                raise UsageError(
                    f"the measure {measure} has no axis {known.name}",
                    fix=f"its axes are {', '.join(full)}",
                )
            full[known.name] = known.parse(str(text))
        return MetricSpec(measure, tuple(sorted(full.items())))

    @cached_property
    def axes(self) -> dict[str, str]:
        """Axis name to canonical value, sorted by name."""
        return dict(self.values)

    def __getitem__(self, name: str) -> str:
        return self.axes[name]

    @property
    def cutoff(self) -> int | None:
        """The last rank that counts; None without a cutoff."""
        return None if self["cutoff"] == "none" else int(self["cutoff"])

    @property
    def name(self) -> str:
        """The measure with its cutoff: `ndcg@10`, `ap`."""
        return self.measure if self.cutoff is None else f"{self.measure}@{self.cutoff}"

    def replace(self, /, **changes: str) -> MetricSpec:
        """The specification with some axes changed; UsageError as in `of`."""
        return MetricSpec.of(self.measure, {**self.axes, **changes})

    def with_axes(self, changes: Mapping[str, str]) -> MetricSpec:
        """`replace` for values that are already canonical (no parsing; used in searches)."""
        return MetricSpec(self.measure, tuple((name, changes.get(name, value)) for name, value in self.values))

    def diff(self, other: MetricSpec) -> dict[str, tuple[str, str]]:
        """The axes on which two specifications of one measure differ: name to (own, other's) value."""
        if self.measure != other.measure:
            raise UsageError(f"{self.measure} and {other.measure} are different measures")
        return {name: (value, other[name]) for name, value in sorted(self.axes.items()) if other[name] != value}

    def to_dict(self) -> dict[str, str]:
        """Measure and every axis, sorted: what the canonical JSON holds."""
        return dict(sorted((*self.values, ("measure", self.measure))))

    @staticmethod
    def from_dict(values: Mapping[str, str]) -> MetricSpec:
        """The inverse of `to_dict`; UsageError as in `of`."""
        axes = {name: value for name, value in values.items() if name != "measure"}
        return MetricSpec.of(values["measure"], axes)

    @cached_property
    def canonical_json(self) -> str:
        """Every axis, sorted, without white space: the identity of the specification."""
        import json

        return json.dumps(self.to_dict(), separators=(",", ":"), ensure_ascii=True)

    @cached_property
    def hash(self) -> str:
        """`spec:` and the first 12 hex digits of the SHA-256 of the canonical JSON."""
        import hashlib

        return "spec:" + hashlib.sha256(self.canonical_json.encode()).hexdigest()[:12]

    def short(self) -> str:
        """The measure and what differs from the `trec_eval` preset: `ndcg@10 [gain=exponential, ties=average]`."""
        own, base = self.axes, _preset_axes(self.measure)
        changed = [f"{name}={own[name]}" for name in AXES if name in base and own[name] != base[name]]
        return f"{self.name} [{', '.join(changed)}]" if changed else f"{self.name} [trec_eval]"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MetricSpec) and (self.measure, self.values) == (other.measure, other.values)

    def __hash__(self) -> int:
        return hash((self.measure, self.values))

    def __str__(self) -> str:
        return self.short()
