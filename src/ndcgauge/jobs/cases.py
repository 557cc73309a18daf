"""The case suite on the command line: list, show, lint; and a new case from files on which two evaluators differ."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from ndcgauge.data.memory import collection_from_lines
from ndcgauge.errors import EvaluatorError, InputError, UsageError
from ndcgauge.evaluators.names import baseline_spec, catalogue, is_evaluator
from ndcgauge.evaluators.processes import Limits
from ndcgauge.evaluators.references import EvaluatorRef, resolve
from ndcgauge.evaluators.workers import Workers
from ndcgauge.jobs.compare import compare, options
from ndcgauge.jobs.loading import judged_queries, load_run, open_inputs
from ndcgauge.jobs.request import request
from ndcgauge.results.model import EvaluatorEntry, Report
from ndcgauge.spec import Measure, MetricSpec, parse_measure
from ndcgauge.suite.closed_form import ClosedForm
from ndcgauge.suite.contrast import Contrast, Side
from ndcgauge.suite.drafting import OPEN, Draft, calculation, changes_of, text_of
from ndcgauge.suite.lint import Finding, Uncovered, lint, uncovered
from ndcgauge.suite.loading import load_cases, select
from ndcgauge.suite.minimising import Line, files_of, neutral, smallest
from ndcgauge.suite.model import Case

Tell = Callable[[str], None]


def listed(pattern: str | None = None, folder: Path | None = None) -> list[dict[str, object]]:
    """Every case of the selection: id, folder, axes, measure, title, number of expectations."""
    cases = load_cases(folder)
    return [
        {
            "id": case.id,
            "folder": case.folder,
            "axes": case.written.axes,
            "measure": case.measure.name,
            "title": case.written.title,
            "expectations": len(case.expectations),
        }
        for case in (cases if pattern is None else select(cases, pattern))
    ]


def listing_text(found: Sequence[Mapping[str, object]]) -> str:
    """The list as text, by folder."""
    lines: list[str] = []
    folder = None
    for each in found:
        if each["folder"] != folder:
            folder = each["folder"]
            lines.append(f"{folder}")
        lines.append(f"  {each['id']!s:<34} {each['measure']!s:<12} {each['title']}")
    lines.append(f"{len(found)} cases, {sum(int(str(each['expectations'])) for each in found)} expectations")
    return "\n".join(lines)


def shown(name: str, folder: Path | None = None) -> Case:
    """The case of an id. Raises UsageError where there is none."""
    for case in load_cases(folder):
        if case.id == name:
            return case
    raise UsageError(f"there is no case {name!r}", fix="ndcgauge cases list names them")


def case_text(case: Case) -> str:
    """A case with its files, and what is expected under which values, closed form and number."""
    written = case.written
    lines = [f"{case.folder}/{case.id}: {written.title}", "", written.why, ""]
    lines += [f"  {each}" for each in written.refs]
    lines += ["", f"measure {case.measure.name}, preset {written.preset}", "", "qrels:"]
    lines += [f"  {each}" for each in _shown_lines(case.qrels)]
    lines += ["run:", *(f"  {each}" for each in _shown_lines(case.run)), ""]
    for each in case.expectations:
        lines.append(each.label)
        if each.refused is not None:
            lines.append(f"  refused ({each.refused})")
        lines += [f"  {query:<8} {_form(form)}" for query, form in each.values.items()]
        if each.refused is None and (not each.mean_is_macro or len(each.values) != 1):
            lines.append(f"  {'mean':<8} {_form(each.mean)}")
        lines += [f"  printed  {query}: {text}" for query, text in each.printed.items()]
    return "\n".join(lines)


def _shown_lines(data: bytes) -> list[str]:
    return [repr(each.decode("utf-8", "backslashreplace"))[1:-1] for each in data.split(b"\n") if each]


def _form(form: object) -> str:
    match form:
        case ClosedForm():
            return f"{form.text} = {float(form.value):.10g}"
        case _ if hasattr(form, "worst"):
            return f"from {_form(form.worst)} to {_form(form.best)}"  # type: ignore[attr-defined]
        case _:
            return "undefined"


@dataclass(frozen=True)
class LintResult:
    """What is wrong with a suite."""

    findings: Sequence[Finding]
    missing: Sequence[Uncovered]
    """Values that no case covers; looked for in the whole suite alone."""
    cases: int


def linted(folder: Path | None = None) -> LintResult:
    """Everything that is wrong with the suite, or with the cases of a folder."""
    cases = load_cases(folder)
    return LintResult(lint(cases), uncovered(cases) if folder is None else [], len(cases))


@dataclass(frozen=True)
class NewCase:
    """A draft, and how it came about."""

    draft: Draft
    text: str
    axes: tuple[str, ...]
    """The axes that explain the difference; none where nothing does."""
    lines_before: int
    lines_after: int
    calls: int
    """How often the two evaluators were called."""


def new_case(
    qrels: str,
    run: str,
    evaluators: Sequence[str],
    *,
    measure: str = "ndcg@10",
    name: str | None = None,
    timeout: float = 600.0,
    tell: Tell | None = None,
    workers: Workers | None = None,
) -> NewCase:
    """The fewest lines of one query on which two evaluators differ as they do on the whole files.

    The first evaluator is the baseline. The difference and the axes that explain it stay while documents are
    taken away; ids are neutralised where that keeps both. Raises UsageError unless two evaluators are named,
    EvaluatorError where one gives nothing, InputError where no query differs.
    """
    if len(evaluators) != 2:
        raise UsageError("a new case needs two evaluators that differ", fix="-e ONE -e OTHER")
    asked = parse_measure(measure)
    refs = [resolve(text) for text in evaluators]
    baseline = refs[0].id if is_evaluator(refs[0].id) else "trec_eval"
    question = request([measure], baseline=baseline)
    told = tell or (lambda _: None)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ndcgauge-")))
        if workers is None:
            workers = stack.enter_context(Workers(Limits(seconds=timeout), 2, tell))
        chosen = options(list(evaluators), question, timeout=timeout, probes=False)
        told("comparing the two on the whole files")
        report = compare(qrels, [run], question, chosen, workers=workers, tell=tell)
        one, other = (_side(each, report, asked) for each in refs)
        contrast = Contrast(workers, folder, asked, one, other)
        inputs = open_inputs(qrels, [run], question)
        loaded = load_run(inputs, inputs.run_sources[0], question)
        told("looking for the query to start from")
        query, contrast.axes = _query(
            contrast,
            report,
            inputs.qrels_source.unpacked_path(),
            inputs.run_sources[0].unpacked_path(),
            judged_queries(loaded.collection),
        )
        lines = _lines(inputs.qrels_source.unpacked_path(), inputs.run_sources[0].unpacked_path(), query)
        told(f"query {query}: {len(lines):,} lines; it differs by {', '.join(contrast.axes) or 'no axis'}")
        if not contrast.keeps([lines])[0]:
            raise InputError(
                f"query {query} alone does not show the difference that the whole files show",
                fix="it depends on other queries, or an evaluator gives other values from call to call",
            )
        lines = _plain_ids(lines, contrast)

        def left(number: int) -> None:
            told(f"{number:,} lines are left, after {contrast.calls} calls of the two")

        last = smallest(lines, contrast.keeps, asked.cutoff, left)
        final, plain = _neutralised(last, contrast)
    draft = _draft(final, contrast, name, neutralised=plain)
    return NewCase(draft, text_of(draft), contrast.axes, len(lines), len(last), contrast.calls)


def _side(evaluator: EvaluatorRef, report: Report, measure: Measure) -> Side:
    entry = next(each for each in report.evaluators if each.id == evaluator.id)
    if entry.answered == 0 or entry.profile is None:
        raise EvaluatorError(f"{evaluator.id} gave no value of {measure.name}: {entry.message or entry.outcome}")
    return Side(evaluator, _spec(entry, evaluator, measure), entry.verified or entry.behaves_as is not None)


def _spec(entry: EvaluatorEntry, evaluator: EvaluatorRef, measure: Measure) -> MetricSpec:
    """What the evaluator computes; an order that it showed stands for whatever it shows next."""
    declared = catalogue()[evaluator.id].profile(measure) if is_evaluator(evaluator.id) else None
    spec = baseline_spec("trec_eval", measure).replace(**measure.changes) if declared is None else declared
    changes = {
        axis: "observed" if value.startswith("observed:") else value for axis, value in (entry.behaves_as or {}).items()
    }
    if declared is None and entry.decimals is not None:
        changes["rounding"] = str(entry.decimals)
    return spec.replace(**changes) if changes else spec


def _query(
    contrast: Contrast, report: Report, qrels: Path, run: Path, queries: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """The query to start from, and the axes that explain it: the commonest explanation, the shortest list."""
    reasons = contrast.explanation(qrels.read_bytes(), run.read_bytes(), queries)
    if not reasons:
        means = {each.id: each.mean for each in report.evaluators}
        if len(set(means.values())) > 1:
            raise InputError(
                "no single query differs, only the mean: the two count different queries",
                fix="write a case of two queries by hand, as cases/queries/queries-ndcg.toml",
            )
        raise InputError("the two evaluators do not differ on any query of these files")
    whole = {tuple(sorted(axes)) for each in report.discrepancies for axes in each.minimal}
    counts = Counter(reasons.values())
    axes = max(counts, key=lambda each: (each in whole, counts[each], -len(each)))
    lengths = Counter(line.split()[0] for line in run.read_bytes().splitlines() if line.split())
    own = [query for query, reason in reasons.items() if reason == axes]
    return min(own, key=lambda query: (lengths[query.encode("utf-8", "surrogateescape")], query)), axes


def _lines(qrels: Path, run: Path, query: str) -> list[Line]:
    wanted = query.encode("utf-8", "surrogateescape")
    found: list[Line] = []
    for path, judged in ((qrels, True), (run, False)):
        for raw in path.read_bytes().split(b"\n"):
            columns = raw.split()
            if not columns or columns[0] != wanted:
                continue
            texts = [each.decode("utf-8", "surrogateescape") for each in columns]
            found.append(
                Line(query, texts[2], grade=texts[3])
                if judged
                else Line(query, texts[2], rank=texts[3], score=texts[4])
            )
    return found


def _plain_ids(lines: Sequence[Line], contrast: Contrast) -> Sequence[Line]:
    """The lines under plain ids of one length, where that keeps the difference; else as they are.

    ranx compiles itself again for every new length of an id, which would happen again and again on the way.
    """
    renamed, _ = neutral(lines)
    return renamed if contrast.keeps([renamed])[0] else lines


def _neutralised(lines: Sequence[Line], contrast: Contrast) -> tuple[Sequence[Line], bool]:
    """The plainest form that still shows the difference; and whether the ids could be neutralised."""
    renamed, plainer = neutral(lines)
    forms = [*plainer, renamed]
    for form, good in zip(forms, contrast.keeps(forms), strict=True):
        if good:
            return form, True
    return lines, False


def _draft(lines: Sequence[Line], contrast: Contrast, name: str | None, *, neutralised: bool) -> Draft:
    query = lines[0].query
    qrels, run = (each.decode("utf-8", "surrogateescape") for each in files_of(lines))
    collection = collection_from_lines(
        [(query, each.doc, float(each.grade or 0)) for each in lines if each.judged],
        [(query, each.doc, float(each.rank), float(each.score)) for each in lines if not each.judged],
    )
    expects: list[tuple[dict[str, str], str, dict[str, str]]] = []
    base = contrast.one.spec
    changed = base.with_axes({axis: contrast.other.spec[axis] for axis in contrast.axes})
    for spec in (base, changed) if contrast.axes else (base,):
        when = changes_of(spec)
        for axis in contrast.axes:
            when.setdefault(axis, spec[axis])
        note, form = ("", OPEN) if spec["ties"] in ("observed", "random") else calculation(collection, spec, query)
        expects.append((when, note, {query: form}))
    one, other = contrast.one.evaluator.id, contrast.other.evaluator.id
    reason = " and ".join(contrast.axes) or "a reason that no axis explains"
    comments = [
        f"{one} and {other} differ here by {reason}. A draft: it is no case before a person has done this.",
        "1. Check each term below against the files: the ranking, the grades, the logarithms. The terms were laid",
        "   out from the table of `ndcgauge explain`, not measured; where ? stands, write the closed form.",
        "2. Say why it matters and where it is decided (why, refs), and give it a title. Then: ndcgauge cases lint.",
    ]
    if not neutralised:
        comments.append("The ids are those of the files: with plain ones the difference goes away.")
    axes = list(contrast.axes)
    title = f"{one} and {other} differ by {reason}"
    return Draft(
        name or f"{one}-{other}-{contrast.measure.stem}",
        title,
        axes,
        contrast.measure.name,
        qrels,
        run,
        expects,
        comments,
    )


def new_case_json(found: NewCase) -> str:
    """The draft and how it came about, as JSON."""
    values = {
        "id": found.draft.id,
        "axes": list(found.axes),
        "lines_before": found.lines_before,
        "lines_after": found.lines_after,
        "calls": found.calls,
        "text": found.text,
    }
    return json.dumps(values, indent=1)
