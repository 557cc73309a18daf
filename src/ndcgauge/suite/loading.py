"""Cases from their files: the suite of this version, or any folder or file of that form."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from ndcgauge.errors import InputError, UsageError
from ndcgauge.suite.model import Case, CaseFile

NOT_CASES = "known"
"""The folder beside the cases that holds the ledger of known differences."""

_FIELDS = ", ".join(field.alias or name for name, field in CaseFile.model_fields.items())


def cases_folder() -> Path:
    """Where the suite's cases are: inside the package when installed, at the root of a clone.

    Raises InputError where neither is there.
    """
    here = Path(__file__).resolve()
    for folder in (here.parent / "cases", here.parents[3] / "cases"):
        if folder.is_dir():
            return folder
    raise InputError("the case suite is not installed", fix="install ndcgauge again, or give a folder of cases")


def case_paths(folder: Path | None = None) -> list[Path]:
    """Every case file below a folder (the suite's where none is given), sorted by folder and id.

    Raises InputError where there is none.
    """
    root = cases_folder() if folder is None else folder
    paths = sorted(path for path in root.glob("*/*.toml") if path.parent.name != NOT_CASES)
    if not paths:
        raise InputError("there is no case in this folder", file=str(root), fix="cases are <axis>/<id>.toml files")
    return paths


def load_cases(folder: Path | None = None) -> tuple[Case, ...]:
    """Every case below a folder (the suite's where none is given), sorted by folder and id.

    Raises InputError as `load_case` does, and where two files have the same id.
    """
    cases = tuple(map(load_case, case_paths(folder)))
    seen: dict[str, Case] = {}
    for case in cases:
        other = seen.setdefault(case.id, case)
        if other is not case:
            raise InputError(f"the case id {case.id} stands in {other.folder} and in {case.folder}")
    return cases


def load_case(path: Path) -> Case:
    """The case in a file.

    Raises InputError where the file cannot be opened, is no TOML, or has a field that it may not
    have or lacks one that it must have.
    """
    try:
        written = CaseFile.model_validate(tomllib.loads(path.read_bytes().decode()))
    except OSError as error:
        raise InputError(f"the case cannot be read: {error.strerror}", file=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"this is no TOML: {error}", file=str(path)) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the case"
        raise InputError(
            f"{where}: {first['msg']}", file=str(path), fix=f"the fields of a case are {_FIELDS}"
        ) from None
    return Case(path.stem, path.parent.name, written)


def select(cases: Sequence[Case], pattern: str) -> tuple[Case, ...]:
    """The cases whose folder or id contains a text.

    Raises UsageError where none does.
    """
    chosen = tuple(case for case in cases if pattern in f"{case.folder}/{case.id}")
    if not chosen:
        raise UsageError(f"no case has {pattern!r} in its folder or id")
    return chosen


def write_pair(case: Case, folder: Path) -> tuple[Path, Path]:
    """Writes the qrels and the run of a case into a folder, byte for byte; their paths."""
    qrels, run = folder / f"{case.id}.qrels", folder / f"{case.id}.run"
    qrels.write_bytes(case.qrels)
    run.write_bytes(case.run)
    return qrels, run
