"""The table of `explain` as text."""

from __future__ import annotations

import io

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ndcgauge.jobs.explain import Explanation
from ndcgauge.jobs.json_values import safe
from ndcgauge.reference.listing import IdealDoc, ListedDoc


def _number(value: float) -> str:
    return f"{value:.6f}"


def _grade(value: float | None) -> str:
    return "unjudged" if value is None else f"{value:g}"


def _ranking(docs: tuple[ListedDoc, ...], most: int) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("rank", "document", "score", "grade", "gain", "discount", "product"):
        table.add_column(name, justify="left" if name == "document" else "right", overflow="fold")
    for each in docs[:most]:
        table.add_row(
            each.rank,
            Text(safe(each.doc)),
            "missing" if each.score is None else f"{each.score:g}",
            _grade(each.grade),
            f"{each.gain:g}",
            _number(each.discount),
            _number(each.product),
        )
    return table


def _ideal(docs: tuple[IdealDoc, ...], most: int) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("rank", "grade", "gain", "discount", "product"):
        table.add_column(name, justify="right")
    for each in docs[:most]:
        table.add_row(
            str(each.rank), _grade(each.grade), f"{each.gain:g}", _number(each.discount), _number(each.product)
        )
    return table


def render_explanation(explanation: Explanation, *, rows: int, width: int, color: bool) -> str:
    """The run's ranking, the ideal one, and the quotient, as plain text or with colours."""
    spec, listing = explanation.spec, explanation.listing
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=color, no_color=not color, highlight=False, markup=False)
    console.print(Text(f"query {safe(explanation.query)} of {safe(explanation.run)}: {spec.short()}  {spec.hash}"))
    console.print()
    most = rows if spec.cutoff is None else max(spec.cutoff, min(rows, spec.cutoff))
    console.print(_ranking(listing.ranking, most))
    hidden = len(listing.ranking) - most
    if hidden > 0:
        rest = sum(each.product for each in listing.ranking[most:])
        console.print(Text(f"… {hidden} more documents, adding {_number(rest)}"))
    if spec.measure == "dcg":
        console.print(Text(f"\nDCG = {listing.dcg!r}"))
        return out.getvalue()
    console.print(Text(f"DCG = {listing.dcg!r}\n"))
    console.print(Text("the ideal:"))
    counting = tuple(each for each in listing.ideal if each.product != 0 or each.rank <= most)
    console.print(_ideal(counting, most))
    more = sum(each.product for each in counting[most:])
    if len(counting) > most:
        console.print(Text(f"… {len(counting) - most} more ranks, adding {_number(more)}"))
    console.print(Text(f"ideal DCG = {listing.ideal_dcg!r}\n"))
    if listing.ideal_dcg > 0:
        console.print(Text(f"{spec.name} = {listing.dcg!r} / {listing.ideal_dcg!r} = {explanation.value!r}"))
    else:
        console.print(
            Text(f"{spec.name}: the ideal is not positive; zero_ideal={spec['zero_ideal']} gives {explanation.value!r}")
        )
    return out.getvalue()
