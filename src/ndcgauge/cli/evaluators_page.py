"""docs/evaluators.md: what each evaluator is declared to compute, beside what the suite measured."""

from __future__ import annotations

from collections.abc import Sequence

from ndcgauge.evaluators.names import catalogue
from ndcgauge.evaluators.profiles import AxisDeclaration, CatalogueEntry
from ndcgauge.report.markdown import escaped
from ndcgauge.results.checks import AxisEntry, CheckedEvaluator, CheckReport
from ndcgauge.spec import AXES

HEAD = """# Evaluators: declared and measured

This page is generated: the declarations are those of the catalogue (`src/ndcgauge/evaluators/catalogue/`), the measured
values those of the case suite (`ndcgauge check`; [the whole check](../reports/check.html)). A test fails when it is out
of date; `python -m ndcgauge.cli.evaluators_page docs/evaluators.md reports/check.json.gz` writes it again. "measured"
is what the cases show of the versions named here; **?** stands where the evaluator cannot show the axis, with the
reason below the table.
"""


def page(report: CheckReport) -> str:
    """The page. `report`: a check of the whole catalogue on all cases."""
    checked = {each.id: each for each in report.evaluators}
    parts = [HEAD, _overview(report)]
    parts += [_evaluator(entry, checked[name]) for name, entry in catalogue().items()]
    return "\n".join(parts)


def _overview(report: CheckReport) -> str:
    rows = [
        f"| [{each.id}](#{each.id}) | {each.version} | {'as declared' if each.conforms else 'NOT as declared'} "
        f"| {each.matching}/{each.asked} | {len(each.known)} |"
        for each in report.evaluators
    ]
    head = [
        "| evaluator | version | fingerprint | cases as declared | known differences |",
        "| --- | --- | --- | ---: | ---: |",
    ]
    return "\n".join([*head, *rows, ""])


def _evaluator(entry: CatalogueEntry, found: CheckedEvaluator) -> str:
    lines = [f"## {entry.id}", "", f"{escaped(entry.title)} · [{entry.package}]({entry.homepage}) {found.version}", ""]
    lines += [f"Called as `{entry.called}`.", ""]
    lines += [f"- {escaped(each)}" for each in entry.notes]
    for stem, declared in entry.measures.items():
        measured = found.measures.get(stem, {})
        lines += ["", f"### {entry.id}: {stem}", ""]
        lines += ["| axis | declared | measured | evidence | to get another value |", "| --- | --- | --- | --- | --- |"]
        lines += [_row(axis, declared.axes[axis], measured.get(axis)) for axis in AXES if axis in declared.axes]
        lines += _reasons(measured)
    if found.known:
        lines += ["", f"### {entry.id}: known differences", "", "| case | why |", "| --- | --- |"]
        lines += [f"| {each.case} | {escaped(each.why)} ([source]({each.link})) |" for each in found.known]
    return "\n".join([*lines, ""])


def _row(axis: str, declared: AxisDeclaration, measured: AxisEntry | None) -> str:
    evidence = declared.evidence + (f": {declared.shown_by}" if declared.shown_by else "")
    ways = [f"{value}: {how}" for value, how in declared.settable.items()]
    if declared.recipe is not None:
        ways.append(declared.recipe)
    cells = (declared.value or "undocumented", _measured(measured), evidence, "; ".join(ways))
    return f"| {axis} | " + " | ".join(escaped(each) for each in cells) + " |"


def _measured(entry: AxisEntry | None) -> str:
    if entry is None or entry.standing == "undetermined":
        return "?"
    same = f" (the same here: {', '.join(entry.equal)})" if entry.equal else ""
    known = " (see the known differences)" if entry.standing == "different" and entry.known else ""
    return f"{entry.measured}{same}{known}"


def _reasons(measured: dict[str, AxisEntry]) -> Sequence[str]:
    silent: dict[str, list[str]] = {}
    # In the order of the specification; a document has its axes sorted by name.
    for axis, each in ((axis, measured[axis]) for axis in AXES if axis in measured):
        if each.standing == "undetermined" and axis != "cutoff":
            silent.setdefault(each.reason or "", []).append(axis)
    return ["", *(f"- ? {', '.join(axes)}: {escaped(reason)}" for reason, axes in silent.items())] if silent else []


def main() -> None:
    """Writes the page into the file that is named first: of the saved check that is named second, or of a new one."""
    import sys
    from pathlib import Path

    from ndcgauge.results.files import load_document, write_whole

    target, *saved = map(Path, sys.argv[1:])
    if saved:
        document = load_document(saved[0])
        assert isinstance(document, CheckReport), "a report of another kind"
    else:
        from ndcgauge.jobs.check import check, check_options

        document = check(check_options())
    write_whole(target, page(document))


if __name__ == "__main__":
    main()
