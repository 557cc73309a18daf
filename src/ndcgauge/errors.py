"""What can go wrong, in the order in which a command meets it.

usage (the command line cannot be understood) -> input (a file cannot be read as what it
should be) -> evaluator (one that the user named cannot answer) -> internal.
Every error says what happened, where, why, and what to do; the command line turns
`exit_code` into the exit code of the process (DESIGN §10).
"""

from __future__ import annotations


class NdcgaugeError(Exception):
    """Root of all errors that ndcgauge raises on purpose."""

    exit_code = 5

    def __init__(self, message: str, *, fix: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        """What happened, as one sentence."""
        self.fix = fix
        """What the reader can do about it."""

    def __str__(self) -> str:
        return self.message if self.fix is None else f"{self.message}\n  fix: {self.fix}"


class UsageError(NdcgaugeError):
    """The question itself is malformed: an unknown axis, measure, preset or evaluator."""

    exit_code = 2


class InputError(NdcgaugeError):
    """A file cannot be read as what it should be, or an output cannot be written."""

    exit_code = 3

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        place: str | None = None,
        text: str | None = None,
        fix: str | None = None,
    ) -> None:
        super().__init__(message, fix=fix)
        self.file = file
        """The file as the user named it; `<stdin>` for standard input."""
        self.line = line
        """Line number, counted from 1."""
        self.place = place
        """Where in a file whose lines do not tell: a JSON path, a row of a table."""
        self.text = text
        """The offending line, shortened."""

    def __str__(self) -> str:
        where = "" if self.file is None else self.file
        if self.line is not None:
            where += f":{self.line}" if where else f"line {self.line}"
        if self.place is not None:
            where += f" ({self.place})" if where else self.place
        parts = [f"{where}: {self.message}" if where else self.message]
        if self.text is not None:
            parts.append(f"  line: {self.text}")
        if self.fix is not None:
            parts.append(f"  fix: {self.fix}")
        return "\n".join(parts)


class EvaluatorError(NdcgaugeError):
    """An evaluator that the user named with -e is not available, or crashed."""

    exit_code = 4
