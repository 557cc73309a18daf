"""What many specifications have in common, made once and kept under the axis values that decide it (DESIGN §4)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar, cast

from ndcgauge.spec import MetricSpec

T = TypeVar("T")

_OF_ONE_STANDING = frozenset({"groups", "standing", "numerators", "dcg", "parts"})
"""First parts of the keys of what is made of one standing, and no use to others."""
_LASTING = frozenset({"judgments", "gain", "pairs", "relevance", "population", "matters", "top", "ranked", "first"})
"""First parts of the keys of shared work that no ranking enters, or that serves every tie rule."""


class SharedWork:
    """Keeps what was made under its key, and the keys of the specifications at hand."""

    def __init__(self) -> None:
        self._shared: dict[tuple[Hashable, ...], object] = {}
        self._keyed: MetricSpec | None = None
        self._keys: dict[str, object] = {}
        self._known: dict[int, dict[str, object]] = {}
        """By identity: the keys of specifications that will be asked for again, while they are held."""

    def _once(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        if key not in self._shared:
            self._shared[key] = make()
        return cast("T", self._shared[key])

    def _key(self, name: str, spec: MetricSpec, make: Callable[[MetricSpec], T]) -> T:
        """A key of the specification at hand, which is asked for several times in a row."""
        if spec is not self._keyed:
            self._keyed, self._keys = spec, self._known.get(id(spec), {})
        if name not in self._keys:
            self._keys[name] = make(spec)
        return cast("T", self._keys[name])

    def _hold(self, specs: Iterable[MetricSpec]) -> None:
        """Keeps the keys of these specifications, which the caller holds on to, and of no others."""
        self._keyed, self._known = None, {id(spec): {} for spec in specs}

    def forget(self) -> None:
        """Lets go of the shared work, where a search has used up what was worth keeping."""
        self._shared.clear()

    def forget_rankings(self) -> None:
        """Lets go of what depends on one ranking of a run, and keeps what the judgments alone decide."""
        self._forget(lambda kind: kind not in _LASTING)

    def _forget_standing(self) -> None:
        """Lets go of what was made of one standing."""
        self._forget(lambda kind: kind in _OF_ONE_STANDING)

    def _forget(self, drop: Callable[[Hashable], bool]) -> None:
        """Lets go of shared work by the first part of its key."""
        self._shared = {key: made for key, made in self._shared.items() if not drop(key[0])}
