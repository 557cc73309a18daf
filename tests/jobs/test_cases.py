from __future__ import annotations

import shlex
import sys
import tomllib
from pathlib import Path

import pytest
from tests.diff.planted import rich_lines

from ndcgauge.cli.main import run
from ndcgauge.errors import InputError, UsageError
from ndcgauge.jobs.cases import linted, new_case, shown
from ndcgauge.suite.loading import load_case

COMPUTING = Path(__file__).parents[1] / "suite" / "fakes" / "computing.py"


def program(name: str, *arguments: str) -> str:
    return f"{name}=exec:" + shlex.join([sys.executable, str(COMPUTING), *arguments])


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    qrels, lines = rich_lines()
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {g:g}\n" for q, d, g in qrels))
    (tmp_path / "run").write_text("".join(f"{q} Q0 {d} {r:g} {s} t\n" for q, d, r, s in lines))
    return str(tmp_path / "qrels"), str(tmp_path / "run")


def test_gain_alone_becomes_two_documents_with_the_hand_calculation(files: tuple[str, str]) -> None:
    found = new_case(*files, [program("one"), program("two", "gain=exponential")], measure="ndcg@10")
    assert found.axes == ("gain",)
    assert found.lines_before > 20
    # One document cannot show it: two grades of which one is above 1, and the better one not first.
    assert found.lines_after == 3
    written = tomllib.loads(found.text)
    assert written["axes"] == ["gain"]
    assert [each["when"] for each in written["expect"]] == [{"gain": "linear"}, {"gain": "exponential"}]
    forms = [each["q1"] for each in written["expect"]]
    assert "2**" in forms[1]
    assert "2**" not in forms[0]
    assert {line.split()[0] for line in written["run"].splitlines() if line} == {"q1"}
    assert found.calls < 30


def test_a_tie_rule_stays_a_tie_and_open_where_no_form_is_known(files: tuple[str, str]) -> None:
    found = new_case(*files, [program("one"), program("two", "ties=docid-asc")], measure="rr")
    assert found.axes == ("ties",)
    written = tomllib.loads(found.text)
    scores = [line.split()[4] for line in written["run"].splitlines() if line]
    assert len(scores) > len(set(scores))
    assert [each["q1"] for each in written["expect"]] in (["1/1", "1/2"], ["1/2", "1/1"])


def test_a_draft_is_refused_by_lint_until_a_person_has_finished_it(files: tuple[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "own" / "gain"
    folder.mkdir(parents=True)
    path = folder / "mine.toml"
    one, two = program("one"), program("two", "gain=exponential")
    assert run(["cases", "new", *files, "-e", one, "-e", two, "-o", str(path), "--quiet"]) == 0
    assert run(["cases", "lint", "--cases", str(folder.parent)]) == 1
    assert any("why is empty" in str(each) for each in linted(folder.parent).findings)
    assert load_case(path).id == "mine"
    # An id never changes: no draft is written over a case.
    assert run(["cases", "new", *files, "-e", one, "-e", two, "-o", str(path)]) == 2


def test_evaluators_that_agree_make_no_case(files: tuple[str, str]) -> None:
    with pytest.raises(InputError, match="do not differ"):
        new_case(*files, [program("one"), program("two")], measure="ndcg@10")
    with pytest.raises(UsageError, match="two evaluators"):
        new_case(*files, [program("one")], measure="ndcg@10")


def test_list_show_and_lint(capsys: pytest.CaptureFixture[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["cases", "list", "-k", "ties-of-17"]) == 0
    assert "ties-of-17" in capfd.readouterr().out
    assert run(["cases", "show", "worked-example"]) == 0
    assert "log2" in capfd.readouterr().out
    assert run(["cases", "lint"]) == 0
    assert run(["cases", "show", "no-such-case"]) == 2
    assert shown("worked-example").folder == "gain"
