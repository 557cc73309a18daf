from __future__ import annotations

import json
from pathlib import Path

import pytest

from ndcgauge.errors import InputError
from ndcgauge.evaluators.names import catalogue
from ndcgauge.suite.ledger import Ledger, ledger_of
from ndcgauge.suite.loading import cases_folder, load_cases

ENTRY = """
[[known]]
case = "{case}"
versions = {versions}
why = "it does something else here"
link = "https://example.org/why"
"""


def written(folder: Path, *entries: tuple[str, list[str]]) -> Path:
    texts = [ENTRY.format(case=case, versions=json.dumps(versions)) for case, versions in entries]
    (folder / "fake.toml").write_text('schema = "ndcgauge-known/1"\n' + "".join(texts))
    return folder


def test_an_entry_holds_for_its_versions_alone(tmp_path: Path) -> None:
    folder = written(tmp_path, ("a", ["1.6.0", "2.0"]), ("b", ["2.3.1"]))
    assert set(ledger_of("fake", "1.6", folder=folder).entries) == {"a"}
    assert ledger_of("fake", "1.6.1", folder=folder) == Ledger({}, ("1.6.0", "2.0", "2.3.1"))
    assert set(ledger_of("fake", "2.3.1", folder=folder).entries) == {"b"}
    assert set(ledger_of("fake", None, folder=folder).entries) == {"a", "b"}
    assert ledger_of("other", "1.0", folder=folder) == Ledger({})


def test_an_entry_that_no_longer_differs_is_stale(tmp_path: Path) -> None:
    ledger = ledger_of("fake", "1.0", folder=written(tmp_path, ("a", ["1"]), ("b", ["1"]), ("c", ["1"])))
    assert ledger.stale(differing=["a"], asked=["a", "b"]) == ["b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('schema = "ndcgauge-known/2"', "schema"),
        ('schema = "ndcgauge-known/1"\n[[known]]\ncase = "a"', "versions"),
        ('schema = "ndcgauge-known/1"\n' + ENTRY.format(case="a", versions='["one or two"]'), "no ledger"),
        ('schema = "ndcgauge-known/1"\n' + ENTRY.format(case="zz", versions='["1"]'), "no case zz"),
        ('schema = "ndcgauge-known/1"\n' + 2 * ENTRY.format(case="a", versions='["1"]'), "twice"),
        ("schema = ", "no ledger"),
    ],
)
def test_a_ledger_that_is_none_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "fake.toml").write_text(text)
    with pytest.raises(InputError, match=message):
        ledger_of("fake", "1.0", {"a"}, tmp_path)


def test_the_ledgers_of_the_suite_are_about_its_evaluators_and_cases() -> None:
    ids = {case.id for case in load_cases()}
    for path in (cases_folder() / "known").glob("*.toml"):
        assert path.stem in catalogue()
        assert ledger_of(path.stem, None, ids).entries
