from __future__ import annotations

from pathlib import Path

import pytest

from ndcgauge.spec import AXES, MEASURES, axes_of
from ndcgauge.suite.lint import Uncovered, coverable, lint, lint_case, uncovered, value_form
from ndcgauge.suite.loading import load_case, load_cases
from ndcgauge.suite.model import Case

SOUND = '''
schema  = "ndcgauge-case/1"
title   = "the tie rule decides which document is first"
axes    = ["ties"]
why     = "two tools order equal scores in two ways"
refs    = ["https://github.com/usnistgov/trec_eval/issues/22"]
measure = "ndcg"
qrels = """
q1 0 A 1
"""
run = """
q1 Q0 A 1 1.0 demo
q1 Q0 B 2 1.0 demo
"""

[[expect]]
when = { ties = "docid-desc" }
q1 = "1/log2(3)"

[[expect]]
when = { ties = ["docid-asc", "line"] }
q1 = "1"
'''


def case_of(folder: Path, text: str, name: str = "ties/a-case.toml") -> Case:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_case(path)


def findings(folder: Path, text: str, name: str = "ties/a-case.toml") -> list[str]:
    return [finding.text for finding in lint_case(case_of(folder, text, name))]


def test_the_suite_is_sound() -> None:
    assert [str(finding) for finding in lint(load_cases())] == []


def test_the_suite_covers_every_value_of_every_axis_of_every_measure() -> None:
    assert [str(each) for each in uncovered(load_cases())] == []


def test_the_suite_has_sixty_cases_at_least() -> None:
    assert len(load_cases()) >= 60


def test_a_sound_case_has_no_findings(tmp_path: Path) -> None:
    assert findings(tmp_path, SOUND) == []


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("the tie rule decides which document is first", "the tie rule should decide", "the title says 'should'"),
        ("the tie rule decides which document is first", "tests that the rule decides", "the title says 'tests that'"),
        ("the tie rule decides which document is first", "ties", "the title has 4 characters"),
        ("the tie rule decides which document is first", "the tie rule " * 8, "the title has 104 characters"),
        ("document is first", "document is first.", "the title ends with a full stop"),
        ("two tools order equal scores in two ways", "a tool will differ in its order", "the why says 'will'"),
        ("two tools order equal scores in two ways", "unclear", "why is empty, or nearly so"),
        ('refs    = ["https://github.com/usnistgov/trec_eval/issues/22"]', "refs = []", "refs is empty"),
        ("https://github.com/usnistgov/trec_eval/issues/22", "https://github.com", "is no address of a page"),
        ("https://github.com/usnistgov/trec_eval/issues/22", "paper", "names nothing that one could look up"),
        ('["ties"]', '["ties", "tie"]', "there is no axis 'tie'"),
        ('["ties"]', '["ties", "ties"]', "an axis is named twice"),
        ('["ties"]', '["ties", "ap_denominator"]', "the measure ndcg has no axis ap_denominator"),
        ('["ties"]', '["ties", "gain"]', "no expectation sets the axis gain"),
        ('["ties"]', '["order"]', "it stands in ties, not in order"),
        ('["ties"]', "[]", "it stands in ties, not in reading"),
        ('measure = "ndcg"', 'measure = "bpref"', "'bpref' is not a measure"),
        ('q1 = "1"', 'q1 = "1/log2(3)"', "ties=docid-desc and ties=docid-asc give the same"),
        ('q1 = "1"', 'q1 = "2/(2*log2(3))"', "ties=docid-desc and ties=docid-asc give the same"),
        ('q1 = "1"', 'q1 = "one"', "the closed form 'one' cannot be read"),
        ('q1 = "1"', 'q1 = ["0", "1"]', "q1 has an interval, but the specification has one value"),
        ('q1 = "1"', 'q9 = "1"', "neither file has the query q9"),
        ('q1 = "1"', 'q1 = "1"\nprinted = { q1 = "1" }', "rounding says nothing of what is printed"),
        ('"line"] }', '"line"], rounding = "4" }\nprinted = { q9 = "1" }', "q9 is printed but has no value"),
        ('"line"] }', '"line"], averaging = "pooled" }', "a pooled mean is not the mean of the values"),
        ("q1 0 A 1\n", "q1 0 A\n", "the qrels cannot be read, line 1: 3 columns"),
        ("q1 Q0 B 2 1.0 demo", "q1 Q0 B 2 nan demo", "the run cannot be read, line 2: the score 'nan'"),
    ],
)
def test_what_is_wrong_is_found(tmp_path: Path, old: str, new: str, finding: str) -> None:
    assert old in SOUND
    found = findings(tmp_path, SOUND.replace(old, new))
    assert any(finding in each for each in found), found


def test_an_interval_runs_upwards(tmp_path: Path) -> None:
    text = SOUND.replace('["docid-asc", "line"]', '"random"').replace('q1 = "1"', 'q1 = ["1", "0"]')
    assert "ties=random: the interval of q1 ends below its beginning" in findings(tmp_path, text)


def test_an_id_is_small_letters_digits_and_hyphens(tmp_path: Path) -> None:
    assert findings(tmp_path, SOUND, "ties/A_Case.toml") == ["an id has small letters, digits and hyphens"]


def test_a_finding_names_folder_and_id(tmp_path: Path) -> None:
    (finding,) = lint_case(case_of(tmp_path, SOUND.replace("is first", "is first.")))
    assert str(finding) == "ties/a-case: the title ends with a full stop"


def test_a_file_that_every_specification_refuses_need_not_be_readable(tmp_path: Path) -> None:
    head = SOUND.split("[[expect]]", maxsplit=1)[0].replace('["ties"]', "[]").replace("1.0 demo", "nan demo")
    assert findings(tmp_path, head + '[[expect]]\nrefused = "input"\n', "reading/a-case.toml") == []


@pytest.mark.parametrize(
    ("other", "told_apart"),
    [
        ('q1 = "1/log2(3)"\nq2 = "missing"', False),
        ('q1 = "1/log2(3)"\nmean = "1"', True),
        ('q1 = "undefined"', True),
        ('refused = "input"', True),
    ],
)
def test_expectations_are_distinct_where_an_answer_can_tell(tmp_path: Path, other: str, told_apart: bool) -> None:
    found = findings(tmp_path, SOUND.replace('q1 = "1"', other))
    assert any("give the same" in each for each in found) is not told_apart


def test_printed_texts_tell_roundings_apart(tmp_path: Path) -> None:
    text = SOUND.replace('["ties"]', '["rounding"]').replace('ties = "docid-desc"', 'rounding = "3"')
    text = text.replace('ties = ["docid-asc", "line"]', 'rounding = "4"').replace('q1 = "1"', 'q1 = "1/log2(3)"')
    assert any("give the same" in each for each in findings(tmp_path, text, "rounding/a-case.toml"))
    text = text.replace('rounding = "4" }', 'rounding = "4" }\nprinted = { q1 = "0.6309" }')
    assert findings(tmp_path, text, "rounding/a-case.toml") == []


def test_a_case_covers_what_it_sets_on_the_axes_that_it_names(tmp_path: Path) -> None:
    case = case_of(tmp_path, SOUND)
    missing = uncovered([case])
    assert {each.value for each in coverable() if (each.measure, each.axis) == ("ndcg", "ties")} - {
        each.value for each in missing if (each.measure, each.axis) == ("ndcg", "ties")
    } == {"docid-desc", "docid-asc", "line"}
    assert Uncovered("dcg", "ties", "line") in missing
    unnamed = case_of(tmp_path, SOUND.replace('["ties"]', "[]"))
    assert len(uncovered([unnamed])) == len(coverable())


def test_everything_that_a_specification_can_have_is_asked_for() -> None:
    asked = coverable()
    for measure in MEASURES:
        for axis in axes_of(measure):
            values = {each.value for each in asked if (each.measure, each.axis) == (measure, axis.name)}
            assert values >= set(axis.values), axis.name


@pytest.mark.parametrize(
    ("axis", "value", "form"),
    [
        ("discount", "log2", "log2"),
        ("discount", "log2*reciprocal", "log2*reciprocal"),
        ("discount", "log2+2", "log2+c"),
        ("discount", "jk:10", "jk:b"),
        ("gain", "0:0,1:1", "a table such as 0:0,1:1,2:4,3:10"),
        ("depth", "7", "an integer"),
        ("unretrieved", "score:-1", "score:x"),
    ],
)
def test_values_with_a_number_count_by_their_form(axis: str, value: str, form: str) -> None:
    assert value_form(AXES[axis], value) == form
