"""Tables of text with a header: BEIR's and MTEB's `query-id`, `corpus-id`, `score`, and others alike.

Columns are separated by tabs, or by white space where the header has no tab; they are found by
their names. Ids are kept as they are. A field that begins with a double quote is refused: BEIR's
own reader takes the quotes off, and most others leave them in the id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ndcgauge.data.cells import Where, id_of, number_of, rank_of
from ndcgauge.data.columns import QrelsColumns, RunColumns
from ndcgauge.data.entries import QrelsEntries, RunEntries
from ndcgauge.data.fields import QrelsFields, RunFields, qrels_fields, run_fields, wanted_fields
from ndcgauge.data.forms import QrelsForm, RunForm
from ndcgauge.errors import InputError


@dataclass(frozen=True)
class Header:
    """The line that names the columns."""

    names: Sequence[str]
    tabs: bool
    line: int
    """Its number in the file."""

    def split(self, line: bytes) -> list[bytes]:
        """The fields of a line."""
        line = line.removesuffix(b"\r")
        return line.split(b"\t") if self.tabs else line.split()


def header_of(line: bytes, number: int) -> Header:
    """A line as a header, whatever it says."""
    text = line.removesuffix(b"\r").decode("utf-8", "surrogateescape")
    tabs = "\t" in text
    return Header(text.split("\t") if tabs else text.split(), tabs, number)


def qrels_form(header: Header, file: str) -> QrelsForm:
    """How qrels with this header are read. Raises InputError where a column is missing."""
    fields = qrels_fields(header.names)
    if fields is None:
        raise _no_header(header, file, "qrels")
    return QrelsForm(f"beir qrels ({fields})", by_line=_qrels_reader(header, fields))


def run_form(header: Header, file: str) -> RunForm:
    """How a run with this header is read. Raises InputError where a column is missing."""
    fields = run_fields(header.names)
    if fields is None:
        raise _no_header(header, file, "run")
    return RunForm(
        f"beir run ({fields})",
        has_scores=fields.score is not None,
        has_ranks=fields.rank is not None,
        by_line=_run_reader(header, fields),
    )


def _no_header(header: Header, file: str, role: str) -> InputError:
    text = "\t".join(header.names).encode("utf-8", "surrogateescape")
    return Where(file, header.line, text=text).refusal(
        "the first line is no header of such a table", wanted_fields(role)
    )


def _qrels_reader(header: Header, fields: QrelsFields) -> Callable[[bytes, int, str], QrelsColumns]:
    query, doc, grade = (header.names.index(each) for each in (fields.query, fields.doc, fields.grade))

    def read(data: bytes, first_line: int, file: str) -> QrelsColumns:
        entries = QrelsEntries()
        for where, cells, number in _rows(header, data, first_line, file):
            entries.add(
                id_of("query", cells[query], where),
                id_of("document", cells[doc], where),
                number_of("grade", cells[grade], where),
                number,
            )
        return entries.columns()

    return read


def _run_reader(header: Header, fields: RunFields) -> Callable[[bytes, int, str], RunColumns]:
    query, doc = header.names.index(fields.query), header.names.index(fields.doc)
    score = None if fields.score is None else header.names.index(fields.score)
    rank = None if fields.rank is None else header.names.index(fields.rank)

    def read(data: bytes, first_line: int, file: str) -> RunColumns:
        entries = RunEntries()
        for where, cells, number in _rows(header, data, first_line, file):
            read_rank = rank_of if score is None else _any_rank
            entries.add(
                id_of("query", cells[query], where),
                id_of("document", cells[doc], where),
                None if rank is None else read_rank(cells[rank], where),
                None if score is None else number_of("score", cells[score], where),
                number,
            )
        return entries.columns()

    return read


def _any_rank(field: bytes, where: Where) -> float:
    return number_of("rank", field, where)


def _rows(header: Header, data: bytes, first_line: int, file: str) -> Iterator[tuple[Where, list[bytes], int]]:
    for number, line in enumerate(data.split(b"\n"), first_line):
        if number <= header.line or not line.strip():
            continue
        where = Where(file, number, text=line)
        cells = header.split(line)
        if len(cells) != len(header.names):
            raise where.refusal(
                f"{len(cells)} column{'s' * (len(cells) != 1)} where the header has {len(header.names)}",
                "separate the columns by tabs" if header.tabs else "write every column, and no white space in an id",
            )
        if any(cell.startswith(b'"') for cell in cells):
            raise where.refusal(
                "a field begins with a double quote, which some readers take off and others leave in the id",
                "write the fields without quotes",
            )
        yield where, cells, number
