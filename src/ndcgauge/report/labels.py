"""Short names for runs: what tells them apart, without the folders that they share."""

from __future__ import annotations

from collections.abc import Sequence

from ndcgauge.report.lookup import pairs
from ndcgauge.results.model import Report


def run_labels(report: Report) -> dict[str, str]:
    """Run to its label: as much of the end of its path as tells it from the others."""
    return shortest(list(dict.fromkeys(run for run, _ in pairs(report))))


def shortest(names: Sequence[str]) -> dict[str, str]:
    """Each path to its shortest ending, in whole parts, that no other of them has."""
    labels: dict[str, str] = {}
    for name in names:
        parts = name.split("/")
        for kept in range(1, len(parts) + 1):
            label = "/".join(parts[-kept:])
            taken = any(other != name and ("/" + other).endswith("/" + label) for other in names)
            if label and not taken:
                break
        else:
            label = name
        labels[name] = label
    return labels
