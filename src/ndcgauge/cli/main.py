"""The entry point: exit codes, errors, interrupts; the commands themselves live one a module."""

from __future__ import annotations

import errno
import gc
import os
import sys

EXIT_INPUT = 3
EXIT_INTERNAL = 5
EXIT_INTERRUPTED = 130
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def main() -> None:
    """Runs the command line and exits with the codes of DESIGN §10."""
    if sys.argv[1:2] == ["report"]:
        # A document is many objects that stay: to look for garbage after every 700 of them took a tenth of the time.
        # Here and not in `run`, whose callers may make garbage that holds arrays; the verb turns it on again.
        gc.disable()
    code = run(sys.argv[1:])
    # What is left ends with the process. Python would look for garbage in all of it first: of a report, for 0.4 s.
    gc.freeze()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Runs one command line; returns its exit code. Never raises."""
    if arguments == ["--version"]:
        # Before typer is imported: this answer must not cost an import (DESIGN §10).
        from ndcgauge import __version__

        print(f"ndcgauge {__version__}")
        return 0
    # OpenBLAS starts threads at import that nothing here uses.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from ndcgauge.errors import NdcgaugeError

    try:
        return _answer(arguments)
    except NdcgaugeError as error:
        print(f"ndcgauge: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        # The reader of our output went away (`| head`): not an error of ours. Leave nothing to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.errno not in _NO_ROOM:
            return _internal(error, verbose="--verbose" in arguments)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(
            f"ndcgauge: the output cannot be written: {error.strerror}\n  fix: make room, or write elsewhere",
            file=sys.stderr,
        )
        return EXIT_INPUT
    except Exception as error:  # noqa: BLE001 - the last resort: an internal error has an exit code of its own
        return _stopped(error, verbose="--verbose" in arguments)


def _answer(arguments: list[str]) -> int:
    """Does what the command line says; returns the exit code."""
    if arguments[:1] == ["score"]:
        from ndcgauge.cli.plain_line import understood

        asked = understood(arguments[1:])
        if asked is not None:
            from ndcgauge.cli.scoring import print_scores

            return print_scores(**asked)
    from ndcgauge.cli.app import command

    first = arguments[0] if arguments else None
    result = command(first).main(args=arguments, prog_name="ndcgauge", standalone_mode=False)
    if result == EXIT_INTERRUPTED:
        # Newer versions of typer turn the interrupt into an exit code of their own.
        print("ndcgauge: interrupted", file=sys.stderr)
    return result if isinstance(result, int) else 0


def _stopped(error: Exception, *, verbose: bool) -> int:
    """The exit code of what typer ends a command with, or of an internal error; says what there is to say."""
    import typer

    if isinstance(error, typer.Exit):
        return error.exit_code
    if isinstance(error, typer.Abort):
        return _interrupted()
    # The usage errors of click, or of the copy of it inside typer: both show themselves.
    show, code = getattr(error, "show", None), getattr(error, "exit_code", None)
    if show is not None and isinstance(code, int):
        show(file=sys.stderr)
        return code
    return _internal(error, verbose=verbose)


def _interrupted() -> int:
    print("ndcgauge: interrupted", file=sys.stderr)
    return EXIT_INTERRUPTED


def _internal(error: Exception, *, verbose: bool) -> int:
    if verbose:
        import traceback

        traceback.print_exception(error)
    print(
        f"ndcgauge: internal error: {type(error).__name__}: {error}\n"
        "  this is a fault of ndcgauge; --verbose shows where it happened",
        file=sys.stderr,
    )
    return EXIT_INTERNAL


if __name__ == "__main__":
    main()
