"""What is said where input cannot be read: the problem, the line, and a way out."""

from __future__ import annotations

from collections.abc import Sequence

from ndcgauge.errors import InputError

SHOWN = 100
"""Characters of a line that are shown."""

QRELS_COLUMNS = "query, iteration, document, grade"
RUN_COLUMNS = "query, Q0, document, rank, score, tag"

_TEXT_CONTROLS = frozenset(b"\t\n\v\f\r\x1b")


def shown(line: bytes) -> str:
    """A line as it can be printed: shortened, and with everything escaped that is not text."""
    text = line[: 4 * SHOWN].decode("utf-8", "backslashreplace")
    text = "".join(each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text)
    return text if len(text) <= SHOWN and len(line) <= 4 * SHOWN else text[:SHOWN] + "…"


def unreadable_qrels(file: str, number: int, line: bytes) -> InputError:
    """The error for a line of qrels that `plain` refuses."""
    fields = line.split()
    if len(fields) != 4:
        problem, fix = _columns(fields, f"4 ({QRELS_COLUMNS})"), _qrels_fix(line, fields)
    else:
        problem, fix = _number("grade", fields[3]), "write the grade as a number, such as 0, 1 or 2"
    return InputError(problem, file=file, line=number, text=shown(line), fix=fix)


def unreadable_run(file: str, number: int, line: bytes) -> InputError:
    """The error for a line of a run that `plain` refuses."""
    fields = line.split()
    if len(fields) < 6:
        problem, fix = _columns(fields, f"6 ({RUN_COLUMNS})"), _run_fix(line, fields)
    else:
        what, field = ("rank", fields[3]) if not is_number(fields[3]) else ("score", fields[4])
        problem, fix = _number(what, field), f"write the {what} as a finite decimal number"
        if len(fields) > 6:
            fix = f"the line has {len(fields)} columns: an id with a space in it shifts those behind; replace the space"
    return InputError(problem, file=file, line=number, text=shown(line), fix=fix)


def is_number(field: bytes) -> bool:
    """Whether a field is a finite decimal number, as `plain` reads one."""
    try:
        value = float(field)
    except ValueError:
        return False
    return value - value == 0 and b"_" not in field


def looks_binary(line: bytes) -> bool:
    """Whether a line has more control and undecodable bytes than text would have."""
    head = line[:400]
    odd = sum(byte < 32 and byte not in _TEXT_CONTROLS for byte in head)
    odd += head.decode("utf-8", "replace").count("\N{REPLACEMENT CHARACTER}")
    return odd * 10 > len(head)


def _columns(fields: Sequence[bytes], wanted: str) -> str:
    return f"{len(fields)} column{'s' * (len(fields) != 1)} where there must be {wanted}"


def _number(what: str, field: bytes) -> str:
    try:
        finite = b"_" in field or float(field) - float(field) == 0
    except ValueError:
        finite = True
    return f"the {what} {shown(field)!r} is " + ("no number" if finite else "not finite")


def _foreign(line: bytes) -> str | None:
    """A guess at what the file is, if its line is no TREC line at all."""
    if looks_binary(line):
        return "the file looks binary; give the text file, or its .gz or .zst"
    if line.lstrip()[:1] in (b"{", b"["):
        return "the line looks like JSON, in a file that is read as TREC columns; see --qrels-format and --run-format"
    if len(line.split()) == 1 and line.count(b",") >= 2:
        return "the columns seem to be separated by commas; separate them by spaces or tabs"
    return None


def _qrels_fix(line: bytes, fields: Sequence[bytes]) -> str:
    foreign = _foreign(line)
    if foreign is not None:
        return foreign
    if len(fields) >= 6:
        return "this looks like a run: the qrels come first, then the run"
    if len(fields) == 5:
        return "an id with a space in it makes a column too many; or these are preferences or judgments of another kind"
    if len(fields) == 3:
        return "write four columns, with 0 in the second: query 0 document grade"
    return f"write the columns {QRELS_COLUMNS}"


def _run_fix(line: bytes, fields: Sequence[bytes]) -> str:
    foreign = _foreign(line)
    if foreign is not None:
        return foreign
    if len(fields) == 5:
        return "the last column, the name of the run, may be any word but must be there; or another column is missing"
    if len(fields) == 4:
        return "this looks like qrels: the qrels come first, then the run"
    if len(fields) == 3:
        return "this looks like an MS MARCO run (query, document, rank): --run-format msmarco reads those"
    return f"write the columns {RUN_COLUMNS}"
