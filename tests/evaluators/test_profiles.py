"""The catalogue: closed files, every axis declared, and the specifications that follow from them."""

from __future__ import annotations

import copy
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from ndcgauge.errors import NdcgaugeError, UsageError
from ndcgauge.evaluators.names import baseline_spec, catalogue, is_evaluator
from ndcgauge.evaluators.profiles import ANY_INTEGER, ANY_NUMBER, entry_from
from ndcgauge.evaluators.references import Catalogued
from ndcgauge.evaluators.workers import called
from ndcgauge.spec import AXES, PRESETS, Measure, MetricSpec, axes_of, parse_measure

IDS = [
    "sklearn",
    "sklearn-retrieved",
    "sklearn-padded",
    "sklearn-ignore-ties",
    "pyserini",
    "pyserini-c",
    "pyserini-judged",
    "ranx",
    "ranx-burges",
]
FOLDER = files("ndcgauge.evaluators") / "catalogue"
ALL_MEASURES = [(name, stem) for name in IDS for stem in catalogue()[name].measures]


def raw(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def supported(name: str, stem: str) -> Measure:
    cutoff = {"any": 10, "required": 10, "none": None}[catalogue()[name].measures[stem].cutoff]
    return Measure(stem, cutoff)


def test_one_entry_a_file_in_the_order_of_the_design() -> None:
    assert list(catalogue()) == IDS
    assert {f"{name}.toml" for name in IDS} == {file.name for file in FOLDER.iterdir() if file.name.endswith("toml")}


@pytest.mark.parametrize(("name", "stem"), ALL_MEASURES)
def test_every_axis_of_every_measure_is_declared_by_a_value_that_the_axis_has(name: str, stem: str) -> None:
    declared = catalogue()[name].measures[stem].axes
    assert set(declared) == {axis.name for axis in axes_of(stem)} - {"cutoff"}
    for axis, declaration in declared.items():
        if declaration.kind == "undocumented":
            assert declaration.value is None
            assert declaration.shown_by, f"{axis}: an undocumented axis says what was found"
        else:
            assert AXES[axis].parse(declaration.value or "") == declaration.value
        assert (declaration.kind == "settable") == (bool(declaration.settable) and declaration.value is not None)
        for value in declaration.settable:
            assert value in (ANY_INTEGER, ANY_NUMBER) or AXES[axis].parse(value) == value
            assert value != declaration.value


@pytest.mark.parametrize(("name", "stem"), ALL_MEASURES)
def test_what_was_measured_says_what_shows_it(name: str, stem: str) -> None:
    silent = [axis for axis, each in catalogue()[name].measures[stem].axes.items() if not each.shown_by]
    assert silent == []


@pytest.mark.parametrize(("name", "stem"), ALL_MEASURES)
def test_a_profile_has_the_declared_values_and_the_cutoff_of_the_measure(name: str, stem: str) -> None:
    measure = supported(name, stem)
    profile = catalogue()[name].profile(measure)
    assert profile is not None
    assert (profile.measure, profile.cutoff) == (stem, measure.cutoff)
    preset = MetricSpec.of(stem)
    for axis, declaration in catalogue()[name].measures[stem].axes.items():
        assert profile[axis] == (preset[axis] if declaration.value is None else declaration.value)


@pytest.mark.parametrize(("name", "stem"), ALL_MEASURES)
def test_the_call_is_a_line_without_blanks_to_fill_in(name: str, stem: str) -> None:
    line = called(Catalogued(name), supported(name, stem))
    assert "{" not in line
    assert "}" not in line


@pytest.mark.parametrize(
    ("name", "measure", "differs"),
    [
        # DESIGN §5.1, row by row.
        ("sklearn", "ndcg@10", {"ties": "average", "unretrieved": "append", "ideal": "judged", "queries": "judged"}),
        ("sklearn-retrieved", "ndcg@10", {"ties": "average", "unretrieved": "absent", "ideal": "retrieved"}),
        ("sklearn-padded", "ndcg@10", {"ties": "average", "unretrieved": "absent", "ideal": "judged"}),
        ("sklearn-ignore-ties", "ndcg@10", {"ties": "observed", "unretrieved": "append"}),
        ("pyserini", "ndcg@10", {"score_precision": "float32", "ties": "docid-desc", "queries": "intersection"}),
        ("pyserini", "ndcg", {"rounding": "4", "negative": "unjudged", "nul": "stop"}),
        ("pyserini-c", "map", {"queries": "judged", "unjudged": "zero", "rounding": "4"}),
        ("pyserini-judged", "ndcg@10", {"queries": "judged", "unjudged": "drop", "negative": "zero"}),
        ("pyserini-c", "judged@10", {"order": "line", "averaging": "pooled", "queries": "run"}),
        ("pyserini", "judged@10", {"run_duplicates": "all", "qrels_duplicates": "all", "grades": "as-written"}),
        ("ranx", "ndcg@10", {"gain": "linear", "queries": "judged", "ties": "observed", "score_precision": "float64"}),
        ("ranx-burges", "ndcg@10", {"gain": "exponential", "ties": "observed"}),
    ],
)
def test_profiles_are_those_of_the_design(name: str, measure: str, differs: dict[str, str]) -> None:
    profile = catalogue()[name].profile(parse_measure(measure))
    assert profile is not None
    assert {axis: profile[axis] for axis in differs} == differs


@pytest.mark.parametrize(
    ("name", "measure", "axis"),
    [
        ("sklearn-padded", "ndcg", "cutoff"),
        ("sklearn", "map@10", "cutoff"),
        ("pyserini", "mrr@10", "cutoff"),
        ("pyserini", "judged", "cutoff"),
        ("pyserini", "dcg@10", "measure"),
        ("sklearn", "mrr", "measure"),
        ("ranx", "judged@10", "measure"),
        ("ranx-burges", "map", "measure"),
    ],
)
def test_what_an_evaluator_lacks_has_no_profile_and_a_reason(name: str, measure: str, axis: str) -> None:
    entry, asked = catalogue()[name], parse_measure(measure)
    assert entry.profile(asked) is None
    lacks = entry.unsupported(asked)
    assert lacks is not None
    assert lacks.axis == axis
    with pytest.raises(UsageError, match=name):
        baseline_spec(name, asked)


@pytest.mark.parametrize(
    ("name", "measure", "settings"),
    [
        ("ranx", "hit_rate@5", {"recall_denominator": "any"}),
        ("pyserini", "success_5", {"recall_denominator": "any"}),
        ("ranx", "recall@5", {}),
        ("pyserini", "AP(rel=2)", {"threshold": "2"}),
        ("pyserini", "AP(rel=2.0)", {"threshold": "2"}),
        ("pyserini", "AP(rel=1)", {}),  # what the plain call does anyway
        ("pyserini", "AP(rel=1.5)", {}),  # -l takes whole numbers
        ("sklearn", "AP(rel=1.5)", {"threshold": "1.5"}),
        ("ranx", "ndcg_burges@5", {}),  # the gain is that of the id, whatever the name says
        ("ranx", "judged@5", {}),
    ],
)
def test_a_name_sets_what_its_evaluator_can_set(name: str, measure: str, settings: dict[str, str]) -> None:
    entry, asked = catalogue()[name], parse_measure(measure)
    assert entry.settings(asked) == settings
    profile = entry.profile(asked)
    if profile is not None:
        plain = entry.profile(Measure(asked.stem, asked.cutoff))
        assert plain is not None
        assert profile == plain.replace(**settings)


def test_a_threshold_that_is_no_number_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="threshold"):
        catalogue()["ranx"].settings(parse_measure("AP(rel=high)"))


def put(*path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """A change of a catalogue file: the value under these keys; `None` takes the key out."""

    def change(table: dict[str, Any]) -> None:
        for key in path[:-1]:
            table = table[key]
        if value is None:
            del table[path[-1]]
        else:
            table[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("licence", value="BSD"), "licence is no field"),
        (put("axes", "ties", "remark", value="x"), "axes, ties: remark is no field"),
        (put("measures", "ndcg", "rows", value=True), "measures, ndcg: rows is no field"),
        (put("measures", "ndcg", "ap_denominator", value={"fixed": "relevant"}), "ap_denominator is no field"),
        (put("measures", "err", value={"cutoff": "any"}), "err is none of"),
        (put("axes", "tie", value={"fixed": "line", "evidence": "source: x"}), "tie is none of"),
        (put("axes", "judged_denominator", value={"fixed": "k", "evidence": "source: x"}), "of none of its measures"),
        (put("id", value="other"), "id is 'other'"),
        (put("title", value=None), "title is missing"),
        (put("title", value=""), "title is empty"),
        (put("tested", value="1.9.1"), "tested is not a list"),
        (put("tested", value=[1.9]), "tested is not a list of texts"),
        (put("prints_missing", value="no"), "prints_missing is not true or false"),
        (put("reads", value="pipes"), "reads is 'pipes'"),
        (put("arithmetic", value="float16"), "arithmetic is 'float16'"),
        (put("measures", "ndcg", "cutoff", value="maybe"), "cutoff is 'maybe'"),
        (put("axes", "order", value=None), "order is missing"),
        (put("axes", "order", value="score"), "order is not a table"),
        (put("axes", "order", "fixed", value=None), "fixed is missing"),
        (put("axes", "order", "fixed", value="alphabet"), "axis order has no value 'alphabet'"),
        (put("axes", "order", "evidence", value=None), "evidence is missing"),
        (put("axes", "order", "evidence", value="hearsay: x"), "evidence does not start with"),
        (put("axes", "order", "undocumented", value=True), "undocumented is true, and without fixed"),
        (put("axes", "negative", "undocumented", value=False), "undocumented is true, and without fixed"),
        (put("axes", "ties", "settable", value={"dice": "throw them"}), "axis ties has no value 'dice'"),
        (put("axes", "ties", "settable", value={"line": 3}), "line is not a text"),
    ],
)
def test_a_file_that_is_not_as_it_should_be_is_named(change: Callable[[dict[str, Any]], None], said: str) -> None:
    table = copy.deepcopy(raw("sklearn"))
    assert entry_from("sklearn", table) == catalogue()["sklearn"]
    change(table)
    with pytest.raises(NdcgaugeError, match=r"catalogue/sklearn\.toml") as caught:
        entry_from("sklearn", table)
    assert said in caught.value.message


def test_names_are_presets_and_evaluators_and_never_both() -> None:
    assert not set(PRESETS) & set(IDS)
    assert [name for name in (*PRESETS, *IDS, "trec-eval", "") if is_evaluator(name)] == IDS


def test_a_baseline_is_a_preset_or_a_profile() -> None:
    measure = parse_measure("ndcg@10")
    assert baseline_spec("trec_eval", measure) == MetricSpec.of("ndcg", {"cutoff": "10"})
    assert baseline_spec("burges2005", measure) == MetricSpec.of("ndcg", {"cutoff": "10", "gain": "exponential"})
    for name in IDS:
        assert baseline_spec(name, measure) == catalogue()[name].profile(measure)


def test_an_unknown_baseline_is_a_usage_error_that_lists_the_names() -> None:
    with pytest.raises(UsageError, match="treceval") as caught:
        baseline_spec("treceval", parse_measure("ndcg@10"))
    assert caught.value.fix is not None
    assert all(name in caught.value.fix for name in (*PRESETS, *IDS))


def test_the_catalogue_needs_no_numeric_library_and_no_evaluator() -> None:
    heavy = ["numpy", "pandas", "scipy", "sklearn", "ranx", "pyserini", "pydantic"]
    script = f"""
import sys
from ndcgauge.evaluators.names import catalogue
catalogue()
print([name for name in {heavy} if name in sys.modules])
"""
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
