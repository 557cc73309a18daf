"""What a command line imports: nothing that its answer does not need (DESIGN §10)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numpy", "pyarrow", "pydantic", "matplotlib", "scipy", "rich", "sklearn", "ranx", "pandas")
LOOK = """
import contextlib, io, json, sys
from ndcgauge.cli.main import run
with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())), contextlib.redirect_stderr(io.StringIO()):
    code = run(sys.argv[1:])
print(json.dumps([code, sorted(name for name in sys.modules)]))
"""


def imported(*arguments: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", LOOK, *arguments], capture_output=True, text=True, check=True)
    code, names = json.loads(done.stdout)
    assert code == 0
    return set(names)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq2 0 d1 0\n")
    (tmp_path / "run").write_text("q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 2.5 t\nq2 Q0 d1 1 1 t\n")
    return str(tmp_path / "qrels"), str(tmp_path / "run")


def test_the_version_imports_no_command_line_library() -> None:
    names = imported("--version")
    assert not names & {*HEAVY, "typer", "ndcgauge.cli.app"}


@pytest.mark.parametrize("line", [["--help"], ["score", "--help"], ["compare", "-h"]])
def test_help_imports_no_work(line: list[str]) -> None:
    names = imported(*line)
    # typer itself may import pydantic and rich; nothing of ours may.
    assert not names & {"numpy", "pyarrow", "matplotlib", "scipy", "sklearn", "ranx", "pandas"}
    assert not {name for name in names if name.startswith(("ndcgauge.jobs", "ndcgauge.data", "ndcgauge.reference"))}


def test_a_small_score_imports_numpy_and_nothing_else(pair: tuple[str, str]) -> None:
    names = imported("score", *pair, "-m", "ndcg@10", "-q", "--format", "trec")
    assert "numpy" in names
    # numpy.ma comes with np.unique, and costs as much as half of numpy.
    assert not names & {*HEAVY[1:], "typer", "numpy.ma", "tomllib", "ndcgauge.evaluators.profiles", "ndcgauge.diff"}


def test_a_large_score_imports_pyarrow_without_pandas(pair: tuple[str, str], tmp_path: Path) -> None:
    big = tmp_path / "big"
    big.write_text("".join(f"q{q} Q0 doc-{d:09} {d} {-d}.25 t\n" for q in range(150) for d in range(1000)))
    names = imported("score", pair[0], str(big), "--format", "trec")
    assert "pyarrow" in names
    assert not names & {"pandas", "numpy.ma", "pyarrow.compute", "typer", "pydantic", "rich"}
