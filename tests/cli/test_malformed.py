"""Hundreds of malformed files: exit 3, file, place and fix said, no traceback, nothing half-written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.malformed import Malformed, all_of_them

from ndcgauge.cli.main import run

FILES = all_of_them()
GOOD = {"qrels": b"q1 0 d1 1\n", "run": b"q1 Q0 d1 1 2.0 t\n"}


def test_there_are_at_least_two_hundred() -> None:
    assert len(FILES) >= 200
    assert {each.role for each in FILES} == {"qrels", "run"}


@pytest.mark.parametrize("bad", FILES, ids=lambda bad: f"{bad.role}: {bad.name}")
def test_it_is_refused(bad: Malformed, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = {role: tmp_path / role for role in GOOD}
    for role, path in paths.items():
        path.write_bytes(GOOD[role])
    paths[bad.role] = tmp_path / f"bad-{bad.role}{bad.suffix}"
    paths[bad.role].write_bytes(bad.data)
    output = tmp_path / "scores.json"
    output.write_text("kept")
    code = run(["score", str(paths["qrels"]), str(paths["run"]), "-o", str(output), *bad.flags])
    out, err = capsys.readouterr()
    assert code == 3, err
    assert out == ""
    assert bad.where in err
    if bad.name != "trec no query in common":
        assert paths[bad.role].name in err
    assert "\n  fix: " in err
    assert "Traceback" not in err
    assert "internal" not in err
    assert len(err) < 2000
    assert output.read_text() == "kept"
    assert {each.name for each in tmp_path.iterdir()} == {"qrels", "run", paths[bad.role].name, "scores.json"}


@pytest.mark.parametrize("bad", FILES[::9], ids=lambda bad: f"{bad.role}: {bad.name}")
def test_compare_refuses_it_too(bad: Malformed, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = {role: tmp_path / role for role in GOOD}
    for role, path in paths.items():
        path.write_bytes(GOOD[role])
    paths[bad.role] = tmp_path / f"bad-{bad.role}{bad.suffix}"
    paths[bad.role].write_bytes(bad.data)
    output = tmp_path / "report.json"
    words = ["compare", str(paths["qrels"]), str(paths["run"]), "-e", "sklearn", "-o", str(output), *bad.flags]
    assert run(words) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert bad.where in err
    assert "\n  fix: " in err
    assert "Traceback" not in err
    assert not output.exists()
