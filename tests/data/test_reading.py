"""Files to collections: what is read, what is said of it, and that how it is read changes nothing."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.data.writing import LINE_BY_LINE, contents, load, source

from ndcgauge.data.collection import Needs
from ndcgauge.data.memory import collection_from_lines
from ndcgauge.data.reading import read_collection, read_qrels, read_run
from ndcgauge.errors import InputError

QRELS = b"q1 0 D1 3\nq1 0 D2 2\nq1 0 D3 1\nq2 0 x 0\n"
RUN = b"q1 Q0 D2 1 6.5 t\nq1 Q0 X 2 5.5 t\nq1 Q0 D1 3 4.5 t\nq3 Q0 q3 1 1 t\n"
AS_LINES = collection_from_lines(
    [("q1", "D1", 3), ("q1", "D2", 2), ("q1", "D3", 1), ("q2", "x", 0)],
    [("q1", "D2", 1, 6.5), ("q1", "X", 2, 5.5), ("q1", "D1", 3, 4.5), ("q3", "q3", 1, 1)],
)
NEEDS = Needs(frozenset({0.0}), frozenset({1.0}))

WAYS = [(LINE_BY_LINE, 4 << 20), (LINE_BY_LINE, 40), (0, 4 << 20), (0, 40)]
"""`small` and `block`: line by line and by pyarrow, in one block and in many."""


@pytest.mark.parametrize(("small", "block"), WAYS)
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_a_file_is_what_its_lines_are(tmp_path: Path, suffix: str, small: int, block: int) -> None:
    qrels, run = source(tmp_path, f"a.qrels{suffix}", QRELS), source(tmp_path, f"a.run{suffix}", RUN)
    loaded = load(qrels, run, small=small, block=block)
    assert contents(loaded.collection) == contents(AS_LINES)
    assert (loaded.run_file.lines, loaded.run_file.queries) == (4, 2)
    assert (loaded.qrels_file.lines, loaded.qrels_file.queries) == (4, 2)
    assert loaded.run_file.packing == {"": "none", ".gz": "gzip", ".zst": "zstd"}[suffix]
    assert loaded.run_file.unpacked_sha256 == hashlib.sha256(RUN).hexdigest()
    assert loaded.run_file.sha256 == hashlib.sha256((tmp_path / f"a.run{suffix}").read_bytes()).hexdigest()
    assert loaded.warnings == ()


UNTIDY = {
    "tabs": RUN.replace(b" ", b"\t"),
    "runs of white space": RUN.replace(b" ", b" \t \v\f"),
    "CRLF": RUN.replace(b"\n", b"\r\n"),
    "a lone CR is white space": RUN.replace(b" Q0", b"\rQ0"),
    "indented": b"  " + RUN.replace(b"\n", b"\n \t"),
    "no last newline": RUN[:-1],
    "trailing spaces": RUN.replace(b"\n", b"  \n"),
    "text after the sixth column": RUN.replace(b" t\n", b" t and more\n"),
    "plus signs and exponents": RUN.replace(b"6.5", b"+65e-1"),
}


@pytest.mark.parametrize(("small", "block"), WAYS)
@pytest.mark.parametrize("name", UNTIDY)
def test_untidy_lines_are_the_same_lines(tmp_path: Path, name: str, small: int, block: int) -> None:
    run = source(tmp_path, "run", UNTIDY[name])
    loaded = load(source(tmp_path, "qrels", QRELS), run, small=small, block=block)
    assert contents(loaded.collection) == contents(AS_LINES)


@pytest.mark.parametrize(("small", "block"), WAYS)
def test_comments_and_blank_lines_count_as_lines_and_nothing_else(tmp_path: Path, small: int, block: int) -> None:
    run = b"# ir_metadata.start\n\n" + RUN.replace(b"q3 Q0", b"# c Q0 d 1 2 t\n \t\nq3 Q0")
    loaded = load(
        source(tmp_path, "qrels", b"# a\n# b\n" + QRELS), source(tmp_path, "run", run), small=small, block=block
    )
    assert loaded.run_file.comments == ("# ir_metadata.start", "# c Q0 d 1 2 t")
    assert loaded.qrels_file.comments == ("# a", "# b")
    assert loaded.collection.rows["error"].line.tolist() == [3, 5, 8]
    assert loaded.collection.judged.line.tolist() == [3, 4, 5, 6]
    assert loaded.run_file.lines == 4


@pytest.mark.parametrize(("small", "block"), WAYS)
def test_a_hash_behind_white_space_begins_an_id(tmp_path: Path, small: int, block: int) -> None:
    loaded = load(
        source(tmp_path, "qrels", b" #1 0 #d 1\n"),
        source(tmp_path, "run", b"\t#1 Q0 #d 1 1 t\n"),
        small=small,
        block=block,
    )
    assert loaded.collection.queries == ("#1",)
    assert loaded.collection.rows["error"].judged.tolist() == [0]


@pytest.mark.parametrize(("small", "block"), WAYS)
def test_ids_stay_text(tmp_path: Path, small: int, block: int) -> None:
    ids = [
        "007",
        "7",
        "NA",
        "null",
        "1e5",
        "é",
        "e\u0301",
        "a\u00a0b",
        "a\u3000b",
        "a\x1cb",
        '"q"',
        "a,b",
        "\udcff\udcfe",
        "-",
    ]
    qrels = "".join(f"{each} 0 {each} 1\n" for each in ids).encode("utf-8", "surrogateescape")
    run = "".join(f"{each} Q0 {each} 1 1.0 t\n" for each in ids).encode("utf-8", "surrogateescape")
    loaded = load(source(tmp_path, "qrels", qrels), source(tmp_path, "run", run), small=small, block=block)
    collection = loaded.collection
    assert sorted(collection.queries) == sorted(ids)
    assert list(collection.queries) == sorted(ids, key=lambda text: text.encode("utf-8", "surrogateescape"))
    assert list(collection.judged.doc) == list(collection.queries)
    assert collection.rows["error"].judged.tolist() == list(range(len(ids)))
    assert collection.rows["error"].own.all()


@pytest.mark.parametrize(("small", "block"), WAYS)
def test_a_byte_order_mark_is_removed_with_a_warning(tmp_path: Path, small: int, block: int) -> None:
    qrels, run = source(tmp_path, "qrels", QRELS), source(tmp_path, "run", b"\xef\xbb\xbf" + RUN)
    loaded = load(qrels, run, small=small, block=block)
    assert contents(loaded.collection) == contents(AS_LINES)
    [warning] = loaded.warnings
    assert "byte-order mark" in warning
    assert "run" in warning
    assert [each.doc for each in loaded.collection.lists(["q1"])["q1"]] == ["D2", "X", "D1"]


@pytest.mark.parametrize(("small", "block"), WAYS)
def test_a_mark_inside_the_file_is_part_of_an_id(tmp_path: Path, small: int, block: int) -> None:
    run = RUN + b"\xef\xbb\xbfq1 Q0 D1 1 1 t\n"
    loaded = load(source(tmp_path, "qrels", QRELS), source(tmp_path, "run", run), small=small, block=block)
    assert loaded.collection.queries[-1] == "\ufeffq1"


@pytest.mark.parametrize(("small", "block"), WAYS)
def test_queries_that_do_not_stand_together_are_read_all_the_same(tmp_path: Path, small: int, block: int) -> None:
    lines = [
        ("a", "1", 1.0, 5.0),
        ("b", "1", 1.0, 5.0),
        ("a", "2", 2.0, 5.0),
        ("c", "c", 1.0, 5.0),
        ("b", "2", 2.0, 9.0),
    ]
    lines += [("a", "3", 3.0, 4.0), ("c", "1", 2.0, 5.0)]
    qrels = [("a", "1", 1.0), ("a", "2", 2.0), ("b", "2", 1.0), ("c", "9", 1.0)]
    run = "".join(f"{q} Q0 {d} {r:g} {s} t\n" for q, d, r, s in lines).encode()
    judged = "".join(f"{q} 0 {d} {g:g}\n" for q, d, g in qrels).encode()
    loaded = load(
        source(tmp_path, "qrels", judged), source(tmp_path, "run", run), needs=NEEDS, small=small, block=block
    )
    assert contents(loaded.collection) == contents(collection_from_lines(qrels, lines, NEEDS))
    lists = loaded.collection.lists(["a", "c", "nobody"])
    assert [each.line for each in lists["a"]] == [1, 3, 6]
    assert [(each.doc, each.rank, each.score) for each in lists["c"]] == [("c", "1", 5.0), ("1", "2", 5.0)]
    assert lists["nobody"] == []


@pytest.mark.parametrize(("small", "block"), WAYS)
def test_one_qrels_file_serves_several_runs(tmp_path: Path, small: int, block: int) -> None:
    del small, block
    qrels = read_qrels(source(tmp_path, "qrels", QRELS))
    one = read_run(qrels, source(tmp_path, "one", RUN))
    two = read_run(qrels, source(tmp_path, "two", b"q2 Q0 x 1 1 t\n"))
    assert contents(one.collection) == contents(AS_LINES)
    assert two.collection.rows["error"].judged.tolist() == [3]


def test_grades_may_be_fractions_and_huge(tmp_path: Path) -> None:
    qrels = source(tmp_path, "qrels", b"q 0 a 0.5\nq 0 b -2\nq 0 c 1e3\n")
    loaded = read_collection(qrels, source(tmp_path, "run", b"q Q0 a 1 1 t\n"))
    assert loaded.collection.judged.grades["error"].grade.tolist() == [0.5, -2.0, 1000.0]


@pytest.mark.parametrize(("small", "block"), WAYS)
@pytest.mark.parametrize("rule", ["first", "last", "all"])
def test_repeated_lines_are_read_where_asked_for(tmp_path: Path, rule: str, small: int, block: int) -> None:
    lines = [("a", "1", 1.0, 5.0), ("a", "2", 2.0, 4.0), ("a", "1", 3.0, 3.0), ("b", "1", 1.0, 5.0)]
    qrels = [("a", "1", 1.0), ("b", "1", 2.0), ("a", "1", 3.0)]
    run = "".join(f"{q} Q0 {d} {r:g} {s} t\n" for q, d, r, s in lines).encode()
    judged = "".join(f"{q} 0 {d} {g:g}\n" for q, d, g in qrels).encode()
    loaded = load(
        source(tmp_path, "qrels", judged), source(tmp_path, "run", run), on_duplicate=rule, small=small, block=block
    )
    assert "error" not in loaded.collection.rows
    assert contents(loaded.collection) == contents(collection_from_lines(qrels, lines, on_duplicate=rule))


@pytest.mark.parametrize(("small", "block"), WAYS)
def test_nul_bytes_can_end_a_file_or_be_kept(tmp_path: Path, small: int, block: int) -> None:
    qrels = source(tmp_path, "qrels", QRELS)
    run = source(tmp_path, "run", RUN + b"\0\0\0" + b"q9 Q0 D1 1 1 t\n")
    stopped = load(qrels, run, on_nul="stop", small=small, block=block)
    assert contents(stopped.collection) == contents(AS_LINES)
    kept = load(qrels, run, on_nul="keep", small=small, block=block)
    assert kept.collection.queries == ("\0\0\0q9", "q1", "q2", "q3")


TOKENS = st.sampled_from([b"a", b"b", b"#", b"ab", b"\xc2\xa0", b"\x1c", b"0", b"1", b"2.5", b"-1", b"1e400", b"nan"])
WHITE = st.sampled_from([b" "] * 12 + [b"  ", b"\t", b"\r", b"\v", b" \f "])
NUMBERS = st.sampled_from(
    [b"1"] * 50 + [b"2", b"0", b"-1", b"2.5", b"1e3", b"+1", b".5", b"5.", b"-0"] * 5 + [b"1_0", b"0x1", b"inf", b"x"]
)


@st.composite
def files(draw: st.DrawFn, middle: int) -> bytes:
    """Lines of a run (two numbers) or of qrels (one), more or less tidy, seldom wrong."""
    lines: list[bytes] = []
    for _ in range(draw(st.integers(0, 12))):
        kind = draw(st.integers(0, 30))
        if kind == 0:
            lines.append(draw(st.sampled_from([b"", b" ", b"#", b"# c", b"# a b 1 1 t", b"# 0 a 1", b"\r"])))
            continue
        query, doc = draw(st.sampled_from([b"a", b"b", b"c", b"#x"])), draw(st.binary(min_size=1, max_size=2)) + b"."
        doc = doc.translate(None, b" \t\n\v\f\r\0") or b"d"
        fields = [query, b"0", doc, *(draw(NUMBERS) for _ in range(middle))]
        fields += [b"t"] * (middle == 2) + [draw(TOKENS)] * (kind == 1)
        line = fields[0]
        for field in fields[1:]:
            line += draw(WHITE) + field
        lines.append(
            draw(st.sampled_from([b""] * 9 + [b" "])) + line + draw(st.sampled_from([b""] * 9 + [b" ", b"\r"]))
        )
    return b"\n".join(lines) + draw(st.sampled_from([b"\n", b""]))


def outcome(folder: Path, qrels: bytes, run: bytes, small: int, block: int) -> object:
    try:
        loaded = load(
            source(folder, "qrels", qrels),
            source(folder, "run", run),
            needs=NEEDS,
            on_duplicate="all",
            small=small,
            block=block,
        )
    except InputError as error:
        return error.file, error.line, error.message, error.text
    read = loaded.collection
    return contents(read), loaded.run_file.comments, loaded.run_file.lines, read.lists(read.queries)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files(1), files(2), st.sampled_from([1, 7, 20, 64]))
def test_how_a_file_is_read_changes_nothing(tmp_path: Path, qrels: bytes, run: bytes, block: int) -> None:
    expected = outcome(tmp_path, qrels, run, LINE_BY_LINE, 4 << 20)
    assert outcome(tmp_path, qrels, run, 0, 4 << 20) == expected
    assert outcome(tmp_path, qrels, run, 0, block) == expected
    assert outcome(tmp_path, qrels, run, LINE_BY_LINE, block) == expected
