"""Bad input gets an error with file, line, cause and fix, the right exit code, and leaves nothing behind."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ndcgauge.cli.main import run

QRELS = "q1 0 d1 1\nq1 0 d2 0\n"
RUN = "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return tmp_path / "qrels", tmp_path / "run"


def score(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = run(["score", *map(str, words)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


BAD_RUNS = {
    "five columns": (b"q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0\n", ":2:"),
    "text as score": (b"q1 Q0 d1 1 high t\n", ":1:"),
    "NaN": (b"q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 nan t\n", ":2:"),
    "infinite": (b"q1 Q0 d1 1 inf t\n", ":1:"),
    "repeated": (b"q1 Q0 d1 1 2.0 t\nq1 Q0 d1 2 1.0 t\n", ":2:"),
    "id with a space": (b"q1 Q0 a title 1 2.0 t\n", ":1:"),
    "empty": (b"", "empty"),
    "binary": (bytes(range(1, 256)) * 20, "run"),
    "NUL": (b"q1 Q0 d1 1 2.0 t\nq1 Q0 d2\0 2 1.0 t\n", "NUL"),
    "a line of 10 MB": (b"q1 Q0 " + b"x" * 10_000_000 + b" 1 2.0 t\n", ":1:"),
    "no query in common": (b"q9 Q0 d1 1 2.0 t\n", "q9"),
}


@pytest.mark.parametrize("what", BAD_RUNS)
def test_a_bad_run_is_exit_3_with_file_cause_and_fix(
    what: str, files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    content, shown = BAD_RUNS[what]
    files[1].write_bytes(content)
    code, out, err = score(capsys, *files)
    assert code == 3
    assert out == ""
    assert shown in err
    assert "fix:" in err
    assert "Traceback" not in err
    assert len(err) < 2000


@pytest.mark.parametrize(
    ("content", "shown"),
    [(b"q1 0 d1\n", ":1:"), (b"q1 0 d1 high\n", ":1:"), (b"q1 0 d1 1\nq1 0 d1 0\n", ":2:"), (b"", "empty")],
)
def test_bad_qrels_are_exit_3(
    content: bytes, shown: str, files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    files[0].write_bytes(content)
    code, out, err = score(capsys, *files)
    assert (code, out) == (3, "")
    assert shown in err


def test_missing_files_and_folders_are_exit_3(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score(capsys, files[0], tmp_path / "nothing")[0] == 3
    assert score(capsys, files[0], tmp_path)[0] == 3


def test_a_truncated_gz_is_exit_3(files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = gzip.compress(RUN.encode() * 1)
    (tmp_path / "run.gz").write_bytes(packed[:-10])
    code, out, err = score(capsys, files[0], tmp_path / "run.gz")
    assert (code, out) == (3, "")
    assert "run.gz" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission_is_exit_3(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    files[1].chmod(0)
    assert score(capsys, *files)[0] == 3


def test_a_byte_order_mark_is_a_warning(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    files[1].write_bytes(b"\xef\xbb\xbf" + RUN.encode())
    code, out, err = score(capsys, *files)
    assert code == 0
    assert "1.0" in out
    assert "byte-order mark" in err


def test_an_output_into_a_missing_folder_is_exit_3_before_any_work(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = score(capsys, *files, "-o", tmp_path / "missing" / "scores.json")
    assert (code, out) == (3, "")
    assert "does not exist" in err


def test_an_existing_output_survives_a_failure(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "scores.json"
    kept.write_text("precious")
    files[1].write_bytes(b"broken\n")
    assert score(capsys, *files, "-o", kept)[0] == 3
    assert kept.read_text() == "precious"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["qrels", "run", "scores.json"]


@pytest.mark.parametrize(
    "words",
    [
        ["-m", "bpref"],
        ["--set", "gain=quadratic"],
        ["--set", "gain"],
        ["--set", "ap_denominator=relevant"],
        ["--set", "cutoff=5"],
        ["--baseline", "nobody"],
        ["--baseline", "ranx", "-c"],
        ["-f", "yaml"],
        ["-o", "scores.docx"],
        ["--run-format", "xml"],
        ["--no-such-flag"],
    ],
)
def test_usage_errors_are_exit_2(
    words: list[str], files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = score(capsys, *files, *words)
    assert (code, out) == (2, "")
    assert err
    assert "Traceback" not in err


def test_trec_format_is_trec_evals(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = score(capsys, *files, "-m", "ndcg@10", "-m", "map", "--format", "trec", "-q")
    assert code == 0
    assert out == (
        "ndcg_cut_10           \tq1\t1.0000\n"
        "map                   \tq1\t1.0000\n"
        "ndcg_cut_10           \tall\t1.0000\n"
        "map                   \tall\t1.0000\n"
    )


def python(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_help_imports_no_numeric_library(words: list[str]) -> None:
    program = (
        "import sys; from ndcgauge.cli.main import run; code = run(sys.argv[1:]); "
        "print([m for m in ('numpy','pyarrow','pydantic','matplotlib','sklearn','ranx','pandas') if m in sys.modules], code)"
    )
    done = python("-c", program, *words)
    assert done.stdout.splitlines()[-1] == "[] 0"


def test_standard_input_is_read(files: tuple[Path, Path]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ndcgauge.cli.main", "score", str(files[0]), "-", "-f", "trec"],
        input=RUN,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "ndcg_cut_10           \tall\t1.0000\n"
    assert done.returncode == 0
