"""Texts from files and programs, made safe to print: nothing in a file may move the reader's cursor."""

from __future__ import annotations

from collections.abc import Sequence


def visible(text: str) -> str:
    """Text with everything that does not print (controls, direction marks, lone surrogates) as escapes."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text)


def one_line(text: str) -> str:
    """A message of an evaluator on one line: line ends and tabs become single spaces."""
    return visible(" ".join(text.split()))


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """A number with its noun: `1 query`, `1,024 queries`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def queries(number: int) -> str:
    """`1 query`, `43 queries`."""
    return counted(number, "query", "queries")


def listed(items: Sequence[str], most: int) -> str:
    """The first items, and how many more there are."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more
