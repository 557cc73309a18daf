"""JSON of the form {query: {document: number}}, as pytrec_eval, ranx and BEIR keep qrels and runs.

The numbers of the column `line` count the documents, from 1, in the order in which the file has
them; errors name the line of the text and the path in the JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial

from ndcgauge.data.cells import Where
from ndcgauge.data.columns import QrelsColumns, RunColumns
from ndcgauge.data.entries import QrelsEntries, RunEntries
from ndcgauge.data.forms import QrelsForm, RunForm
from ndcgauge.data.json_values import DECODER, Members, kind, number_in, text_id, unreadable
from ndcgauge.data.options import ReadingOptions
from ndcgauge.data.sources import Source
from ndcgauge.errors import InputError

_SHAPE = "write {query: {document: number}}"
_WHITE = re.compile(r"[ \t\n\r]*")
_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


def qrels_form() -> QrelsForm:
    """How such qrels are read."""
    return QrelsForm("json qrels ({query: {document: grade}})", whole=_read_qrels, unit="entry")


def run_form() -> RunForm:
    """How such a run is read."""
    return RunForm("json run ({query: {document: score}})", has_ranks=False, whole=_read_run, unit="entry")


def _read_qrels(source: Source, options: ReadingOptions) -> tuple[QrelsColumns, tuple[str, ...]]:
    entries = QrelsEntries()

    def add(query: bytes, doc: bytes, number: float) -> None:
        entries.add(query, doc, number, len(entries) + 1)

    warnings = _Reader(source, options, "grade", add).read()
    return entries.columns(), warnings


def _read_run(source: Source, options: ReadingOptions) -> tuple[RunColumns, tuple[str, ...]]:
    entries = RunEntries()

    def add(query: bytes, doc: bytes, number: float) -> None:
        entries.add(query, doc, None, number, len(entries) + 1)

    warnings = _Reader(source, options, "score", add).read()
    return entries.columns(), warnings


class _Reader:
    """Walks over the queries of the text; the object of each is read at once, and again slowly where it is bad."""

    def __init__(
        self, source: Source, options: ReadingOptions, what: str, add: Callable[[bytes, bytes, float], None]
    ) -> None:
        self._file = source.name
        self._refuse_repeats = options.on_duplicate == "error"
        self._what = what
        self._add = add
        self._seen: set[str] = set()
        self._empty: list[str] = []
        self._text = _text(source)
        options.progress(source.name, len(self._text))

    def read(self) -> tuple[str, ...]:
        """Adds everything; returns warnings. Raises InputError."""
        start = self._skip(0)
        if self._text[start : start + 1] != "{":
            if start == len(self._text):
                return ()
            raise self._refusal(start, "the file does not begin with an object", _SHAPE)
        end = self._skip(self._members(start, self._query))
        if end != len(self._text):
            raise self._refusal(
                end, "something follows the end of the object", "write one object; or one record a line, as JSON lines"
            )
        if not self._empty:
            return ()
        shown = ", ".join(map(repr, self._empty[:3])) + (" …" if len(self._empty) > 3 else "")
        return (
            f"{self._file}: {len(self._empty)} queries have no document ({shown}): they are missing ones, as they "
            "would be in a TREC file",
        )

    def _query(self, query: str, at: int, value_at: int) -> int:
        place = _path(query)
        if query in self._seen and self._refuse_repeats:
            raise self._refusal(
                at,
                f"the query {query!r} stands twice; most readers of JSON keep its last object only",
                "put its documents into one object, or choose with --on-duplicate first, last or all",
                place,
            )
        self._seen.add(query)
        name = text_id("query", query, self._where(at, place))
        documents, end = self._value(value_at)
        if not isinstance(documents, Members):
            fix = _SHAPE
            if not self._empty and len(self._seen) == 1 and not isinstance(documents, list):
                fix += "; or one record a line, as JSON lines"
            raise self._refusal(
                value_at, f"the query {query!r} has {kind(documents)} where its documents must be", fix, place
            )
        if not documents:
            self._empty.append(query)
        try:
            self._documents(query, name, documents)
        except InputError:
            # Read once more, member by member, to say where.
            self._members(value_at, partial(self._document, query, set[str]()))
            raise
        return end

    def _documents(self, query: str, name: bytes, documents: Members) -> None:
        where = Where(self._file, place=_path(query))
        if self._refuse_repeats and len({doc for doc, _ in documents}) < len(documents):
            raise where.refusal("a document stands twice", "")
        for doc, value in documents:
            self._add(name, text_id("document", doc, where), number_in(self._what, value, where))

    def _document(self, query: str, seen: set[str], doc: str, at: int, value_at: int) -> int:
        where = self._where(at, _path(query, doc))
        text_id("document", doc, where)
        if doc in seen and self._refuse_repeats:
            raise where.refusal(
                f"the document {doc!r} of query {query!r} stands twice; most readers of JSON keep the last one only",
                "keep one of them, or choose with --on-duplicate first, last or all",
            )
        seen.add(doc)
        value, end = self._value(value_at)
        number_in(self._what, value, self._where(value_at, where.place))
        return end

    def _members(self, start: int, member: Callable[[str, int, int], int]) -> int:
        """Calls `member(key, its position, its value's position)`, which returns the value's end, for each member
        of the object at a position; returns the object's end."""
        text = self._text
        at = self._skip(start + 1)
        if text[at : at + 1] == "}":
            return at + 1
        while True:
            if text[at : at + 1] != '"':
                raise self._refusal(at, "this is not JSON: a member must begin with a name in quotes", _SHAPE)
            key, end = self._value(at)
            assert isinstance(key, str)
            colon = self._skip(end)
            if text[colon : colon + 1] != ":":
                raise self._refusal(colon, "this is not JSON: a colon must follow a member's name", _SHAPE)
            end = self._skip(member(key, at, self._skip(colon + 1)))
            if text[end : end + 1] == "}":
                return end + 1
            if text[end : end + 1] != ",":
                raise self._refusal(
                    end,
                    "this is not JSON: a comma or the end of the object must follow",
                    "check that the file is complete",
                )
            at = self._skip(end + 1)

    def _value(self, at: int) -> tuple[object, int]:
        try:
            return DECODER.raw_decode(self._text, at)
        except json.JSONDecodeError as error:
            raise unreadable(error, self._file, self._line(error.pos), self._line_text(error.pos)) from None
        except RecursionError as error:
            raise unreadable(error, self._file, self._line(at), self._line_text(at)) from None

    def _skip(self, at: int) -> int:
        found = _WHITE.match(self._text, at)
        assert found is not None
        return found.end()

    def _line(self, at: int) -> int:
        return self._text.count("\n", 0, at) + 1

    def _line_text(self, at: int) -> bytes:
        begin = max(self._text.rfind("\n", 0, at) + 1, at - 40)
        end = self._text.find("\n", at)
        return self._text[begin : min(at + 60, len(self._text) if end < 0 else end)].encode("utf-8", "replace")

    def _where(self, at: int, place: str | None) -> Where:
        return Where(self._file, self._line(at), place, self._line_text(at))

    def _refusal(self, at: int, problem: str, fix: str, place: str | None = None) -> InputError:
        return self._where(at, place).refusal(problem, fix)


def _path(*names: str) -> str:
    return "$" + "".join(f"[{json.dumps(name)}]" for name in names)


def _text(source: Source) -> str:
    pieces: list[bytes] = []
    with source.open() as stream:
        while piece := stream.read(1 << 22):
            pieces.append(piece)
    data = b"".join(pieces)
    try:
        return data.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        begin = max(data.rfind(b"\n", 0, error.start) + 1, error.start - 40)
        where = Where(source.name, line, text=data[begin : error.start + 20])
        raise where.refusal(f"the file is not UTF-8 at byte {error.start:,}", "write the file as UTF-8") from None
