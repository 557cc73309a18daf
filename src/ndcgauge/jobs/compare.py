"""`compare`: evaluators side by side on qrels and runs, every difference split, as one document."""

from __future__ import annotations

import platform
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from ndcgauge import __version__
from ndcgauge.data.accounting import account
from ndcgauge.data.options import silent
from ndcgauge.data.packing import MAX_BYTES
from ndcgauge.data.reading import Loaded
from ndcgauge.data.sources import Source
from ndcgauge.diff.probes import InputFiles
from ndcgauge.errors import UsageError
from ndcgauge.evaluators.answers import Answer
from ndcgauge.evaluators.names import baseline_spec, catalogue, is_evaluator, undocumented
from ndcgauge.evaluators.processes import Limits, processors
from ndcgauge.evaluators.references import Catalogued, EvaluatorRef, Program, resolve
from ndcgauge.evaluators.workers import Job, Workers, unavailable
from ndcgauge.jobs.comparison import Asked, MeasureResult, RunComparer
from ndcgauge.jobs.document import (
    discrepancies,
    envelope_entry,
    evaluator_entry,
    reference_entry,
    spec_entry,
    versions_of,
)
from ndcgauge.jobs.groups import Groups, group_entries, read_groups, unknown_queries
from ndcgauge.jobs.identities import ask_again, broken_identities, held_identities
from ndcgauge.jobs.inputs_document import qrels_entry, run_entry
from ndcgauge.jobs.json_values import safe
from ndcgauge.jobs.loading import Inputs, Run, each_run, judged_queries, open_inputs, unread_warnings
from ndcgauge.jobs.orders import order_entries
from ndcgauge.jobs.perturbation import Sensitivity, parse_changes
from ndcgauge.jobs.request import DEFAULT_TOLERANCE, Request
from ndcgauge.results.model import (
    Attribution,
    DiscrepancyEntry,
    EnvelopeEntry,
    Environment,
    EvaluatorEntry,
    ReferenceEntry,
    Report,
    SpecEntry,
    Tool,
)
from ndcgauge.results.model import InputFile as InputEntry
from ndcgauge.results.run_header import read_header, stated_hashes
from ndcgauge.spec import Measure, MetricSpec
from ndcgauge.spec.sentences import sentence

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """How evaluators are called and compared."""

    evaluators: tuple[EvaluatorRef, ...]
    named: frozenset[str]
    """The ids that the user named with -e: that one is missing or crashes is an error."""
    profiles: Mapping[str, str]
    """Program name to the preset that it is declared to compute (`--profile NAME=PRESET`)."""
    tolerance: float = DEFAULT_TOLERANCE
    limits: Limits = field(default_factory=Limits)
    jobs: int = field(default_factory=processors)
    probes: bool = True
    groups: str | None = None
    """A file of query ids with the names of their groups (`--groups`)."""
    perturb: Mapping[str, str] = field(default_factory=dict[str, str])
    """Grade to the grade that it becomes (`--perturb-grades`)."""
    fail_on: Literal["never", "differs", "unexplained"] = "never"
    """What the document says of `--fail-on`."""
    identities: bool = False
    """Whether the identities that need no second evaluator are checked too."""


def default_evaluators(complete: bool) -> list[str]:
    """The evaluators of a comparison in which none is named (DESIGN §10)."""
    return ["sklearn", "ranx", "pyserini-c" if complete else "pyserini"]


def options(
    evaluators: Sequence[str] | None,
    request: Request,
    *,
    profiles: Sequence[str] | None = None,
    tolerance: float = DEFAULT_TOLERANCE,
    timeout: float = 600.0,
    jobs: int | None = None,
    probes: bool = True,
    groups: str | None = None,
    perturb: Sequence[str] | None = None,
    fail_on: Literal["never", "differs", "unexplained"] = "never",
    identities: bool = False,
) -> Options:
    """Options from what users write; `jobs`: as many as there are processors, if it is None.

    Raises UsageError for an unknown or repeated evaluator.
    """
    texts = list(evaluators) if evaluators else default_evaluators(request.sets.get("queries") == "judged")
    if is_evaluator(request.baseline) and request.baseline not in texts:
        texts.insert(0, request.baseline)
    refs = [resolve(text) for text in dict.fromkeys(texts)]
    ids = [each.id for each in refs]
    if len(set(ids)) < len(ids):
        raise UsageError("two programs have the same name")
    return Options(
        tuple(refs),
        frozenset(resolve(text).id for text in evaluators or ()),
        declared_profiles(profiles or (), ids),
        tolerance,
        Limits(seconds=timeout),
        processors() if jobs is None else jobs,
        probes,
        groups,
        parse_changes(perturb or ()),
        fail_on,
        identities,
    )


def declared_profiles(texts: Sequence[str], ids: Sequence[str]) -> dict[str, str]:
    """Evaluator id to preset, from `--profile NAME=PRESET`. Raises UsageError for a name that is none of `ids`."""
    declared: dict[str, str] = {}
    for text in texts:
        name, equals, preset = text.partition("=")
        if not equals or name not in ids:
            raise UsageError(f"--profile {text!r} is not NAME=PRESET with the name of an evaluator of this call")
        declared[name] = preset
    return declared


def compare(
    qrels: str | Source,
    runs: Sequence[Run],
    request: Request,
    chosen: Options,
    *,
    command: Sequence[str] = (),
    created: datetime | None = None,
    qrels_format: str = "auto",
    run_format: str = "auto",
    max_bytes: int = MAX_BYTES,
    tell: Tell | None = None,
    workers: Workers | None = None,
) -> Report:
    """Everything that DESIGN §6 and §9 say, for every run, measure and evaluator.

    `workers`: warm ones of the caller's; without them this call has its own. Errors as
    `open_inputs` and `load_run`; whatever an evaluator does is an outcome in the report.
    """
    groups = None if chosen.groups is None else read_groups(chosen.groups)
    inputs = open_inputs(qrels, runs, request, qrels_format=qrels_format, run_format=run_format, max_bytes=max_bytes)
    collected = _Collected(request, chosen, inputs)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ndcgauge-"))
        if workers is None:
            workers = stack.enter_context(Workers(chosen.limits, chosen.jobs, tell))
        lists = any(map(_shows_order, chosen.evaluators))
        for number, (source, loaded) in enumerate(each_run(inputs, request, silent, for_evaluators=True, lists=lists)):
            probes = Path(folder) / str(number)
            collected.add(loaded, source, workers, probes)
            shutil.rmtree(probes, ignore_errors=True)
            workers.forget()
        collected.warnings.update(dict.fromkeys(unread_warnings(inputs)))
    return collected.report(command, created, groups)


class _Collected:
    """The parts of the document, run by run."""

    def __init__(self, request: Request, chosen: Options, inputs: Inputs) -> None:
        self.request, self.chosen, self.inputs = request, chosen, inputs
        self.entries: list[InputEntry] = []
        self.specs: dict[str, SpecEntry] = {}
        self.evaluators: list[EvaluatorEntry] = []
        self.discrepancies: list[DiscrepancyEntry] = []
        self.envelopes: list[EnvelopeEntry] = []
        self.references: list[ReferenceEntry] = []
        self.warnings: dict[str, None] = {}
        self.packages: dict[str, str] = {}
        self.sensitivity = Sensitivity(chosen.perturb) if chosen.perturb else None

    def add(self, loaded: Loaded, source: Source, workers: Workers, folder: Path) -> None:
        """Asks every evaluator about a run and compares what they say."""
        collection, request = loaded.collection, self.request
        run = safe(source.name)
        k = self._accounting_cutoff()
        accounting = account(collection, (k,))
        if not self.entries:
            self.entries.append(qrels_entry(loaded.qrels_file, accounting))
        self.entries.append(run_entry(loaded.run_file, accounting, k))
        self.warnings.update(dict.fromkeys(loaded.warnings))
        stated = read_header(loaded.run_file.comments)
        files = InputFiles(loaded.qrels_file.for_evaluators(), loaded.run_file.for_evaluators())
        job = Job(files.qrels, files.run, request.measures, judged_queries(collection))
        by_id = {each.id: each for each in self.chosen.evaluators}

        def again(name: str, other: InputFiles, measure: Measure) -> Answer:
            probe = Job(other.qrels, other.run, (measure,), job.asked)
            return workers.evaluate([by_id[name]], probe)[name, measure.name]

        comparer = RunComparer(
            collection=collection,
            files=files,
            folder=folder,
            again=again if self.chosen.probes else None,
            tolerance=self.chosen.tolerance,
            on_duplicate=request.on_duplicate,
        )
        specs = {measure: request.spec(measure, collection) for measure in request.measures}
        asked = [_asked(each, self.chosen) for each in self.chosen.evaluators]
        answers = workers.evaluate(self.chosen.evaluators, job)
        results: list[MeasureResult] = []
        for measure, spec in specs.items():
            self.specs.setdefault(measure.name, spec_entry(spec, sentence(spec)))
            of_measure = {each.id: answers[each.id, measure.name] for each in self.chosen.evaluators}
            baseline = request.baseline if is_evaluator(request.baseline) else None
            if stated is not None:
                self._note_header(stated, run, spec)
            results.append(comparer.compare(measure, spec, asked, of_measure, baseline))
        if self.sensitivity is not None:
            self.sensitivity.add(collection, run, [each.spec for each in results])
        self._gather(results, run)
        if self.chosen.identities:
            self._check_identities(comparer, workers, job, answers, run)

    def _check_identities(
        self,
        comparer: RunComparer,
        workers: Workers,
        job: Job,
        answers: Mapping[tuple[str, str], Answer],
        run: str,
    ) -> None:
        """Checks what needs no second evaluator; what is broken becomes a warning, what holds a note."""
        for each in self.chosen.evaluators:
            given = {measure: answers[each.id, measure.name] for measure in job.measures}
            answered = {measure: answer for measure, answer in given.items() if answer.answered}
            if not answered:
                continue
            checked = comparer.identities(
                answered, ask_again(workers, each, tuple(answered), job.asked) if self.chosen.probes else None
            )
            self.warnings.update(dict.fromkeys(broken_identities(checked, each.id, run)))
            notes = held_identities(checked)
            self.evaluators = [
                entry.model_copy(update={"notes": [*entry.notes, notes[entry.measure]]})
                if (entry.id, entry.run) == (each.id, run) and entry.measure in notes
                else entry
                for entry in self.evaluators
            ]

    def _accounting_cutoff(self) -> int:
        return next((each.cutoff for each in self.request.measures if each.cutoff is not None), 10)

    def _gather(self, results: Sequence[MeasureResult], run: str) -> None:
        baseline = self.request.baseline
        for result in results:
            for judged in result.judged:
                entry = evaluator_entry(judged, run, _title(judged.answer.evaluator))
                if judged.discrepancy is not None and not entry.verified and entry.behaves_as is None:
                    entry = entry.model_copy(
                        update={"notes": [*entry.notes, *undocumented(entry.id.partition("==")[0], result.measure)]}
                    )
                self.evaluators.append(entry)
            self.envelopes.append(envelope_entry(result, run))
            self.references.append(reference_entry(result, run, baseline))
        self.discrepancies += discrepancies(results, run, baseline)
        self.packages.update(versions_of(results))
        for each in self.chosen.evaluators:
            missing = unavailable(each)
            if missing is not None:
                text = f"{each.id} is not installed and was left out; to get it: {missing.how_to_install}"
                self.warnings[text] = None

    def report(self, command: Sequence[str], created: datetime | None, groups: Groups | None) -> Report:
        """The whole document; `groups` of queries have their own means in it."""
        self._note_copies()
        if groups is not None and (strange := unknown_queries(groups, self.references)):
            named = ", ".join(strange[:3]) + (" …" if len(strange) > 3 else "")
            self.warnings[f"{groups.name} names {len(strange)} queries that no mean counts: {named}"] = None
        own = {name: version(name) for name in ("numpy", "scipy")}
        return Report(
            tool=Tool(version=__version__),
            created=None if created is None else created.isoformat(timespec="seconds"),
            command=[safe(each) for each in command],
            inputs=self.entries,
            spec=list(self.specs.values()),
            evaluators=self.evaluators,
            discrepancies=self.discrepancies,
            attribution=Attribution(envelopes=self.envelopes, references=self.references),
            warnings=list(self.warnings),
            unread={safe(name): safe(said) for name, said in self.inputs.unread.items()},
            environment=Environment(
                python=platform.python_version(),
                packages=dict(sorted({**own, **self.packages}.items())),
                created_by=f"ndcgauge {__version__}",
            ),
            orders=order_entries(self.references, self.evaluators),
            groups=[] if groups is None else group_entries(groups, self.references, self.evaluators),
            perturbation=None if self.sensitivity is None else self.sensitivity.document(),
            fail_on=self.chosen.fail_on,
        )

    def _note_header(self, stated: Mapping[str, Any], run: str, spec: MetricSpec) -> None:
        """Whether the header of a run states another specification than the one that is computed here."""
        found = stated_hashes(stated).get(spec.name)
        if found is not None and found != spec.hash:
            text = f"the header of {run} states {found} for {spec.name}; the baseline here is {spec.hash}"
            self.warnings[text] = None

    def _note_copies(self) -> None:
        """Runs that hold the same bytes under several names: their order says nothing."""
        names: dict[str, list[str]] = {}
        for each in self.entries:
            if each.role == "run":
                names.setdefault(each.sha256, []).append(each.name)
        for copies in names.values():
            if len(copies) > 1:
                self.warnings[f"the same bytes under {len(copies)} names: {', '.join(copies)}"] = None


def _shows_order(evaluator: EvaluatorRef) -> bool:
    """Whether the catalogue expects an evaluator to show the order of its ties."""
    if not isinstance(evaluator, Catalogued):
        return False
    declared = catalogue()[evaluator.name].measures.values()
    return any(axis.value == "observed" for each in declared if (axis := each.axes.get("ties")) is not None)


def _title(evaluator: str) -> str:
    name = evaluator.partition("==")[0]
    return catalogue()[name].title if is_evaluator(name) else evaluator


def _asked(evaluator: EvaluatorRef, chosen: Options) -> Asked:
    """The evaluator with its declared profile: the catalogue's, a named preset's, or the baseline's own."""
    match evaluator:
        case Catalogued(name):
            entry = catalogue()[name]
            return Asked(evaluator.id, lambda measure, _spec: entry.profile(measure), entry.arithmetic)
        case Program(name):
            preset = chosen.profiles.get(name)

            def profile(measure: Measure, spec: MetricSpec) -> MetricSpec | None:
                return spec if preset is None else baseline_spec(preset, measure)

            return Asked(name, profile)
