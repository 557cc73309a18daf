"""A document of a check, built by hand: two evaluators that ran, one that could not; four cases."""

from __future__ import annotations

from tests.report.documents import PLAIN, Texts

from ndcgauge.results.checks import (
    AxisEntry,
    CheckedCase,
    CheckedEvaluator,
    CheckedResult,
    CheckReport,
    KnownEntry,
    Standing,
)
from ndcgauge.results.model import Environment, Tool


def axis(declared: str | None, measured: str, standing: Standing, *cases: str, **more: object) -> AxisEntry:
    """What the cases show of an axis."""
    base = AxisEntry(
        declared=declared,
        measured=measured,
        cases=list(cases),
        standing=standing,
        known=standing != "different",
        equal=[],
        values={},
        reason=None,
    )
    return base.model_copy(update=more)


def result(value: float | None, *, matches: bool = True, known: bool = False, **more: object) -> CheckedResult:
    """What an evaluator gave on a case."""
    base = CheckedResult(
        outcome="refused" if value is None else "value", value=value, matches=matches, known=known, message=None
    )
    return base.model_copy(update=more)


def evaluator(name: str, fingerprint: dict[str, AxisEntry], **more: object) -> CheckedEvaluator:
    """An evaluator that is as declared."""
    base = CheckedEvaluator(
        id=name,
        title=f"the evaluator {name}",
        version="2.5",
        versions={name: "2.5"},
        outcome="checked",
        message=None,
        conforms=True,
        fingerprint=fingerprint,
        measures={"ndcg": fingerprint},
        asked=4,
        matching=3,
        known=[],
        stale=[],
    )
    return base.model_copy(update=more)


def check_report(texts: Texts = PLAIN) -> CheckReport:
    """`house` is not as declared in gain, and stale on `ties-stale`; `old` refuses what the ledger knows."""
    house = evaluator(
        texts.program,
        {
            "gain": axis("linear", "exponential", "different", texts.queries[0]),
            "ties": axis("docid-desc", "docid-desc", "same", "ties-stale", equal=["line"]),
            "negative": axis(None, "zero", "undeclared", "negative-one"),
        },
        conforms=False,
        matching=3,
        stale=["ties-stale"],
    )
    old = evaluator(
        "old",
        {
            "gain": axis("linear", "linear", "same", texts.queries[0]),
            "ties": axis("average", "average", "same", "ties-stale"),
            "negative": axis("zero", "undetermined", "undetermined", reason=texts.message),
        },
        known=[KnownEntry(case="negative-one", why=texts.message, link="https://example.org/issues/1")],
    )
    absent = evaluator(
        "absent",
        {},
        outcome="unavailable",
        message=texts.message,
        conforms=False,
        version=None,
        versions={},
        asked=0,
        matching=0,
        measures={},
    )
    cases = [
        CheckedCase(
            id=texts.queries[0],
            axes=["gain"],
            title=texts.run,
            measure="ndcg@10",
            results={
                texts.program: result(0.75, matches=False, message=texts.message),
                "old": result(0.625),
            },
        ),
        CheckedCase(
            id="ties-stale",
            axes=["ties"],
            title="a tie at the cutoff",
            measure="ndcg@10",
            results={texts.program: result(0.5), "old": result(0.5)},
        ),
        CheckedCase(
            id="negative-one",
            axes=["negative"],
            title="a negative grade",
            measure="ndcg@10",
            results={
                texts.program: result(1.0),
                "old": result(None, matches=False, known=True, message=texts.message),
            },
        ),
        CheckedCase(
            id="lacking",
            axes=[],
            title="a measure that one lacks",
            measure="ap",
            results={texts.program: result(1.0), "old": result(None, outcome="unsupported", message="old has no ap")},
        ),
    ]  # fmt: skip
    return CheckReport(
        tool=Tool(version="0.1.0"),
        created=None,
        command=["ndcgauge", "check", "-e", texts.program],
        evaluators=[house, old, absent],
        cases=cases,
        warnings=[texts.message],
        environment=Environment(python="3.11.7", packages={"numpy": "2.4.6"}, created_by="ndcgauge 0.1.0"),
    )
