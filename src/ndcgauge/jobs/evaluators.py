"""The evaluators of the catalogue: here or not, versions, profiles; and whether they work."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ndcgauge.evaluators.names import catalogue
from ndcgauge.evaluators.references import Catalogued
from ndcgauge.evaluators.workers import unavailable
from ndcgauge.jobs.demo import demo
from ndcgauge.jobs.request import request
from ndcgauge.spec import MetricSpec


def listed(measures: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """Each evaluator of the catalogue: id, title, version or how to install it, and its profiles."""
    asked = request(measures)
    result: list[dict[str, Any]] = []
    for name, entry in catalogue().items():
        missing = unavailable(Catalogued(name))
        profiles: dict[str, dict[str, str] | None] = {}
        for measure in asked.measures:
            profile = entry.profile(measure)
            profiles[measure.name] = None if profile is None else _changes(profile)
        result.append(
            {
                "id": name,
                "title": entry.title,
                "version": None if missing else _version(entry.package),
                "install": None if missing is None else missing.how_to_install,
                "called": entry.called,
                "differs_from_trec_eval": profiles,
            }
        )
    return result


def _changes(profile: MetricSpec) -> dict[str, str]:
    base = MetricSpec.of(profile.measure, {"cutoff": profile["cutoff"]})
    return {axis: new for axis, (_, new) in base.diff(profile).items()}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def examine(measures: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """The list, with whether each evaluator gives its profile's value on the worked example."""
    report = demo()
    found = {each.id: each for each in report.evaluators}
    result = listed(measures)
    for each in result:
        entry = found[each["id"]]
        each["works"] = entry.verified if entry.outcome != "unavailable" else None
        each["value"] = entry.mean
        each["message"] = entry.message
        each["versions"] = entry.versions
    return result


def listing_text(found: Sequence[dict[str, Any]]) -> str:
    """The list as text."""
    blocks: list[str] = []
    for each in found:
        state = each["version"] or f"not installed: {each['install']}"
        lines = [f"{each['id']:<20} {state}", f"  {each['title']}", f"  called as {each['called']}"]
        for measure, changes in each["differs_from_trec_eval"].items():
            if changes is None:
                lines.append(f"  {measure}: it has no such measure")
            else:
                text = ", ".join(f"{axis}={value}" for axis, value in changes.items()) or "as trec_eval"
                lines.append(f"  {measure}: {text}")
        if "works" in each:
            words = {True: "works", False: "DOES NOT WORK", None: "not installed"}[each["works"]]
            shown = "" if each["value"] is None else f": {each['value']!r} on the worked example"
            said = f" ({each['message']})" if each["message"] else ""
            lines.append(f"  {words}{shown}{said}")
        blocks.append("\n".join(lines))
    return "\n".join(blocks)
