from __future__ import annotations

from pathlib import Path

import pytest

from ndcgauge.errors import InputError, UsageError
from ndcgauge.suite.closed_form import ClosedForm
from ndcgauge.suite.loading import case_paths, cases_folder, load_case, load_cases, select, write_pair
from ndcgauge.suite.model import Case, Interval, Undefined

HEAD = '''
schema  = "ndcgauge-case/1"
title   = "a title of a case"
axes    = ["ties"]
why     = "something that goes wrong in practice"
refs    = ["https://github.com/usnistgov/trec_eval/issues/22"]
measure = "ndcg@10"
qrels = """
q1 0 A 1
q2 0 A 1
"""
run = """
q1 Q0 A 1 1.0 demo
q2 Q0 A 1 1.0 demo
"""
'''


def case_of(folder: Path, text: str, name: str = "ties/a-case.toml") -> Case:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_case(path)


def refused(folder: Path, text: str, match: str) -> None:
    with pytest.raises(InputError, match=match):
        _ = case_of(folder, text).expectations


def test_the_form_of_the_design_is_read(tmp_path: Path) -> None:
    case = case_of(tmp_path, HEAD + '[[expect]]\nwhen = { ties = "best" }\nq1 = "1/log2(3)"\nq2 = "0"\n')
    (expectation,) = case.expectations
    assert (case.id, case.folder) == ("a-case", "ties")
    assert case.qrels == b"q1 0 A 1\nq2 0 A 1\n"
    assert case.measure.name == "ndcg@10"
    assert expectation.spec["ties"] == "best"
    assert expectation.spec["cutoff"] == "10"
    assert expectation.values == {"q1": ClosedForm("1/log2(3)"), "q2": ClosedForm("0")}
    assert isinstance(expectation.mean, ClosedForm)
    assert expectation.mean.equals(ClosedForm("1/(2*log2(3))"))
    assert expectation.mean_is_macro
    assert expectation.label == "ties=best"


def test_axes_that_are_not_set_come_from_the_preset(tmp_path: Path) -> None:
    text = HEAD.replace('measure = "ndcg@10"', 'measure = "ndcg@10"\npreset = "burges2005"')
    (expectation,) = case_of(tmp_path, text + '[[expect]]\nq1 = "1"\n').expectations
    assert expectation.spec["gain"] == "exponential"
    assert expectation.label == "preset"


def test_the_name_of_a_measure_sets_its_axes(tmp_path: Path) -> None:
    text = HEAD.replace("ndcg@10", "hit_rate@10")
    (expectation,) = case_of(tmp_path, text + '[[expect]]\nq1 = "1"\n').expectations
    assert expectation.spec["recall_denominator"] == "any"


def test_a_query_may_be_named_as_a_field(tmp_path: Path) -> None:
    text = '[[expect]]\nq1 = "1"\nmean = "1/2"\n[expect.values]\nmean = "0"\nwhen = "1/4"\n"a b" = "1/8"\n'
    (expectation,) = case_of(tmp_path, HEAD + text).expectations
    assert {query: form.text for query, form in expectation.values.items() if isinstance(form, ClosedForm)} == {
        "a b": "1/8",
        "mean": "0",
        "q1": "1",
        "when": "1/4",
    }
    assert expectation.mean == ClosedForm("1/2")
    assert not expectation.mean_is_macro


def test_a_query_does_not_stand_in_both_forms(tmp_path: Path) -> None:
    refused(tmp_path, HEAD + '[[expect]]\nq1 = "1"\n[expect.values]\nq1 = "0"\n', "beside `values` and in it")


def test_several_values_of_an_axis_share_an_expectation(tmp_path: Path) -> None:
    text = '[[expect]]\nwhen = { ties = ["best", "line"], order = ["score", "rank"] }\nq1 = "1"\n'
    case = case_of(tmp_path, HEAD + text)
    assert [each.label for each in case.expectations] == [
        "ties=best, order=score",
        "ties=best, order=rank",
        "ties=line, order=score",
        "ties=line, order=rank",
    ]


def test_one_specification_is_expected_once(tmp_path: Path) -> None:
    text = '[[expect]]\nwhen = { ties = "best" }\nq1 = "1"\n[[expect]]\nwhen = { ties = ["best", "line"] }\nq1 = "0"\n'
    refused(tmp_path, HEAD + text, "ties=best twice")


def test_missing_undefined_and_interval_are_three_things(tmp_path: Path) -> None:
    text = """
[[expect]]
when = { ties = "best" }
q1 = "1"
q2 = "missing"
[[expect]]
when = { ties = "worst" }
q1 = "undefined"
q2 = "1"
[[expect]]
when = { ties = "random" }
q1 = ["0", "1"]
q2 = "1"
"""
    best, worst, random = case_of(tmp_path, HEAD + text).expectations
    assert best.values.keys() == {"q1"}
    assert best.mean == ClosedForm("1")
    assert worst.values["q1"] == worst.mean == Undefined()
    assert random.values["q1"] == Interval(ClosedForm("0"), ClosedForm("1"))
    assert isinstance(random.mean, Interval)
    assert random.mean.worst.equals(ClosedForm("1/2"))
    assert random.mean.best.equals(ClosedForm("1"))


def test_a_mean_over_no_query_is_undefined(tmp_path: Path) -> None:
    (expectation,) = case_of(tmp_path, HEAD + '[[expect]]\nwhen = { ties = "best" }\n').expectations
    assert expectation.values == {}
    assert expectation.mean == Undefined()


def test_what_is_refused_has_no_values(tmp_path: Path) -> None:
    (expectation,) = case_of(tmp_path, HEAD + '[[expect]]\nrefused = "input"\n').expectations
    assert expectation.refused == "input"
    refused(tmp_path, HEAD + '[[expect]]\nrefused = "input"\nq1 = "1"\n', "either refused or has values")
    refused(tmp_path, HEAD + '[[expect]]\nrefused = "perhaps"\n', "input")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (HEAD, "expect"),
        (HEAD + "[[expect]]\nq1 = 1\n", "q1"),
        (HEAD + "[[expect]]\nq1 = 0.5\n", "q1"),
        (HEAD + '[[expect]]\nq1 = ["0", "1", "2"]\n', "q1"),
        (HEAD + '[[expect]]\nq1 = "x"\n', "a-case: the closed form 'x'"),
        (HEAD + '[[expect]]\nmean = "missing"\n', "never missing"),
        (HEAD + '[[expect]]\nwhen = { tie = "best" }\nq1 = "1"\n', "no axis 'tie'"),
        (HEAD + '[[expect]]\nwhen = { ties = "first" }\nq1 = "1"\n', "no value 'first'"),
        (HEAD + '[[expect]]\nwhen = { ties = [] }\nq1 = "1"\n', "when.ties"),
        (HEAD + '[[expect]]\nwhen = { ap_denominator = "relevant" }\nq1 = "1"\n', "no axis ap_denominator"),
        (HEAD.replace("why ", "wherefore ") + '[[expect]]\nq1 = "1"\n', "why|wherefore"),
        (HEAD.replace("case/1", "case/2") + '[[expect]]\nq1 = "1"\n', "schema"),
        ('colour = "red"\n' + HEAD + '[[expect]]\nq1 = "1"\n', "colour"),
        (HEAD.replace('run = """', 'run_base64 = "cTE="\nrun = """') + '[[expect]]\nq1 = "1"\n', "either run or"),
        (HEAD.replace("run = ", "ran = ") + '[[expect]]\nq1 = "1"\n', "ran"),
        (HEAD.split("run = ", maxsplit=1)[0] + '[[expect]]\nq1 = "1"\n', "either run or"),
        ("schema = ", "no TOML"),
    ],
)
def test_a_file_that_is_no_case_is_refused(tmp_path: Path, text: str, match: str) -> None:
    refused(tmp_path, text, match)


def test_bytes_that_toml_cannot_hold_are_base64(tmp_path: Path) -> None:
    text = HEAD.replace('qrels = """\nq1 0 A 1\nq2 0 A 1\n"""', 'qrels_base64 = "cTEgMCDpIDEK"')
    case = case_of(tmp_path, text + '[[expect]]\nq1 = "1"\n')
    assert case.qrels == b"q1 0 \xe9 1\n"
    damaged = case_of(tmp_path, text.replace("cTEgMCDpIDEK", "cTEg!") + '[[expect]]\nq1 = "1"\n')
    with pytest.raises(InputError, match="a-case: qrels_base64"):
        _ = damaged.qrels


def test_control_characters_are_escapes(tmp_path: Path) -> None:
    text = HEAD.replace('run = """\n', 'run = """\n\\uFEFF# \\u0000\\t\\r\n')
    assert case_of(tmp_path, text + '[[expect]]\nq1 = "1"\n').run.startswith(b"\xef\xbb\xbf# \0\t\r\n")


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_case(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="no TOML"):
        load_case(tmp_path / "bytes.toml")


def test_a_folder_of_cases_is_read_in_order_without_the_ledger(tmp_path: Path) -> None:
    text = HEAD + '[[expect]]\nq1 = "1"\n'
    for name in ("ties/b.toml", "ties/a.toml", "order/c.toml"):
        case_of(tmp_path, text, name)
    (tmp_path / "known").mkdir()
    (tmp_path / "known" / "ranx.toml").write_text("no case")
    assert [case.id for case in load_cases(tmp_path)] == ["c", "a", "b"]
    assert [case.id for case in select(load_cases(tmp_path), "ties/")] == ["a", "b"]
    with pytest.raises(UsageError, match="'gain'"):
        select(load_cases(tmp_path), "gain")


def test_an_id_stands_once_in_a_suite(tmp_path: Path) -> None:
    for name in ("ties/a.toml", "order/a.toml"):
        case_of(tmp_path, HEAD + '[[expect]]\nq1 = "1"\n', name)
    with pytest.raises(InputError, match="id a stands in order and in ties"):
        load_cases(tmp_path)


def test_a_folder_without_cases_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no case"):
        load_cases(tmp_path)


def test_the_suite_is_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cases_folder().name == "cases"
    assert len(case_paths()) == len(load_cases())


def test_a_pair_is_written_byte_for_byte(tmp_path: Path) -> None:
    (case,) = select(load_cases(), "reading/ids-not-utf8")
    qrels, run = write_pair(case, tmp_path)
    assert qrels.read_bytes() == case.qrels == b"q1 0 \xe9 1\n"
    assert run.read_bytes() == case.run
