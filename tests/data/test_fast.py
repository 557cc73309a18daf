"""The block reader takes what it is made for by itself, and hands the rest on."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcgauge.data import fast, plain
from ndcgauge.data.columns import QrelsColumns, RunColumns
from ndcgauge.errors import InputError

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


SPACES = st.sampled_from([b" ", b" ", b" ", b" ", b"\t", b"  ", b" \t", b"\v", b"\f", b"\r"])
ENDS = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b" \n", b"\n\n", b"\t\n \n"])
ID = st.sampled_from(
    [b"q1", b"q1", b"q2", b"a\x1cb", b"#q", b"7", b"007", b"\xff", b"caf\xc3\xa9", b"d" * 9, b"x" * 70]
)
NUMBER = st.one_of(
    st.integers(-3, 10**6).map(lambda n: b"%d" % n),
    st.decimals(-999, 99_999, places=3).map(lambda n: str(n).encode()),
    st.floats(allow_nan=False, allow_infinity=False, width=32).map(lambda n: repr(n).encode()),
    st.sampled_from(
        [b"1e5", b"+1", b".5", b"5.", b"-0", b"1_0", b"nan", b"inf", b"0x1", b"1.2.3", b"-", b".", b"--1", b""]
    ),
)


@st.composite
def runs(draw: st.DrawFn) -> bytes:
    """Lines of which most are as programs write them, in files of which some are as people do."""
    spaces = st.just(b" ") if draw(st.booleans()) else SPACES
    ends = st.just(b"\n") if draw(st.booleans()) else ENDS
    number = st.decimals(-9, 99, places=draw(st.integers(0, 8))).map(lambda n: str(n).encode())
    number = number if draw(st.booleans()) else NUMBER
    data = b""
    for _ in range(draw(st.integers(0, 8))):
        fields = [draw(ID), b"Q0", draw(ID), draw(st.integers(1, 2000).map(lambda n: b"%d" % n)), draw(number), b"t"]
        fields = fields[: draw(st.sampled_from([6, 6, 6, 6, 6, 6, 5, 4]))] + draw(
            st.sampled_from([[], [], [], [b"more"]])
        )
        for field in fields[:-1]:
            data += field + draw(spaces)
        data += fields[-1] + draw(ends)
    return data[: -draw(st.sampled_from([0, 0, 1, 2])) or None]


def outcome(read: Callable[[bytes, int, str], RunColumns], data: bytes) -> object:
    try:
        return columns(read(data, 3, "run"))
    except InputError as error:
        return str(error)


@settings(max_examples=400, deadline=None)
@given(data=runs())
def test_any_lines_are_read_as_the_plain_reader_reads_them(data: bytes) -> None:
    assert outcome(fast.read_run, data) == outcome(plain.read_run, data)


@settings(max_examples=200, deadline=None)
@given(data=runs())
def test_qrels_too(data: bytes) -> None:
    data = re.sub(rb"([^\s]+)(\s+)[^\s]+\s+([^\s]+)", rb"\1\2\3", data)

    def told(read: Callable[[bytes, int, str], QrelsColumns]) -> object:
        try:
            found = read(data, 1, "qrels")
        except InputError as error:
            return str(error)
        queries = [found.queries[int(each)] for each in found.query]
        return [queries, [found.doc.raw(n) for n in range(len(found.doc))], found.grade.tolist(), found.line.tolist()]

    assert told(fast.read_qrels) == told(plain.read_qrels)


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
@pytest.mark.parametrize(
    ("lines", "decimals", "imported"),
    [(100, b".25", "False False"), (300_000, b".25", "False False"), (300_000, b".2500000001e1", "True False")],
)
def test_pandas_is_never_imported_and_pyarrow_where_numbers_are_hard(
    tmp_path: Path, lines: int, decimals: bytes, imported: str
) -> None:
    (tmp_path / "qrels").write_bytes(b"q1 0 d1 1\n")
    (tmp_path / "run").write_bytes(b"".join(LINE % (n, n, n) for n in range(lines)).replace(b".25", decimals))
    command = [sys.executable, "-c", READS, str(tmp_path / "qrels"), str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{lines} {imported}\n"
