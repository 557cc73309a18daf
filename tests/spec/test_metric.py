import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcgauge.errors import UsageError
from ndcgauge.spec import AXES, MEASURES, MetricSpec, axes_of, preset_spec


def any_spec() -> st.SearchStrategy[MetricSpec]:
    def of(measure: str) -> st.SearchStrategy[MetricSpec]:
        choices = {each.name: st.sampled_from(each.values) for each in axes_of(measure)}
        return st.fixed_dictionaries(choices).map(lambda values: MetricSpec.of(measure, values))

    return st.sampled_from(MEASURES).flatmap(of)


@given(any_spec())
def test_canonical_json_is_the_identity(spec: MetricSpec) -> None:
    again = MetricSpec.from_dict(json.loads(spec.canonical_json))
    assert again == spec
    assert again.hash == spec.hash
    assert list(json.loads(spec.canonical_json)) == sorted(json.loads(spec.canonical_json))


@given(any_spec(), any_spec())
def test_different_specifications_have_different_hashes(one: MetricSpec, other: MetricSpec) -> None:
    assert (one.hash == other.hash) == (one == other)


@given(any_spec())
def test_every_axis_of_the_measure_stands_in_the_canonical_form(spec: MetricSpec) -> None:
    assert set(spec.to_dict()) == {"measure", *(each.name for each in axes_of(spec.measure))}


@given(any_spec(), st.data())
def test_diff_lists_what_replace_changed(spec: MetricSpec, data: st.DataObject) -> None:
    axis = data.draw(st.sampled_from(sorted(spec.axes)))
    value = data.draw(st.sampled_from(AXES[axis].values))
    changed = spec.replace(**{axis: value})
    assert spec.diff(changed) == ({} if spec[axis] == value else {axis: (spec[axis], value)})


def test_hash_is_the_same_in_another_process() -> None:
    program = "from ndcgauge.spec import MetricSpec; print(MetricSpec.of('ndcg', {'cutoff': '10'}).hash)"
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert printed == {MetricSpec.of("ndcg", {"cutoff": "10"}).hash}


def test_short_text_names_only_what_differs_from_trec_eval() -> None:
    base = MetricSpec.of("ndcg", {"cutoff": "10"})
    assert base.short() == "ndcg@10 [trec_eval]"
    assert base.replace(ties="average", gain="exponential").short() == "ndcg@10 [ties=average, gain=exponential]"


@pytest.mark.parametrize(
    ("axis", "written", "canonical"),
    [
        ("discount", "log2+1", "log2"),
        ("discount", "log2+2.0", "log2+2"),
        ("discount", "jk:2.0", "jk:2"),
        ("gain", "3:10,0:0,1:1.0,2:4", "0:0,1:1,2:4,3:10"),
        ("threshold", "2.0", "2"),
        ("min_score", "0.0", "0"),
        ("unretrieved", "score:-1.50", "score:-1.5"),
        ("depth", "0100", "100"),
        ("row_rounding", "4", "4"),
    ],
)
def test_values_with_numbers_have_one_canonical_text(axis: str, written: str, canonical: str) -> None:
    assert MetricSpec.of("ndcg", {axis: written})[axis] == canonical


@pytest.mark.parametrize(
    ("axis", "value"),
    [
        ("gain", "quadratic"),
        ("gain", "0:0,0:1"),
        ("gain", "0:0,1"),
        ("discount", "jk:1"),
        ("discount", "log2+0"),
        ("depth", "0"),
        ("threshold", "nan"),
        ("min_score", "inf"),
        ("ties", "docid"),
        ("ties", "observed:xyz"),
        ("rounding", "-1"),
        ("nonsense", "1"),
        ("ap_denominator", "relevant"),
    ],
)
def test_unknown_values_and_axes_are_usage_errors(axis: str, value: str) -> None:
    with pytest.raises(UsageError):
        MetricSpec.of("ndcg", {axis: value})


def test_presets_differ_from_trec_eval_where_their_sources_do() -> None:
    trec_eval = preset_spec("trec_eval", "ndcg", 10)
    assert trec_eval.diff(preset_spec("jarvelin2002", "ndcg", 10)) == {"discount": ("log2", "jk:2")}
    assert trec_eval.diff(preset_spec("burges2005", "ndcg", 10)) == {"gain": ("linear", "exponential")}
    with pytest.raises(UsageError, match="no preset"):
        preset_spec("trec-eval", "ndcg", 10)
