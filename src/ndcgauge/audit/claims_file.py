"""Claims files: TOML, many claims over many files, every fault with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ndcgauge.audit.claim import Claim, read_measure
from ndcgauge.audit.printed import parse_printed
from ndcgauge.errors import InputError, UsageError
from ndcgauge.spec import axis

SCHEMA = "ndcgauge-claims/1"
_TEXTS = ("qrels", "run", "measure", "value", "source", "place", "evaluator")
_LISTS = ("other_runs", "also_qrels", "queries")
_KEYS = frozenset({*_TEXTS, *_LISTS, "stated", "complete"})
_DEFAULTS = _KEYS - {"value"}
_NEEDED = ("qrels", "run", "measure", "value")
_HEADER = re.compile(r"\s*\[\[\s*claim\s*\]\]\s*(#.*)?$")
_SECTION = re.compile(r"\s*\[")
_AT = re.compile(r"\(at line (\d+), column \d+\)|\(at end of document\)")


@dataclass(frozen=True)
class FiledClaim:
    """A claim of a file, with the files that it is about."""

    claim: Claim
    qrels: str
    run: str
    other_runs: tuple[str, ...]
    also_qrels: tuple[str, ...]
    queries: tuple[str, ...]


class _Lines:
    """Where in the text a claim, or a key of it, stands."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self._lines = text.split("\n")
        self._heads = [number for number, line in enumerate(self._lines, start=1) if _HEADER.match(line)]

    def error(
        self, message: str, *, claim: int | None = None, key: str | None = None, fix: str | None = None
    ) -> InputError:
        """The error at the key of a claim, at the claim, or (without one) at a key outside of all claims."""
        line = self._line(claim, key)
        text = None if line is None else self._lines[line - 1].strip()[:120]
        return InputError(message, file=self.name, line=line, text=text, fix=fix)

    def at(self, line: int, message: str) -> InputError:
        """The error at a line."""
        return InputError(message, file=self.name, line=line, text=self._lines[line - 1].strip()[:120])

    def _line(self, claim: int | None, key: str | None) -> int | None:
        if claim is not None and claim >= len(self._heads):
            return None
        start = 0 if claim is None else self._heads[claim]
        if key is not None:
            wanted = re.compile(rf"""\s*(stated\.)?["']?{re.escape(key)}["']?\s*[=.]""")
            inside = re.compile(rf"""[{{,]\s*["']?{re.escape(key)}["']?\s*=""")
            for number, line in enumerate(self._lines[start:], start=start + 1):
                if _HEADER.match(line) and number > start + (claim is None):
                    break
                if wanted.match(line) or inside.search(line.partition("#")[0]):
                    return number
        return start or None


def read_claims(name: str) -> list[FiledClaim]:
    """Reads a claims file; paths in it are relative to its folder.

    Raises InputError with the line of what is no TOML, no claim, an unknown key, measure or axis
    value, or a value that is no text.
    """
    text = _text(name)
    lines = _Lines(name, text)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _AT.search(str(error))
        last = text.count("\n") + 1
        line = int(found[1]) if found and found[1] else last
        raise lines.at(min(line, last), f"is no TOML: {_AT.sub('', str(error)).strip()}") from None
    schema = document.pop("schema", None)
    if schema != SCHEMA:
        told = "names no schema" if schema is None else f"has the schema {schema!r}"
        raise lines.error(f"{told}, not {SCHEMA!r}", key="schema", fix=f'begin the file with schema = "{SCHEMA}"')
    claims = document.pop("claim", None)
    if not isinstance(claims, list) or not claims:
        raise lines.error(
            "has no claim", fix="write each as a table [[claim]]; `ndcgauge audit --init` prints an example"
        )
    _check_keys(document, _DEFAULTS, lines, None)
    return [
        _claim({**document, **_table(each, lines, number)}, document, lines, number, Path(name).parent)
        for number, each in enumerate(cast("list[object]", claims))
    ]


def _text(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError("is no claims file: it is not UTF-8 text", file=name) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=name) from None


def _table(value: object, lines: _Lines, claim: int) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise lines.error("a claim is a table", fix="write each as [[claim]]")
    table = cast("dict[str, Any]", value)
    _check_keys(table, _KEYS, lines, claim)
    return table


def _check_keys(table: Mapping[str, object], known: frozenset[str], lines: _Lines, claim: int | None) -> None:
    for key in table:
        if key not in known:
            where = "a claim has" if claim is not None else "outside of the claims there is"
            raise lines.error(f"{where} no key {key!r}", claim=claim, key=key, fix=f"one of {', '.join(sorted(known))}")


def _claim(
    table: Mapping[str, Any], defaults: Mapping[str, Any], lines: _Lines, number: int, folder: Path
) -> FiledClaim:
    def where(key: str) -> int | None:
        """The claim where a key's value comes from it, None where it is the file's default."""
        return None if key in defaults and table[key] is defaults[key] else number

    for key in _NEEDED:
        if key not in table:
            raise lines.error(f"the claim has no {key}", claim=number, fix=f"a claim needs {', '.join(_NEEDED)}")
    for key in _TEXTS:
        if key in table and not isinstance(table[key], str):
            fix = 'write it as text, so that its decimals are known: value = "0.710"' if key == "value" else None
            raise lines.error(f"{key} is no text: {table[key]!r}", claim=where(key), key=key, fix=fix)
    lists = {key: _paths(table.get(key, []), key, lines, where(key) if key in table else None) for key in _LISTS}
    stated = _stated(table, lines, number, where)
    try:
        measure, trec_name = read_measure(table["measure"])
    except UsageError as error:
        raise lines.error(error.message, claim=where("measure"), key="measure", fix=error.fix) from None
    try:
        printed = parse_printed(table["value"])
    except UsageError as error:
        raise lines.error(error.message, claim=number, key="value", fix=error.fix) from None
    for name in stated:
        if measure.stem not in axis(name).measures and "stated" not in defaults:
            raise lines.error(f"the measure {measure.name} has no axis {name}", claim=number, key=name)
    claim = Claim(measure, printed, stated, table.get("source"), table.get("place"), table.get("evaluator"), trec_name)
    return FiledClaim(
        claim,
        str(folder / table["qrels"]),
        str(folder / table["run"]),
        *(tuple(str(folder / each) for each in lists[key]) for key in _LISTS),
    )


def _paths(value: object, key: str, lines: _Lines, claim: int | None) -> Sequence[str]:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in cast("list[object]", listed)):
        raise lines.error(f"{key} is no list of files: {value!r}", claim=claim, key=key)
    return cast("list[str]", listed)


def _stated(table: Mapping[str, Any], lines: _Lines, number: int, where: Any) -> dict[str, str]:
    stated: dict[str, str] = {}
    given = table.get("stated", {})
    if not isinstance(given, dict):
        raise lines.error(
            "stated is no table of axes", claim=where("stated"), key="stated", fix='stated = { gain = "exponential" }'
        )
    for name, value in cast("dict[str, object]", given).items():
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise lines.error(f"{name} is no text: {value!r}", claim=where("stated"), key=name)
        try:
            known = axis(name)
            if known.name == "cutoff":
                raise UsageError("the cutoff is part of the measure's name", fix='measure = "ndcg@20"')
            stated[known.name] = known.parse(str(value))
        except UsageError as error:
            raise lines.error(error.message, claim=where("stated"), key=name, fix=error.fix) from None
    complete = table.get("complete", False)
    if not isinstance(complete, bool):
        raise lines.error(f"complete is neither true nor false: {complete!r}", claim=where("complete"), key="complete")
    if complete:
        if stated.get("queries", "judged") != "judged":
            raise lines.error(
                f"complete says queries=judged, and stated says queries={stated['queries']}",
                claim=number,
                key="complete",
            )
        stated["queries"] = "judged"
    return stated
