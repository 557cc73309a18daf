"""Whole checks of programs that speak the protocol: fakes that compute a known specification."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from ndcgauge.cli.main import run
from ndcgauge.errors import UsageError
from ndcgauge.jobs.check import check, check_options, claimed
from ndcgauge.results.checks import CheckedEvaluator, CheckReport
from ndcgauge.spec import Measure

COMPUTING = Path(__file__).parents[1] / "suite" / "fakes" / "computing.py"


def program(*arguments: str) -> str:
    return "fake=exec:" + shlex.join([sys.executable, str(COMPUTING), *arguments])


def checked(*arguments: str, **options: object) -> tuple[CheckReport, CheckedEvaluator]:
    report = check(check_options([program(*arguments)], **options))  # type: ignore[arg-type]
    return report, report.evaluators[0]


def test_an_evaluator_as_the_preset_conforms_and_gives_every_case() -> None:
    report, fake = checked(pattern="ndcg")
    assert fake.conforms
    assert (fake.outcome, fake.version) == ("checked", "1.0")
    assert fake.matching == fake.asked == len(report.cases) > 25
    assert all(each.results["fake"].matches for each in report.cases)
    assert fake.fingerprint["ties"].measured == fake.fingerprint["ties"].declared == "docid-desc"
    assert fake.fingerprint["cutoff"].measured == "as asked"


def test_two_planted_axes_are_measured_and_named_by_their_cases() -> None:
    report, fake = checked("gain=exponential", "ties=average", measures=["ndcg"])
    assert not fake.conforms
    found = fake.fingerprint
    assert (found["gain"].declared, found["gain"].measured) == ("linear", "exponential")
    assert (found["ties"].declared, found["ties"].measured) == ("docid-desc", "average")
    assert "gain-ndcg" in found["gain"].cases
    assert "ties-ndcg" in found["ties"].cases
    others = {axis: each.standing for axis, each in found.items() if axis not in ("gain", "ties")}
    assert set(others.values()) <= {"same", "undetermined"}
    of_gain = next(each for each in report.cases if each.id == "gain-ndcg").results["fake"]
    assert not of_gain.matches
    assert of_gain.value is not None


def test_a_declared_profile_makes_the_same_evaluator_conform() -> None:
    _, fake = checked(
        "gain=exponential", "ties=average", measures=["ndcg"], profiles=["fake=trec_eval,gain=exponential,ties=average"]
    )
    assert fake.conforms
    assert fake.fingerprint["gain"].declared == fake.fingerprint["gain"].measured == "exponential"


def test_input_order_below_16_and_arbitrary_above_is_mixed_with_the_cases() -> None:
    _, fake = checked("--mixed", measures=["ndcg"], pattern="ties")
    ties = fake.fingerprint["ties"]
    assert ties.measured == "mixed"
    assert set(ties.values) == {"line", "arbitrary"}
    assert "ties-of-15" in ties.values["line"]
    assert "ties-of-120" in ties.values["arbitrary"]
    assert {"ties-of-15", "ties-of-120"} <= set(ties.cases)
    assert not fake.conforms


def test_an_order_that_moves_from_call_to_call_is_random() -> None:
    _, fake = checked("--random", measures=["ndcg"], pattern="ties")
    assert fake.fingerprint["ties"].measured == "random"


@pytest.mark.parametrize("tells", [True, False])
def test_printed_decimals_are_a_rounding_and_no_other_difference(tells: bool) -> None:
    _, fake = checked("--decimals", "4", *(["--tells"] if tells else []), measures=["ndcg"])
    assert fake.fingerprint["rounding"].measured == "4"
    # What it says it prints is its profile; where it says nothing, the numbers say it.
    assert fake.fingerprint["rounding"].declared == ("4" if tells else "none")
    assert fake.fingerprint["gain"].measured == "linear"


def test_a_measure_with_a_cutoff_is_asked_at_it() -> None:
    report, fake = checked("discount=jk:2", measures=["ndcg@10"], pattern="discount")
    assert fake.fingerprint["discount"].measured == "jk:2"
    assert report.cases


def test_a_measure_that_it_lacks_is_no_difference() -> None:
    report, fake = checked("--measures", "ndcg", pattern="gain-")
    assert fake.conforms
    outcomes = {each.id: each.results["fake"].outcome for each in report.cases}
    assert outcomes["gain-dcg"] == "unsupported"
    assert set(fake.measures) == {"ndcg"}


def test_an_evaluator_that_cannot_start_or_dies_is_told_as_such(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "-e", "gone=exec:./there-is-no-such-program", "-k", "gain-ndcg", "-f", "json"]) == 4
    document = json.loads(capfd.readouterr().out)
    assert document["evaluators"][0]["outcome"] == "unavailable"
    died = f"died=exec:{shlex.join([sys.executable, '-c', 'raise SystemExit(3)'])}"
    assert run(["check", "-e", died, "-k", "gain-ndcg", "-f", "json", "--quiet"]) == 4
    document = json.loads(capfd.readouterr().out)
    assert document["evaluators"][0]["outcome"] == "crashed"
    assert document["evaluators"][0]["conforms"] is False


def test_a_library_that_is_not_installed_is_told_with_how_to_get_it(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    # Over the whole suite: nobody is there to be asked about any of its files.
    assert run(["check", "-e", "pyserini", "-f", "json"]) == 4
    out = capfd.readouterr()
    assert json.loads(out.out)["evaluators"][0]["outcome"] == "unavailable"
    assert "pip install 'ndcgauge[pyserini]'" in out.err


def test_options_that_cannot_be_meant_are_refused() -> None:
    with pytest.raises(UsageError, match="NAME=PRESET"):
        check_options(["sklearn"], profiles=["sklearn=burges2005"])
    with pytest.raises(UsageError, match="no case"):
        checked(pattern="there-is-no-such-case")
    with pytest.raises(UsageError, match="two cutoffs"):
        checked(measures=["ndcg@5", "ndcg@10"])


def test_a_profile_is_a_preset_with_changes() -> None:
    spec = claimed("trec_eval,gain=0:0,1:1,2:4,3:10,ties=average", Measure("ndcg", 5))
    assert (spec["gain"], spec["ties"], spec["cutoff"]) == ("0:0,1:1,2:4,3:10", "average", "5")
    assert claimed("trec_eval,gain=binary", Measure("ap", None)).measure == "ap"
    with pytest.raises(UsageError, match="no axis"):
        claimed("trec_eval,gian=binary", Measure("ndcg", None))
