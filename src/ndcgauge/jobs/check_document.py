"""What the suite says about evaluators, as parts of the document."""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Mapping, Sequence

from ndcgauge.evaluators.outcomes import Crashed, TimedOut, Unavailable, Unsupported, Value, explain, outcome_name
from ndcgauge.jobs.document import safe
from ndcgauge.results.checks import AxisEntry, CheckedCase, CheckedEvaluator, CheckedResult, KnownEntry
from ndcgauge.spec import AXES
from ndcgauge.suite.checking import Checked
from ndcgauge.suite.fingerprint import AxisFinding
from ndcgauge.suite.model import Case


def told(message: str) -> str:
    """What an evaluator said, safe to print, and the same at the next check: its files lie in another place then."""
    place = re.escape(tempfile.gettempdir())
    shown = re.sub(rf"{place}/ndcgauge-[^/\s'\"]+/(?:\d+/)?", "", message)
    return safe(re.sub(rf"{place}/tmp[a-z0-9_]{{8}}\b", "a temporary file", shown))  # noqa: S108 - a pattern of names


def evaluator_entry(
    name: str,
    title: str,
    version: str | None,
    versions: Mapping[str, str],
    result: Checked | None,
    trouble: Unavailable | Crashed | TimedOut | None,
) -> CheckedEvaluator:
    """One evaluator. `trouble`: why it gave nothing at all."""
    if result is None or trouble is not None:
        assert trouble is not None
        return CheckedEvaluator(
            id=name,
            title=safe(title),
            version=version,
            versions=dict(versions),
            outcome="unavailable" if isinstance(trouble, Unavailable) else "crashed",
            message=told(explain(trouble)),
            conforms=False,
            fingerprint={},
            measures={},
            asked=0,
            matching=0,
            known=[],
            stale=[],
        )
    asked = {case: each for case, each in result.cases.items() if not isinstance(each.outcome, Unsupported)}
    return CheckedEvaluator(
        id=name,
        title=safe(title),
        version=version,
        versions=dict(versions),
        outcome="checked",
        message=None,
        conforms=result.conforms,
        fingerprint=_axes(result, result.fingerprint),
        measures={stem: _axes(result, each.findings) for stem, each in result.fingerprints.items()},
        asked=len(asked),
        matching=sum(each.matches for each in asked.values()),
        known=[
            KnownEntry(case=case, why=result.ledger.entries[case].why, link=result.ledger.entries[case].link)
            for case in result.differing
            if case in result.ledger
        ],
        stale=list(result.stale),
    )


def _axes(result: Checked, findings: Mapping[str, AxisFinding]) -> dict[str, AxisEntry]:
    return {
        axis: AxisEntry(
            declared=each.declared,
            measured=each.measured,
            cases=list(each.cases),
            standing=each.standing.value,
            known=result.excused(each),
            equal=list(each.equal),
            values={value: list(cases) for value, cases in (each.values or {}).items()},
            reason=None if each.reason is None else told(each.reason),
        )
        for axis in AXES
        if (each := findings.get(axis)) is not None
    }


def case_entries(cases: Sequence[Case], results: Mapping[str, Checked]) -> list[CheckedCase]:
    """Every case with what each evaluator gave."""
    return [
        CheckedCase(
            id=case.id,
            axes=list(case.written.axes),
            title=case.written.title,
            measure=case.measure.name,
            results={name: _result(result, case.id) for name, result in results.items() if case.id in result.cases},
        )
        for case in cases
    ]


def _result(result: Checked, case: str) -> CheckedResult:
    given = result.cases[case]
    number = given.outcome.number if isinstance(given.outcome, Value) else None
    message = given.note
    if not isinstance(given.outcome, Value) or (number is not None and not math.isfinite(number)):
        message = explain(given.outcome)
    return CheckedResult(
        outcome=outcome_name(given.outcome),
        value=number if number is not None and math.isfinite(number) else None,
        matches=given.matches,
        known=not given.matches and case in result.ledger,
        message=None if message is None else told(message),
    )
