"""What an audit is asked, from a command line or a claims file."""

from __future__ import annotations

from collections.abc import Sequence

from ndcgauge.audit.claim import Claim, parse_claim
from ndcgauge.audit.claims_file import read_claims
from ndcgauge.errors import UsageError
from ndcgauge.jobs.audit import Audited, Subject
from ndcgauge.jobs.request import request


def from_command_line(
    files: Sequence[str],
    claims: Sequence[str],
    *,
    also_qrels: Sequence[str] = (),
    queries: Sequence[str] = (),
    evaluators: Sequence[str] = (),
    sets: Sequence[str] = (),
    complete: bool = False,
    on_duplicate: str = "error",
    on_nul: str = "error",
) -> list[Audited]:
    """Claims about the first run; further runs are the other rows of its table.

    Raises UsageError for files or claims that are missing, and for unknown measures, axes and values.
    """
    if len(files) < 2:
        raise UsageError(
            "audit needs QRELS and RUN, or one claims file that ends in .toml",
            fix="ndcgauge audit QRELS RUN --claim 'ndcg@10=0.7137'",
        )
    if not claims:
        raise UsageError("no number is claimed", fix="--claim 'ndcg@10=0.7137'")
    if len(set(files[1:])) < len(files[1:]):
        raise UsageError("a run is given twice", fix="name each run once: reports tell runs apart by their names")
    listed: list[Claim] = []
    for text in claims:
        plain = parse_claim(text)
        stated = dict(request([plain.measure.name], sets=sets, complete=complete).sets)
        if on_duplicate != "error":
            stated = {"run_duplicates": on_duplicate, "qrels_duplicates": on_duplicate, **stated}
        if on_nul != "error":
            stated = {"nul": on_nul, **stated}
        listed += [parse_claim(text, stated, evaluator) for evaluator in (list(evaluators) or [None])]
    subject = Subject(files[0], files[1], tuple(files[2:]), tuple(also_qrels), tuple(queries), on_nul)
    return [Audited(subject, tuple(listed))]


def from_file(name: str, on_nul: str = "error") -> list[Audited]:
    """The claims of a claims file, those about the same files together. Errors as `read_claims`."""
    found: dict[Subject, list[Claim]] = {}
    for each in read_claims(name):
        nul = each.claim.stated.get("nul", on_nul)
        others = tuple(run for run in each.other_runs if run != each.run)
        subject = Subject(each.qrels, each.run, others, each.also_qrels, each.queries, nul)
        found.setdefault(subject, []).append(each.claim)
    return [Audited(subject, tuple(claims)) for subject, claims in found.items()]
