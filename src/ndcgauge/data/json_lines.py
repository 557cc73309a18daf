"""JSON lines: an object a line, for example {"query-id": "1", "corpus-id": "d7", "score": 1}.

The first object says which members are read (see `fields`); every other must have them too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from ndcgauge.data.cells import Where, rank_of
from ndcgauge.data.columns import QrelsColumns, RunColumns
from ndcgauge.data.entries import QrelsEntries, RunEntries
from ndcgauge.data.fields import QrelsFields, RunFields, qrels_fields, run_fields, wanted_fields
from ndcgauge.data.forms import QrelsForm, RunForm
from ndcgauge.data.json_values import DECODER, Members, id_in, kind, number_in, unreadable


def qrels_form(first: Members, where: Where) -> QrelsForm:
    """How qrels that begin with this object are read. Raises InputError where a member is missing."""
    names = [name for name, _ in first]
    fields = qrels_fields(names)
    if fields is None:
        raise where.refusal("the first object lacks a member", wanted_fields("qrels"))
    return QrelsForm(f"jsonl qrels ({fields})", by_line=_qrels_reader(fields))


def run_form(first: Members, where: Where) -> RunForm:
    """How a run that begins with this object is read. Raises InputError where a member is missing."""
    names = [name for name, _ in first]
    fields = run_fields(names)
    if fields is None:
        raise where.refusal("the first object lacks a member", wanted_fields("run"))
    return RunForm(
        f"jsonl run ({fields})",
        has_scores=fields.score is not None,
        has_ranks=fields.rank is not None,
        by_line=_run_reader(fields),
    )


def record(line: bytes, where: Where) -> Members:
    """The object of a line. Raises InputError where it is none."""
    try:
        value = DECODER.decode(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise where.refusal(f"the line is not UTF-8 at byte {error.start + 1}", "write the file as UTF-8") from None
    except (json.JSONDecodeError, RecursionError) as error:
        assert where.line is not None
        raise unreadable(error, where.file, where.line, where.text) from None
    if not isinstance(value, Members):
        raise where.refusal(f"the line is {kind(value)}, not an object", 'write an object a line: {"query-id": …}')
    return value


def _qrels_reader(fields: QrelsFields) -> Callable[[bytes, int, str], QrelsColumns]:
    def read(data: bytes, first_line: int, file: str) -> QrelsColumns:
        entries = QrelsEntries()
        for where, members, number in _records(data, first_line, file):
            entries.add(
                id_in("query", _member(members, fields.query, where), where),
                id_in("document", _member(members, fields.doc, where), where),
                number_in("grade", _member(members, fields.grade, where), where),
                number,
            )
        return entries.columns()

    return read


def _run_reader(fields: RunFields) -> Callable[[bytes, int, str], RunColumns]:
    def read(data: bytes, first_line: int, file: str) -> RunColumns:
        entries = RunEntries()
        for where, members, number in _records(data, first_line, file):
            rank = score = None
            if fields.rank is not None:
                value = _member(members, fields.rank, where)
                rank = number_in("rank", value, where)
                if fields.score is None:
                    rank = rank_of(str(value).encode(), where)
            if fields.score is not None:
                score = number_in("score", _member(members, fields.score, where), where)
            entries.add(
                id_in("query", _member(members, fields.query, where), where),
                id_in("document", _member(members, fields.doc, where), where),
                rank,
                score,
                number,
            )
        return entries.columns()

    return read


def _member(members: dict[str, object], name: str, where: Where) -> object:
    if name not in members:
        raise where.refusal(f"the object has no member {name!r}, which the first one has", "write all members")
    return members[name]


def _records(data: bytes, first_line: int, file: str) -> Iterator[tuple[Where, dict[str, object], int]]:
    for number, line in enumerate(data.split(b"\n"), first_line):
        if not line.strip():
            continue
        where = Where(file, number, text=line)
        found = record(line, where)
        members = dict(found)
        if len(members) < len(found):
            names = [name for name, _ in found]
            twice = next(name for name in names if names.count(name) > 1)
            raise where.refusal(
                f"the member {twice!r} stands twice in the object; most readers keep the last one only",
                "write each member once",
            )
        yield where, members, number
