"""The ledger: cases on which an evaluator is known not to do what its catalogue entry says (DESIGN §7).

    schema = "ndcgauge-known/1"

    [[known]]
    case     = "ids-leading-zeros"
    versions = ["1.6.0", "2.3.0"]  # of the package: those that it was measured on, and no others
    why      = "..."
    link     = "https://..."       # where it can be looked up

Truth stays in the cases. An entry whose case no longer differs is stale, and fails a check.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from packaging.version import InvalidVersion, Version
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ndcgauge.errors import InputError
from ndcgauge.suite.loading import NOT_CASES, cases_folder

_Text = Annotated[str, Field(min_length=10)]


class KnownDifference(BaseModel):
    """One entry as written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    case: str
    versions: Annotated[list[str], Field(min_length=1)]
    """The versions of the package that it was measured on; of others it says nothing."""
    why: _Text
    link: _Text

    def holds_for(self, version: str | None) -> bool:
        """Whether the entry speaks of a version; an unknown one is taken to be meant."""
        if version is None:
            return True
        try:
            return Version(version) in map(Version, self.versions)
        except InvalidVersion:
            return False


class _LedgerFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_: Literal["ndcgauge-known/1"] = Field(alias="schema")
    known: list[KnownDifference] = []


@dataclass(frozen=True)
class Ledger:
    """The known differences of one evaluator at one version, by case."""

    entries: Mapping[str, KnownDifference]
    measured: tuple[str, ...] = ()
    """Every version that an entry speaks of, whether it is this one or not."""

    def __contains__(self, case: str) -> bool:
        return case in self.entries

    def stale(self, differing: Collection[str], asked: Collection[str]) -> list[str]:
        """The cases of entries that were asked and do not differ."""
        return [case for case in self.entries if case in asked and case not in differing]


def ledger_of(
    evaluator: str, version: str | None, cases: Collection[str] | None = None, folder: Path | None = None
) -> Ledger:
    """The entries about an evaluator that hold for a version; none where there is no file of its name.

    `cases`: every case id there is. Raises InputError for a file that is not as this module says, an entry
    about a case that does not exist, and two about one.
    """
    path = (cases_folder() / NOT_CASES if folder is None else folder) / f"{evaluator}.toml"
    if not path.is_file():
        return Ledger({})
    try:
        written = _LedgerFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        measured = {each: Version(each) for entry in written.known for each in entry.versions}
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}", file=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, InvalidVersion) as error:
        raise InputError(f"is no ledger: {error}", file=str(path)) from None
    entries: dict[str, KnownDifference] = {}
    for each in written.known:
        if cases is not None and each.case not in cases:
            raise InputError(f"there is no case {each.case}", file=str(path), fix="an entry names the id of a case")
        if not each.holds_for(version):
            continue
        if each.case in entries:
            raise InputError(f"{each.case} stands twice for one version", file=str(path))
        entries[each.case] = each
    return Ledger(entries, tuple(sorted(measured, key=measured.__getitem__)))
