"""Where results go: standard output, files, standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ndcgauge.errors import UsageError


def width() -> int:
    """Columns of the terminal; 80 in a pipe unless COLUMNS says otherwise."""
    try:
        return max(40, int(os.environ["COLUMNS"]))
    except (KeyError, ValueError):
        pass
    try:
        return max(40, os.get_terminal_size(sys.stdout.fileno()).columns)
    except (OSError, ValueError):
        return 80


def colored(stream: object = None) -> bool:
    """Whether escapes may be written: a terminal, and NO_COLOR not set."""
    stream = sys.stdout if stream is None else stream
    return not os.environ.get("NO_COLOR") and bool(getattr(stream, "isatty", lambda: False)())


def say(lines: Iterable[str], *, quiet: bool) -> None:
    """Warnings and verdicts, on standard error."""
    if not quiet:
        for line in lines:
            print(line, file=sys.stderr)


def put(text: str) -> None:
    """Data, on standard output; ids whose bytes are no UTF-8 come out as the bytes that they were."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    if not text.endswith("\n"):
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()


def check_outputs(outputs: Sequence[str] | None, suffixes: Iterable[str]) -> list[Path]:
    """The output paths, checked before work is done for them.

    Raises UsageError for a suffix without a form, InputError for a folder that is missing or closed.
    """
    if not outputs:
        return []
    from ndcgauge.results.files import check_writable

    known = list(suffixes)
    paths = [Path(each) for each in outputs]
    for path in paths:
        if path.suffix not in known:
            raise UsageError(f"-o {path}: no report has the suffix {path.suffix!r}", fix=f"one of {', '.join(known)}")
        check_writable(path)
    return paths


def progress(*, no_progress: bool, quiet: bool) -> Callable[[str], None] | None:
    """Tells what takes long, on standard error, where somebody looks at it."""
    if no_progress or quiet or not sys.stderr.isatty():
        return None
    return lambda text: print(f"… {text}", file=sys.stderr)
