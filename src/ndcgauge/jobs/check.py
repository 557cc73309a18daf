"""`check`: the case suite against evaluators, as one document."""

from __future__ import annotations

import platform
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ndcgauge import __version__
from ndcgauge.errors import UsageError
from ndcgauge.evaluators.names import baseline_spec, catalogue, is_evaluator
from ndcgauge.evaluators.outcomes import Crashed, TimedOut, Unavailable, Unsupported
from ndcgauge.evaluators.processes import Limits, processors
from ndcgauge.evaluators.references import Catalogued, EvaluatorRef, resolve
from ndcgauge.evaluators.workers import Workers, unavailable
from ndcgauge.jobs.check_document import case_entries, evaluator_entry
from ndcgauge.jobs.document import safe
from ndcgauge.results.checks import CheckReport
from ndcgauge.results.model import Environment, Tool
from ndcgauge.spec import Measure, MetricSpec, axis, parse_measure
from ndcgauge.suite.asking import Asking
from ndcgauge.suite.batching import batches
from ndcgauge.suite.checking import Checked, checked
from ndcgauge.suite.expecting import TOLERANCE, needs_of
from ndcgauge.suite.fingerprint import Declared, Standing
from ndcgauge.suite.ledger import Ledger, ledger_of
from ndcgauge.suite.loading import load_cases, select
from ndcgauge.suite.model import Case
from ndcgauge.suite.trials import Given, Trial, trials_of
from ndcgauge.suite.witnesses import References

Tell = Callable[[str], None]
FLOAT32_TOLERANCE = 1e-6
_CHANGE = re.compile(r",(?=[a-z_-]+=)")
BEYOND = 1000
"""A cutoff beyond the list of every case, for evaluators that must have one."""


@dataclass(frozen=True)
class CheckOptions:
    """What is checked, and how evaluators are called."""

    evaluators: tuple[EvaluatorRef, ...]
    named: frozenset[str]
    """The ids that the user named with -e."""
    profiles: Mapping[str, str] = field(default_factory=dict[str, str])
    """Program name to what it is declared to compute: `PRESET`, or `PRESET,axis=value,…`."""
    pattern: str | None = None
    """A text in the folder or id of the cases."""
    measures: tuple[Measure, ...] = ()
    """The measures asked for; those without a cutoff are asked at each case's own. Empty: all."""
    limits: Limits = field(default_factory=Limits)
    jobs: int = field(default_factory=processors)
    only: frozenset[str] | None = None
    """The ids of the cases; None: all."""


def check_options(
    evaluators: Sequence[str] | None = None,
    *,
    profiles: Sequence[str] | None = None,
    pattern: str | None = None,
    measures: Sequence[str] | None = None,
    timeout: float = 600.0,
    jobs: int | None = None,
) -> CheckOptions:
    """Options from what users write; without evaluators the whole catalogue.

    `jobs`: as many as there are processors, if it is None.

    Raises UsageError for an unknown evaluator, measure, preset or profile.
    """
    texts = list(dict.fromkeys(evaluators or catalogue()))
    refs = tuple(resolve(text) for text in texts)
    ids = [each.id for each in refs]
    if len(set(ids)) < len(ids):
        raise UsageError("two programs have the same name")
    declared: dict[str, str] = {}
    for text in profiles or ():
        name, equals, preset = text.partition("=")
        if not equals or name not in ids or is_evaluator(name):
            raise UsageError(f"--profile {text!r} is not NAME=PRESET with the name of a program of this call")
        claimed(preset, Measure("ndcg", 10))
        declared[name] = preset
    return CheckOptions(
        refs,
        frozenset(resolve(text).id for text in evaluators or ()),
        declared,
        pattern,
        tuple(parse_measure(text) for text in measures or ()),
        Limits(seconds=timeout),
        processors() if jobs is None else jobs,
    )


def check(
    chosen: CheckOptions,
    *,
    command: Sequence[str] = (),
    created: datetime | None = None,
    tell: Tell | None = None,
    workers: Workers | None = None,
    folder: Path | None = None,
) -> CheckReport:
    """Runs the cases against every evaluator and measures their fingerprints.

    `workers`: warm ones of the caller's; `folder`: cases of one's own in place of the suite's. Never raises
    for what an evaluator does; UsageError where no case is selected.
    """
    every = load_cases(folder)
    trials = _trials(_pattern(every, chosen), chosen.measures)
    here = [each for each in chosen.evaluators if unavailable(each) is None]
    planned = batches(trials)
    with ExitStack() as stack:
        private = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ndcgauge-")))
        if workers is None:
            workers = stack.enter_context(Workers(chosen.limits, chosen.jobs, tell))
        asking = Asking(workers, private)
        references = References(needs_of(every), shared=planned)
        ids = {case.id for case in every}
        found: dict[str, Checked] = {}

        def ready(group: Sequence[EvaluatorRef]) -> None:
            _ask_at_a_cutoff(asking, group, trials)
            for each in group:
                found[each.id] = _checked(each, chosen, asking, references, ids)
                moved = _moving(each, found[each.id], asking)
                if moved:
                    asking.given[each.id] |= moved
                    found[each.id] = _checked(each, chosen, asking, references, ids)

        asking.ask(here, planned, ready)
        results = {each.id: found[each.id] for each in here}
    warnings = [
        f"{each.id} is not installed and was left out; to get it: {missing.how_to_install}"
        for each in chosen.evaluators
        if (missing := unavailable(each)) is not None
    ]
    warnings += [
        f"the known differences of {each.id} were measured on version {' and '.join(ledger.measured)}: "
        f"of {_version(each, asking)} nothing is known"
        for each in here
        if (ledger := results[each.id].ledger).measured and not ledger.entries
    ]
    entries = [
        evaluator_entry(
            each.id,
            _title(each),
            _version(each, asking),
            asking.versions(each.id),
            results.get(each.id),
            _trouble(each, asking),
        )
        for each in chosen.evaluators
    ]
    packages = {name: version(name) for name in ("numpy", "scipy")}
    for each in here:
        packages |= asking.versions(each.id)
    return CheckReport(
        tool=Tool(version=__version__),
        created=None if created is None else created.isoformat(timespec="seconds"),
        command=[safe(each) for each in command],
        evaluators=entries,
        cases=case_entries(list({trial.case.id: trial.case for trial in trials}.values()), results),
        warnings=warnings,
        environment=Environment(
            python=platform.python_version(),
            packages=dict(sorted(packages.items())),
            created_by=f"ndcgauge {__version__}",
        ),
    )


def selected_cases(chosen: CheckOptions, folder: Path | None = None) -> list[Case]:
    """The cases that a check with these options is about. Raises UsageError where there is none."""
    found = _trials(_pattern(load_cases(folder), chosen), chosen.measures)
    return list({trial.case.id: trial.case for trial in found}.values())


def _pattern(cases: Sequence[Case], chosen: CheckOptions) -> Sequence[Case]:
    named = cases if chosen.only is None else [case for case in cases if case.id in chosen.only]
    return named if chosen.pattern is None else select(named, chosen.pattern)


def _trials(cases: Sequence[Case], measures: Sequence[Measure]) -> list[Trial]:
    """The trials of the cases whose measure is asked for. Raises UsageError where there is none."""
    if not measures:
        return [trial for case in cases for trial in trials_of(case)]
    wanted = {each.stem: each.cutoff for each in measures}
    if len(wanted) < len(measures):
        raise UsageError("a measure is asked for at two cutoffs", fix="check one of them at a time")
    found = [
        trial for case in cases if case.measure.stem in wanted for trial in trials_of(case, wanted[case.measure.stem])
    ]
    if not found:
        raise UsageError("no case of the selection is about these measures")
    return found


def _ask_at_a_cutoff(asking: Asking, evaluators: Sequence[EvaluatorRef], trials: Sequence[Trial]) -> None:
    """Asks evaluators that have a measure at a cutoff only about cases without one: at a cutoff beyond every list."""
    replaced = {trial: Trial(trial.case, replace(trial.measure, cutoff=BEYOND)) for trial in trials}
    groups: dict[tuple[Trial, ...], list[EvaluatorRef]] = {}
    for each in evaluators:
        lacking = tuple(trial for trial in trials if _needs_a_cutoff(each, trial.measure))
        if lacking:
            groups.setdefault(lacking, []).append(each)
    for lacking, group in groups.items():
        asking.ask(group, batches([replaced[trial] for trial in lacking]))
        for each in group:
            for trial in lacking:
                del asking.given[each.id][trial]


def _needs_a_cutoff(evaluator: EvaluatorRef, measure: Measure) -> bool:
    if not isinstance(evaluator, Catalogued) or measure.cutoff is not None:
        return False
    declared = catalogue()[evaluator.id].measures.get(measure.stem)
    return declared is not None and declared.cutoff == "required"


def _checked(
    evaluator: EvaluatorRef, chosen: CheckOptions, asking: Asking, references: References, ids: set[str]
) -> Checked:
    given = asking.given.get(evaluator.id, {})
    declared = {
        stem: claim
        for stem in dict.fromkeys(trial.measure.stem for trial in given)
        if (claim := declared_of(evaluator, stem, given, chosen.profiles.get(evaluator.id))) is not None
    }
    ledger, tolerance = Ledger({}), TOLERANCE
    if isinstance(evaluator, Catalogued):
        ledger = ledger_of(evaluator.id, _version(evaluator, asking), ids)
        tolerance = FLOAT32_TOLERANCE if catalogue()[evaluator.id].arithmetic == "float32" else TOLERANCE
    return checked(declared, given, asking.whole.get(evaluator.id, []), references, ledger, tolerance)


def claimed(text: str, measure: Measure) -> MetricSpec:
    """The specification that `PRESET,axis=value,…` says; axes that the measure lacks fall away.

    Raises UsageError for an unknown preset, axis or value.
    """
    preset, *changes = _CHANGE.split(text)
    spec = baseline_spec(preset, measure)
    values = dict(each.split("=", 1) for each in changes)
    return spec.replace(
        **{axis(name).name: value for name, value in values.items() if measure.stem in axis(name).measures}
    )


def declared_of(
    evaluator: EvaluatorRef, stem: str, given: Mapping[Trial, Given], preset: str | None = None
) -> Declared | None:
    """What an evaluator is declared to compute; None where it does not have the measure.

    A program is declared to compute the `trec_eval` preset, or the one named, with the decimals that it prints.
    """
    own = [trial for trial in given if trial.measure.stem == stem]
    if isinstance(evaluator, Catalogued):
        entry = catalogue()[evaluator.id]
        profile = next((found for trial in own if (found := entry.profile(trial.measure)) is not None), None)
        if profile is None:
            return None
        axes = entry.measures[stem].axes
        values = {axis: each.value for axis, each in axes.items()}
        return Declared(profile, values, frozenset(axis for axis, each in axes.items() if each.refuses is not None))
    profile = claimed(preset or "trec_eval", Measure(stem, own[0].measure.cutoff))
    decimals = [
        each.decimals
        for trial, each in given.items()
        if trial.measure.stem == stem and each.called and each.failure is None
    ]
    printed = [each for each in decimals if each is not None]
    if printed and len(printed) == len(decimals):
        profile = profile.replace(rounding=str(max(printed)))
    return Declared(profile, dict(profile.axes))


def _moving(evaluator: EvaluatorRef, result: Checked, asking: Asking) -> dict[Trial, Given]:
    """What was asked again, and moved: where the order of ties is not the declared one, it may be no order at all."""
    suspicious = {
        case
        for found in result.fingerprints.values()
        if found.findings["ties"].standing is Standing.DIFFERENT
        for case in found.findings["ties"].cases
    }
    if not suspicious:
        return {}
    known = asking.given[evaluator.id]
    trials = [trial for trial in known if trial.case.id in suspicious]
    again = asking.again(evaluator, batches(trials))
    return {trial: known[trial].moving() for trial, each in again.items() if not known[trial].same_values(each)}


def _title(evaluator: EvaluatorRef) -> str:
    return catalogue()[evaluator.id].title if isinstance(evaluator, Catalogued) else " ".join(evaluator.command)


def _version(evaluator: EvaluatorRef, asking: Asking) -> str | None:
    """The version of what ran, as it says itself; of a catalogued evaluator that did not run, the installed one."""
    versions = asking.versions(evaluator.id)
    if not isinstance(evaluator, Catalogued):
        return next(iter(versions.values()), None)
    package = catalogue()[evaluator.id].package
    if package in versions:
        return versions[package]
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _trouble(evaluator: EvaluatorRef, asking: Asking) -> Unavailable | Crashed | TimedOut | None:
    """Why an evaluator gave nothing at all; None where it gave something."""
    missing = unavailable(evaluator)
    if missing is not None:
        return missing
    outcomes = [each.outcome for each in asking.given.get(evaluator.id, {}).values()]
    if any(not isinstance(each, (Unavailable, Crashed, TimedOut, Unsupported)) for each in outcomes):
        return None
    return next((each for each in outcomes if isinstance(each, (Unavailable, Crashed, TimedOut))), None)
