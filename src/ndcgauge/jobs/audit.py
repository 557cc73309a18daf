"""`audit`: published numbers on the files that they are said to come from, as one document."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from ndcgauge import __version__
from ndcgauge.audit.claim import Claim
from ndcgauge.audit.finding import Finding
from ndcgauge.audit.inquiry import Inquirer
from ndcgauge.audit.material import Material
from ndcgauge.data.accounting import account
from ndcgauge.data.collection import DEFAULT_NEEDS, Collection, Needs
from ndcgauge.data.common_queries import require_common_queries
from ndcgauge.data.options import Progress, silent
from ndcgauge.data.reading import Loaded, Qrels, read_qrels, read_run
from ndcgauge.data.sources import Source, open_source
from ndcgauge.errors import InputError, UsageError
from ndcgauge.evaluators.processes import Limits
from ndcgauge.evaluators.workers import Workers
from ndcgauge.jobs.audit_document import claim_entry, stated_entry
from ndcgauge.jobs.audit_evaluators import ask_evaluators, judged_by
from ndcgauge.jobs.document import safe
from ndcgauge.jobs.inputs_document import qrels_entry, run_entry
from ndcgauge.results.model import Attribution, ClaimEntry, Environment, Report, SpecEntry, Tool
from ndcgauge.results.model import InputFile as InputEntry

LENIENT = "first"
"""How files with repeated documents are read: all readings of them are kept, and the lattice looks at each."""


@dataclass(frozen=True)
class Subject:
    """The files that some claims are about."""

    qrels: str
    run: str
    """The run that the claims are about."""
    others: tuple[str, ...] = ()
    """Runs of other rows of the same table."""
    also_qrels: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    """Files with a query id a line."""
    on_nul: str = "error"


@dataclass(frozen=True)
class Audited:
    """Claims about one subject."""

    subject: Subject
    claims: tuple[Claim, ...]


def needs_of(claims: Iterable[Claim]) -> Needs:
    """What the reader must keep for the stated specifications and for the lattice."""
    minimum, insert = set(DEFAULT_NEEDS.min_scores), set[float]()
    for claim in claims:
        spec = claim.spec
        if spec["min_score"] != "none":
            minimum.add(float(spec["min_score"]))
        if spec["unretrieved"].startswith("score:"):
            insert.add(float(spec["unretrieved"].removeprefix("score:")))
    return Needs(frozenset(minimum), frozenset(insert))


@dataclass
class _Reader:
    """Reads each file once for all claims."""

    needs: Needs
    progress: Progress
    _sources: dict[str, Source] = field(default_factory=dict[str, Source])
    _qrels: dict[tuple[str, str], Qrels] = field(default_factory=dict[tuple[str, str], Qrels])
    _loaded: dict[tuple[str, str, str], Loaded] = field(default_factory=dict[tuple[str, str, str], Loaded])

    def source(self, name: str) -> Source:
        """A file, opened once."""
        if name not in self._sources:
            self._sources[name] = open_source(name)
        return self._sources[name]

    def load(self, qrels: str, run: str, on_nul: str) -> Loaded:
        """A run against qrels."""
        key = (qrels, run, on_nul)
        if key not in self._loaded:
            if (qrels, on_nul) not in self._qrels:
                self._qrels[qrels, on_nul] = read_qrels(
                    self.source(qrels), on_duplicate=LENIENT, on_nul=on_nul, progress=self.progress
                )
            loaded = read_run(
                self._qrels[qrels, on_nul],
                self.source(run),
                needs=self.needs,
                on_duplicate=LENIENT,
                on_nul=on_nul,
                progress=self.progress,
            )
            require_common_queries(loaded.collection)
            self._loaded[key] = loaded
        return self._loaded[key]


def read_query_list(name: str) -> frozenset[str]:
    """The ids of a file with one query id a line; blank lines and lines that begin with `#` are passed over.

    Raises InputError where it cannot be read or has none.
    """
    try:
        content = Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=name) from None
    lines = (line.strip() for line in content.decode("utf-8", "surrogateescape").split("\n"))
    found = frozenset(line.split()[0] for line in lines if line and not line.startswith("#"))
    if not found:
        raise InputError("names no query", file=name, fix="one query id a line")
    return found


def audit(
    asked: Sequence[Audited],
    *,
    command: Sequence[str] = (),
    created: datetime | None = None,
    progress: Progress = silent,
    timeout: float = 600.0,
    tell: Callable[[str], None] | None = None,
    workers: Workers | None = None,
) -> Report:
    """Every claim about every subject. `workers`: warm ones of the caller's; without them this call has its own.

    Raises InputError for files that cannot be read; UsageError where nothing is claimed.
    """
    if not any(each.claims for each in asked):
        raise UsageError("no number is claimed", fix="--claim 'ndcg@10=0.7137', or a claims file")
    reader = _Reader(needs_of(claim for each in asked for claim in each.claims), progress)
    collected = _Collected()
    with ExitStack() as stack:
        if workers is None:
            workers = stack.enter_context(Workers(Limits(seconds=timeout), progress=tell))
        for each in asked:
            collected.add(each, reader, workers)
    return collected.report(command, created)


class _Collected:
    """The parts of the document, subject by subject."""

    def __init__(self) -> None:
        self.inputs: dict[tuple[str, str], InputEntry] = {}
        self.specs: dict[str, SpecEntry] = {}
        self.claims: list[ClaimEntry] = []
        self.warnings: dict[str, None] = {}

    def add(self, asked: Audited, reader: _Reader, workers: Workers) -> None:
        """Audits the claims about one subject."""
        subject = asked.subject
        loaded = reader.load(subject.qrels, subject.run, subject.on_nul)
        self._told(loaded, asked.claims)
        others: dict[str, Collection] = {}
        for name in subject.others:
            other = reader.load(subject.qrels, name, subject.on_nul)
            self._told(other, asked.claims)
            others[name] = other.collection
        material = Material(
            run=subject.run,
            collection=loaded.collection,
            others=others,
            other_qrels={
                name: reader.load(name, subject.run, subject.on_nul).collection for name in subject.also_qrels
            },
            subsets={name: read_query_list(name) for name in subject.queries},
        )
        inquirer = Inquirer(material)
        said = ask_evaluators(
            asked.claims, loaded.collection, reader.source(subject.qrels), reader.source(subject.run), workers
        )
        for claim in asked.claims:
            finding: Finding = inquirer.inquire(claim)
            if claim.evaluator is not None and claim.trec_name is None:
                finding = judged_by(finding, said[claim.evaluator, claim.measure.name])
            entry = stated_entry(finding)
            self.specs.setdefault(entry.measure + entry.hash, entry)
            self.claims.append(claim_entry(finding, subject.qrels))

    def _told(self, loaded: Loaded, claims: Sequence[Claim]) -> None:
        k = next((claim.measure.cutoff for claim in claims if claim.measure.cutoff is not None), 10)
        accounting = account(loaded.collection, (k,))
        self.inputs.setdefault(("qrels", loaded.qrels_file.name), qrels_entry(loaded.qrels_file, accounting))
        self.inputs.setdefault(("run", loaded.run_file.name), run_entry(loaded.run_file, accounting, k))
        self.warnings.update(dict.fromkeys(loaded.warnings))
        for role, known in (("run", loaded.collection.rows), ("qrels", loaded.collection.judged.grades)):
            if "error" not in known:
                name = loaded.run_file.name if role == "run" else loaded.qrels_file.name
                self.warnings[
                    f"{name} repeats a document of a query: trec_eval refuses it, and other evaluators count one of its lines"
                ] = None

    def report(self, command: Sequence[str], created: datetime | None) -> Report:
        """The whole document."""
        return Report(
            tool=Tool(version=__version__),
            created=None if created is None else created.isoformat(timespec="seconds"),
            command=[safe(each) for each in command],
            inputs=list(self.inputs.values()),
            spec=list(self.specs.values()),
            evaluators=[],
            discrepancies=[],
            attribution=Attribution(envelopes=[], references=[]),
            warnings=[safe(each) for each in self.warnings],
            environment=Environment(
                python=platform.python_version(),
                packages={name: version(name) for name in ("numpy", "scipy")},
                created_by=f"ndcgauge {__version__}",
            ),
            claims=self.claims,
        )
