"""Changed labels: values by hand, with L = log2(3), the second rank's discount."""

from __future__ import annotations

from math import log2
from pathlib import Path

import pytest

from ndcgauge.errors import UsageError
from ndcgauge.jobs.loading import load_run, open_inputs
from ndcgauge.jobs.perturbation import Sensitivity, parse_changes
from ndcgauge.jobs.request import request
from ndcgauge.results.several import Perturbation

L = log2(3)
QRELS = "q1 0 D3 3\nq1 0 D2 2\nq2 0 D1 1\n"
RIGHT = "q1 Q0 D3 1 2 r\nq1 Q0 D2 2 1 r\nq2 Q0 D9 1 2 r\nq2 Q0 D1 2 1 r\n"
"""The best order of q1; the only relevant document of q2 second."""
WRONG = "q1 Q0 D2 1 2 r\nq1 Q0 D3 2 1 r\nq2 Q0 D1 1 2 r\n"
"""The grade 3 of q1 second; q2 as good as can be."""


def perturb(folder: Path, changes: dict[str, str], *measures: str, sets: list[str] | None = None) -> Perturbation:
    names: list[str] = []
    for name, text in (("qrels", QRELS), ("right", RIGHT), ("wrong", WRONG)):
        (folder / name).write_text(text)
        names.append(str(folder / name))
    asked = request(list(measures) or ["ndcg@10"], sets=sets)
    inputs = open_inputs(names[0], names[1:], asked)
    found = Sensitivity(changes)
    for source in inputs.run_sources:
        collection = load_run(inputs, source, asked).collection
        found.add(collection, Path(source.name).name, [asked.spec(each, collection) for each in asked.measures])
    return found.document()


def test_values_before_and_after_under_both_gains(tmp_path: Path) -> None:
    found = {(each.run, each.gain): each for each in perturb(tmp_path, {"3": "2"}).entries}
    linear, exponential = found["wrong", "linear"], found["wrong", "exponential"]
    # q1: (2 + 3/L) / (3 + 2/L) before, (2 + 2/L) / (2 + 2/L) = 1 after; q2: 1 throughout.
    assert linear.mean == pytest.approx(((2 + 3 / L) / (3 + 2 / L) + 1) / 2, abs=1e-15)
    assert linear.perturbed == 1.0
    # Gains 3 and 7 in place of 2 and 3: the same error costs more.
    assert exponential.mean == pytest.approx(((3 + 7 / L) / (7 + 3 / L) + 1) / 2, abs=1e-15)
    assert exponential.perturbed == 1.0
    assert (linear.queries_changed, linear.largest_query) == (1, "q1")
    assert linear.largest == pytest.approx(1 - (2 + 3 / L) / (3 + 2 / L), abs=1e-15)
    assert found["right", "linear"].difference == 0.0


def test_the_order_of_runs_is_told_under_each_gain(tmp_path: Path) -> None:
    # right: (1 + 1/L) / 2 = 0.8155 throughout; wrong: 0.9566 linear, 0.9172 exponential; both after: 1.
    for found in perturb(tmp_path, {"3": "2"}).orders:
        assert found.before == found.after == [["wrong"], ["right"]]
        assert not found.changes_winner


def test_labels_can_change_the_winner(tmp_path: Path) -> None:
    # 1 becomes 0: q2 has nothing relevant and is 0 for both; q1 alone decides.
    found = perturb(tmp_path, {"1": "0"})
    assert all(each.changes_winner and each.after == [["right"], ["wrong"]] for each in found.orders)
    assert all(each.tau == -1.0 and each.swapped == [["wrong", "right"]] for each in found.orders)
    assert found.judgments == 1


def test_changes_happen_at_once(tmp_path: Path) -> None:
    # 3 and 2 exchange: the wrong order becomes the right one.
    found = {(each.run, each.gain): each for each in perturb(tmp_path, {"3": "2", "2": "3"}).entries}
    assert found["wrong", "linear"].perturbed == 1.0


def test_the_gain_of_the_specification_is_tried_too(tmp_path: Path) -> None:
    found = perturb(tmp_path, {"3": "2"}, sets=["gain=binary"])
    assert {each.gain for each in found.entries} == {"linear", "exponential", "binary"}


def test_a_measure_without_gains_has_one_row_a_run(tmp_path: Path) -> None:
    found = perturb(tmp_path, {"1": "0"}, "P@1")
    rows = [(each.run, each.gain, each.mean, each.perturbed) for each in found.entries]
    assert rows == [("right", "relevant from 1", 0.5, 0.5), ("wrong", "relevant from 1", 1.0, 0.5)]


def test_a_grade_that_nobody_gave_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no judgment has grade 4") as error:
        perturb(tmp_path, {"4": "3"})
    assert "1, 2, 3" in str(error.value)


def test_changes_are_read_as_numbers() -> None:
    assert parse_changes(["3=2,2=1", "1.0=0"]) == {"3": "2", "2": "1", "1": "0"}


@pytest.mark.parametrize("text", ["3", "3=", "=2", "3=x", "3=3", "3=2,3=1"])
def test_what_is_no_change_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="perturb-grades"):
        parse_changes([text])
