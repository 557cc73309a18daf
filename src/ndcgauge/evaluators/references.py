"""What `-e` says: a catalogue id, a version of one (`ranx==0.3.16`), or a program (`NAME=exec:…`, `NAME=trec:…`)."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from ndcgauge.errors import UsageError
from ndcgauge.evaluators.names import catalogue


@dataclass(frozen=True)
class Catalogued:
    """An evaluator of the catalogue, as it is installed here or at a version of its own."""

    name: str
    """Its id in the catalogue."""
    version: str | None = None
    """The version of its library that runs in an environment of its own; None for the one that is here."""

    @property
    def id(self) -> str:
        """What reports call it: `ranx`, `ranx==0.3.16`."""
        return self.name if self.version is None else f"{self.name}=={self.version}"


@dataclass(frozen=True)
class Program:
    """A program of the user's."""

    id: str
    kind: str
    """`exec` speaks the protocol of docs/adapter-protocol.md; `trec` prints trec_eval's three columns."""
    command: tuple[str, ...]


EvaluatorRef = Catalogued | Program

_VERSION = re.compile(r"[0-9][A-Za-z0-9.!+_-]*")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


def resolve(text: str) -> EvaluatorRef:
    """The evaluator that a `-e` value names. Raises UsageError where it names none."""
    if text in catalogue():
        return Catalogued(text)
    name, equals, rest = text.partition("=")
    kind, colon, command = rest.partition(":")
    if equals and colon and kind in ("exec", "trec"):
        if not _NAME.fullmatch(name) or name in catalogue():
            raise UsageError(f"-e {text!r}: {name!r} cannot be the name of a program", fix="letters, digits, . _ + -")
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            raise UsageError(f"-e {text!r}: the command cannot be read: {error}") from None
        if not words:
            raise UsageError(f"-e {text!r}: there is no command after {kind}:")
        return Program(name, kind, words)
    library, pinned, version = text.partition("==")
    if pinned and library in catalogue():
        if not _VERSION.fullmatch(version):
            raise UsageError(f"-e {text!r}: {version!r} is no version", fix=f"for example -e {library}==1.2.3")
        return Catalogued(library, version)
    raise UsageError(
        f"there is no evaluator {text!r}",
        fix=f"one of {', '.join(catalogue())}, one of them with ==VERSION, NAME=exec:COMMAND or NAME=trec:COMMAND",
    )


def callable_reference(text: str) -> str:
    """`exec:…` for a Python function, `MODULE:FUNCTION`, in the interpreter that runs now.

    Raises UsageError for a text of another form.
    """
    if not re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*", text):
        raise UsageError(
            f"{text!r} is no evaluator", fix="exec:COMMAND, trec:COMMAND, MODULE:FUNCTION or an id of the catalogue"
        )
    serve = Path(__file__).with_name("adapters") / "serve.py"
    return "exec:" + shlex.join([sys.executable, "-P", str(serve), "callable", text])
