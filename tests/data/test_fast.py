"""The block reader takes what it is made for by itself, and hands the rest on."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from ndcgauge.data import fast, plain
from ndcgauge.data.columns import RunColumns

LINE = b"q1 Q0 d%d %d %d.25 t\n"
LINES = b"".join(LINE % (n, n, n) for n in range(1, 50))


class HandedOn(Exception):
    pass


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise HandedOn

    monkeypatch.setattr(plain, "read_run", refuse)


BY_ITSELF = {
    "tidy": LINES,
    "no last newline": LINES[:-1],
    "tabs": LINES.replace(b" ", b"\t"),
    "runs of white space": LINES.replace(b" ", b" \t "),
    "CRLF": LINES.replace(b"\n", b"\r\n"),
    "blank lines": LINES.replace(b"\n", b"\n\n \n"),
    "comments": b"# head\n" + LINES + b"# a comment that is longer than six words\n",
    "a comment of six words": LINES + b"# b c 1 2 e\n" + LINES,
    "indented": b" " + LINES,
}


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", BY_ITSELF)
def test_blocks_that_need_no_other_reader(name: str) -> None:
    read = fast.read_run(BY_ITSELF[name], 1, "run")
    assert set(read.queries) == {b"q1"}
    assert read.score.tolist()[:49] == [n + 0.25 for n in range(1, 50)]


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    "line", [b"q1 Q0 d 1 1.0 t more", b"q1 Q0 d 1 nan t", b"q1 Q0 d 1 1_0 t", b"q1 Q0 d 1 1.0", b"q1 Q0 d 1 1.0 "]
)
def test_blocks_that_another_reader_has_to_look_at(line: bytes) -> None:
    with pytest.raises(HandedOn):
        fast.read_run(LINES + line, 1, "run")


def columns(read: RunColumns) -> list[object]:
    queries = [read.queries[int(each)] for each in read.query]
    docs = [read.doc.raw(each) for each in range(len(read.doc))]
    return [queries, docs, read.rank.tolist(), read.score.tolist(), read.line.tolist()]


@pytest.mark.parametrize("name", BY_ITSELF)
def test_columns_and_line_numbers_are_those_of_the_plain_reader(name: str) -> None:
    data = BY_ITSELF[name]
    assert columns(fast.read_run(data, 7, "run")) == columns(plain.read_run(data, 7, "run"))


def test_numbers_are_read_to_the_last_bit() -> None:
    texts = ["0.1", "5.678935928583851e-12", "1e-400", "123456789.123456789123456789", "4.9e-324", "1e308", "-0.0"]
    texts += [repr(1 / n) for n in range(1, 400)]
    data = "".join(f"q Q0 d{n} 1 {text} t\n" for n, text in enumerate(texts)).encode()
    assert fast.read_run(data, 1, "run").score.tolist() == [float(text) for text in texts]


READS = """
import sys
from ndcgauge.data.reading import read_collection
from ndcgauge.data.sources import open_source
loaded = read_collection(*map(open_source, sys.argv[1:]))
print(loaded.run_file.lines, *(name in sys.modules for name in ("pyarrow", "pandas")))
"""


@pytest.mark.skipif(
    importlib.util.find_spec("pandas") is None, reason="pandas is not installed, so nothing can import it"
)
@pytest.mark.parametrize(("lines", "imported"), [(100, "False False"), (60_000, "True False")])
def test_pandas_is_never_imported_and_pyarrow_for_large_files_only(tmp_path: Path, lines: int, imported: str) -> None:
    (tmp_path / "qrels").write_bytes(b"q1 0 d1 1\n")
    (tmp_path / "run").write_bytes(b"".join(LINE % (n, n, n) for n in range(lines)))
    command = [sys.executable, "-c", READS, str(tmp_path / "qrels"), str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{lines} {imported}\n"
