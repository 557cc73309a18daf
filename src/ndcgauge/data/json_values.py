"""JSON with numbers as they are written, and objects as their members, repeated ones included.

Python's own reader would make 1e400 infinite, take NaN, round long ids and keep the last of
repeated members without a word.
"""

from __future__ import annotations

import json
from typing import Any

from ndcgauge.data.cells import Where, id_of, number_of
from ndcgauge.data.ids import encode
from ndcgauge.errors import InputError


class Whole(str):
    """A number without fraction and exponent, as written."""

    __slots__ = ()


class Fraction(str):
    """Any other number, as written."""

    __slots__ = ()


class Constant(str):
    """NaN, Infinity or -Infinity, which are no JSON."""

    __slots__ = ()


class Members(list[tuple[str, Any]]):
    """The members of an object, in order."""

    __slots__ = ()


DECODER = json.JSONDecoder(
    object_pairs_hook=Members, parse_int=Whole, parse_float=Fraction, parse_constant=Constant, strict=True
)


def number_in(what: str, value: object, where: Where) -> float:
    """A value as a finite number. Raises InputError for anything that is not written as one."""
    if isinstance(value, (Whole, Fraction)):
        return number_of(what, value.encode(), where)
    if isinstance(value, Constant):
        raise where.refusal(f"the {what} {value} is not finite", f"write the {what} as a finite decimal number")
    if isinstance(value, str):
        raise where.refusal(f"the {what} is the text {value!r}, not a number", f"write the {what} without quotes")
    raise where.refusal(f"the {what} is {kind(value)}, not a number", f"write the {what} as a finite decimal number")


def id_in(what: str, value: object, where: Where) -> bytes:
    """A value as an id: text, or a whole number as it is written.

    Raises InputError for anything else; 1.0 and 1e5 could be any of several texts.
    """
    if isinstance(value, (Fraction, Constant)):
        raise where.refusal(f"the {what} id is the number {value}", f'write ids as text: "{value}"')
    if not isinstance(value, str):
        raise where.refusal(f"the {what} id is {kind(value)}", "write ids as text, in quotes")
    return text_id(what, value, where)


def text_id(what: str, text: str, where: Where) -> bytes:
    """The bytes of an id. Raises InputError for an empty one, and for text that no UTF-8 file can hold."""
    if any("\ud800" <= each <= "\udfff" for each in text):
        raise where.refusal(f"the {what} id {text!r} has half of a surrogate pair", "write the whole character")
    if "\0" in text:
        raise where.refusal(f"the {what} id {text!r} has a NUL in it", "take the NUL out: no TREC file can hold it")
    return id_of(what, encode(text), where)


def kind(value: object) -> str:
    """What a value is, for a reader of JSON."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case Whole() | Fraction() | Constant():
            return f"the number {value}"
        case str():
            return "a text"
        case Members():
            return "an object"
        case _:
            return "a list"


def unreadable(error: Exception, file: str, line: int, text: bytes | None) -> InputError:
    """The error for text that is no JSON."""
    where = Where(file, line, text=text)
    if isinstance(error, RecursionError):
        return where.refusal("objects or lists stand inside each other too deeply", "this is no qrels and no run")
    reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
    return where.refusal(
        f"this is not JSON: {reason[:1].lower()}{reason[1:]}",
        "check that the file was written completely, by a JSON writer",
    )
