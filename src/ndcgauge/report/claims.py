"""Published numbers in every form: one table of all claims, and the details of each."""

from __future__ import annotations

from ndcgauge.report.numbers import number
from ndcgauge.report.printable import counted, listed
from ndcgauge.report.tables import Cell, Column, Status, Table
from ndcgauge.results.model import CandidateEntry, ClaimEntry, Report

_STATUS: dict[str, Status] = {
    "reproduced": "good",
    "reproduced under another specification": "known",
    "reproduced by a mistake": "known",
}
MOST_CANDIDATES = 12
"""Candidates that a table shows; the document has more."""


def share(value: float) -> str:
    """A share in percent."""
    if 0 < value < 0.001:
        return "under 0.1 %"
    return f"{value * 100:.1f} %" if value < 0.1 else f"{value * 100:.0f} %"


def changes(entry: CandidateEntry) -> str:
    """The axes of a candidate that act differently from the stated specification."""
    return ", ".join(f"{axis}={value}" for axis, value in entry.changes.items()) or "as stated"


def because(claim: ClaimEntry) -> str:
    """What gives the number, in a cell."""
    if claim.hypothesis is not None:
        return claim.hypothesis
    if claim.verdict == "contradicted":
        return ", ".join(f"{name}: {number(value, 4)}" for name, value in claim.printed_by.items())
    if claim.verdict == "reproduced":
        return "as stated"
    groups = {each.group: each for each in reversed(claim.candidates)}
    ways = [changes(each) for _, each in sorted(groups.items())]
    return " | ".join(ways[:3]) + (f" | and {len(ways) - 3} more" if len(ways) > 3 else "")


def claims_table(report: Report) -> Table:
    """Every claim with its verdict."""
    claims = report.claims or []
    sources = any(each.source or each.place for each in claims)
    columns = [Column("where", folds=True)] if sources else []
    columns += [
        Column("run", folds=True),
        Column("measure"),
        Column("claimed", numeric=True),
        Column("as stated", numeric=True),
        Column("verdict", folds=True),
        Column("because of", folds=True),
    ]
    rows: list[list[Cell]] = []
    for each in claims:
        where = ", ".join(part for part in (each.source, each.place) if part)
        cells = [Cell(where)] if sources else []
        cells += [
            Cell(each.run.rpartition("/")[2]),
            Cell(each.measure),
            Cell(each.value),
            Cell(number(each.stated_value)),
            Cell(each.verdict, _STATUS.get(each.verdict, "bad")),
            Cell(because(each)),
        ]
        rows.append(cells)
    return Table("Claims", columns, rows)


def candidate_table(claim: ClaimEntry) -> Table | None:
    """The specifications that give a number, where they are more than the stated one."""
    told = [each for each in claim.candidates if each.changes]
    if not told:
        return None
    columns = [
        Column("value", numeric=True),
        Column("differs from what is stated in", folds=True),
        Column("axes", numeric=True),
        Column("nearest to", folds=True),
        Column("rounding", folds=True),
    ]
    rows = [
        [
            Cell(number(each.value)),
            Cell(changes(each)),
            Cell(str(each.axes)),
            Cell(listed(each.nearest, 3)),
            Cell(each.rounding),
        ]
        for each in told[:MOST_CANDIDATES]
    ]
    more = "" if len(told) <= MOST_CANDIDATES else f" (the first {MOST_CANDIDATES} of {len(told)})"
    return Table(f"Specifications that give {claim.measure} = {claim.value}{more}", columns, rows)


def separator_table(claim: ClaimEntry) -> Table | None:
    """The queries that tell the candidates apart."""
    if not claim.separators:
        return None
    groups = {each.group: each for each in reversed(claim.candidates)}
    names = [changes(each) for _, each in sorted(groups.items())][: len(claim.separators[0].values)]
    columns = [Column("query", folds=True), *(Column(name, numeric=True, folds=True) for name in names)]
    rows = [[Cell(each.query), *(Cell(number(value)) for value in each.values)] for each in claim.separators]
    return Table("Queries that would tell them apart", columns, rows)


def claim_lines(claim: ClaimEntry) -> list[str]:
    """The details of a claim, one a line."""
    lines = [
        f"searched: {claim.searched:,} specifications, {counted(claim.classes, 'class', 'classes')} on this data; "
        f"{counted(claim.matching_classes, 'class gives', 'classes give')} {claim.value}",
        f"chance of an accidental match: {share(claim.chance)}",
    ]
    low, high = claim.envelope
    if low is not None and high is not None:
        lines.append(f"tie envelope of the stated specification: {number(low, 6)} to {number(high, 6)}")
    if claim.evaluators:
        lines.append(
            f"this is what {listed(claim.evaluators, 9)} {'computes' if len(claim.evaluators) == 1 else 'compute'}"
        )
    if claim.determined and claim.verdict != "not reproduced":
        lines.append(f"determined: {', '.join(f'{axis}={value}' for axis, value in claim.determined.items())}")
    if claim.free and claim.candidates:
        lines.append(f"free: {', '.join(claim.free)}")
    if claim.closest.value is not None and claim.verdict in ("not reproduced", "impossible", "reproduced by a mistake"):
        lines.append(f"closest: {number(claim.closest.value)}")
    lines += [f"also possible: {each}" for each in claim.mistakes]
    lines += [f"ask the authors: {each}" for each in claim.ask]
    lines += claim.notes
    if claim.sentence:
        lines.append(f"for a paper: {claim.sentence}")
    if claim.citations:
        lines.append(f"cite: {', '.join(claim.citations)} (`ndcgauge cite`)")
    return lines
