"""The tables of a check: evaluators, the matrix of axes, cases that differ; built once, rendered by every form."""

from __future__ import annotations

from collections.abc import Sequence

from ndcgauge.report.tables import Cell, Column, Status, Table
from ndcgauge.results.checks import AxisEntry, CheckedCase, CheckedEvaluator, CheckedResult, CheckReport

_WORST = {"different": 0, "undeclared": 2, "undetermined": 3, "same": 4}
_KNOWN = 1
"""The place of a difference that the ledger knows, between those that it does not and the undeclared."""
SYMBOLS = {
    "same": "✓",
    "different": "✗",
    "known": "≠",
    "undeclared": "+",
    "undetermined": "?",
}
LEGEND = (
    "✓ as declared; ✗ not as declared; ≠ not as declared, known to the ledger; + not declared, measured; "
    "? the evaluator cannot show it"
)
_STATUS: dict[str, Status] = {"same": "good", "different": "bad", "known": "known"}


def state(entry: AxisEntry) -> str:
    """`same`, `different`, `known`, `undeclared` or `undetermined`."""
    return "known" if entry.standing == "different" and entry.known else entry.standing


def axis_cell(entry: AxisEntry | None) -> Cell:
    """An evaluator's value of an axis, with its symbol, and what was declared where that is another."""
    if entry is None:
        return Cell("–")
    kind = state(entry)
    shown = entry.measured if entry.standing != "undetermined" else entry.declared or "undocumented"
    text = f"{SYMBOLS[kind]} {shown}"
    if entry.standing == "different":
        text += f", declared {entry.declared}"
    return Cell(text, _STATUS.get(kind, "plain"))


def evaluators_worst_first(report: CheckReport) -> list[CheckedEvaluator]:
    """Evaluators that are not as declared first, those with most differing cases first among them."""
    return sorted(
        report.evaluators, key=lambda each: (each.conforms, each.outcome != "checked", each.matching - each.asked)
    )


def summary_table(report: CheckReport) -> Table:
    """One row an evaluator: verdict, cases, axes."""
    columns = [
        Column("evaluator", folds=True),
        Column("version"),
        Column("verdict", folds=True),
        Column("cases", numeric=True),
        Column("known", numeric=True),
        Column("axes measured", numeric=True),
    ]
    return Table("Evaluators", columns, [_summary_row(each) for each in evaluators_worst_first(report)])


def _summary_row(each: CheckedEvaluator) -> list[Cell]:
    if each.outcome != "checked":
        return [
            Cell(each.id),
            Cell(each.version or "–"),
            Cell(f"– {each.message}", "bad"),
            Cell(""),
            Cell(""),
            Cell(""),
        ]
    stale = f"; {len(each.stale)} stale in the ledger" if each.stale else ""
    verdict = Cell("✓ as declared", "good") if each.conforms else Cell(f"✗ not as declared{stale}", "bad")
    shown = sum(axis.standing != "undetermined" for axis in each.fingerprint.values())
    return [
        Cell(each.id),
        Cell(each.version or "–"),
        verdict,
        Cell(f"{each.matching}/{each.asked}"),
        Cell(str(len(each.known))),
        Cell(f"{shown}/{len(each.fingerprint)}"),
    ]


def axes_worst_first(evaluators: Sequence[CheckedEvaluator]) -> list[str]:
    """The axes of some evaluators: not as declared first, then where evaluators differ from each other."""
    names = dict.fromkeys(axis for each in evaluators for axis in each.fingerprint)
    place = {axis: number for number, axis in enumerate(names)}

    def key(axis: str) -> tuple[int, int, int]:
        entries = [each.fingerprint[axis] for each in evaluators if axis in each.fingerprint]
        worst = min(_KNOWN if state(each) == "known" else _WORST[each.standing] for each in entries)
        several = len({each.measured for each in entries if each.standing != "undetermined"}) > 1
        return (worst if worst <= _KNOWN else 2, 0 if several else 1, place[axis])

    return sorted(names, key=key)


def matrix(evaluators: Sequence[CheckedEvaluator]) -> Table:
    """Axis by evaluator: the measured value, and whether it is the declared one."""
    rows = [
        [Cell(axis), *(axis_cell(each.fingerprint.get(axis)) for each in evaluators)]
        for axis in axes_worst_first(evaluators)
    ]
    columns = [Column("axis"), *(Column(each.id, folds=True) for each in evaluators)]
    return Table("Fingerprints", columns, rows)


def case_table(report: CheckReport, *, known: bool) -> Table | None:
    """The cases on which an evaluator does not do what it is declared to: those of the ledger, or the others."""
    rows = [
        [
            Cell(name),
            Cell(case.id),
            Cell(", ".join(case.axes) or "reading"),
            Cell(_gave(result)),
            Cell(_why(report, name, case)),
        ]
        for case in report.cases
        for name, result in case.results.items()
        if not result.matches and result.known == known
    ]
    if not rows:
        return None
    rows.sort(key=lambda row: (row[0].text, row[1].text))
    columns = [Column("evaluator"), Column("case", folds=True), Column("axes", folds=True), Column("gave", folds=True)]
    columns.append(Column("why" if known else "title", folds=True))
    title = "Known differences (the ledger)" if known else "Cases that are not as declared"
    return Table(title, columns, rows)


def case_matrix(report: CheckReport) -> Table | None:
    """Case by evaluator: what each gave, and whether that is what it is declared to compute; by axis."""
    names = [each.id for each in report.evaluators if each.outcome == "checked"]
    if not report.cases or not names:
        return None
    rows = [
        [
            Cell(case.id),
            Cell(", ".join(case.axes) or "reading"),
            Cell(case.measure),
            *(_result_cell(case.results.get(name)) for name in names),
        ]
        for case in report.cases
    ]
    columns = [Column("case", folds=True), Column("axes", folds=True), Column("measure")]
    return Table(f"All {len(rows):,} cases", [*columns, *(Column(name, folds=True) for name in names)], rows)


def _result_cell(result: CheckedResult | None) -> Cell:
    if result is None or result.outcome == "unsupported":
        return Cell("–")
    kind = "same" if result.matches else "known" if result.known else "different"
    shown = result.outcome if result.value is None else f"{result.value:.6g}"
    return Cell(f"{SYMBOLS[kind]} {shown}", _STATUS[kind])


def measure_table(evaluator: CheckedEvaluator) -> Table:
    """Axis by measure of one evaluator, with the number of cases that show it."""
    measures = evaluator.measures
    rows = [
        [
            Cell(axis),
            *(axis_cell(axes.get(axis)) for axes in measures.values()),
            Cell(str(len(entry.cases)) if entry.standing != "undetermined" else "0"),
        ]
        for axis, entry in evaluator.fingerprint.items()
    ]
    columns = [Column("axis"), *(Column(each, folds=True) for each in measures), Column("cases", numeric=True)]
    return Table(f"{evaluator.id}, measure by measure", columns, rows)


def equal_lines(evaluator: CheckedEvaluator) -> list[str]:
    """The values that cannot be told from the measured one, because of the evaluator's other axes."""
    return [
        f"{axis}: {each.measured} gives the same here as {' and '.join(each.equal)}"
        for axis, each in evaluator.fingerprint.items()
        if each.equal and each.standing != "undetermined"
    ]


def _gave(result: CheckedResult) -> str:
    return result.message or result.outcome if result.value is None else f"{result.value:.6g}"


def _why(report: CheckReport, evaluator: str, case: CheckedCase) -> str:
    entries = next(each for each in report.evaluators if each.id == evaluator).known
    return next((each.why for each in entries if each.case == case.id), case.title)


def finding_lines(evaluator: CheckedEvaluator) -> list[str]:
    """What the matrix has no room for: why an axis is mixed or not as declared, and stale entries."""
    lines: list[str] = []
    for measure, axes in evaluator.measures.items():
        for axis, each in axes.items():
            if each.standing == "different":
                where = each.reason or f"cases {', '.join(each.cases)}"
                known = " (known to the ledger)" if each.known else ""
                lines.append(
                    f"{evaluator.id}, {measure}: {axis} is {each.measured}, declared {each.declared}{known}: {where}"
                )
    lines += [f"{evaluator.id}: the ledger says that {case} differs, and it does not" for case in evaluator.stale]
    return lines


def undetermined_lines(evaluator: CheckedEvaluator) -> list[str]:
    """The axes that an evaluator cannot show, with the reasons."""
    return [
        f"{evaluator.id}: {axis}: {each.reason}"
        for axis, each in evaluator.fingerprint.items()
        if each.standing == "undetermined"
    ]
