"""A plain line means to the quick reader what it means to typer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcgauge.cli import scoring
from ndcgauge.cli.app import command
from ndcgauge.cli.plain_line import FLAGS, OPTIONS, REPEATABLE, understood

WORD = st.sampled_from(["q.txt", "r.run", "-", "ndcg@10", "trec", "terminal", "first", "stop", "a=b", "x y", "", "é"])
TOKEN = st.one_of(
    WORD,
    st.sampled_from([*FLAGS, *OPTIONS, *REPEATABLE]),
    st.sampled_from(["--help", "-qc", "--format=json", "--", "-x", "-mndcg", "--quie", "-m=ap"]),
)


def by_typer(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any] | None:
    """What typer hands to the work; None where it stops before."""
    handed: list[dict[str, Any]] = []

    def note(qrels: str, runs: list[str], **rest: Any) -> None:
        handed.append({"qrels": qrels, "runs": runs, **rest})

    with monkeypatch.context() as patch:
        patch.setattr(scoring, "print_scores", note)
        try:
            command("score").main(args=["score", *arguments], prog_name="ndcgauge", standalone_mode=False)
        except Exception:  # noqa: BLE001 - a usage error of typer's, whatever its class is called in this version
            return None
    return handed[0] if handed else None


def defaults() -> dict[str, Any]:
    return dict(scoring.print_scores.__kwdefaults__ or {})


@pytest.fixture(scope="module")
def patching() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@settings(max_examples=150, deadline=None)
@given(arguments=st.lists(TOKEN, max_size=8))
def test_what_is_understood_is_what_typer_understands(arguments: list[str], patching: pytest.MonkeyPatch) -> None:
    quick = understood(arguments)
    if quick is None:
        return
    slow = by_typer(arguments, patching)
    assert slow is not None
    assert {**defaults(), **quick} == {
        **slow,
        "measure": slow["measure"] or None,
        "sets": slow["sets"] or None,
        "output": slow["output"] or None,
    }


def test_every_flag_is_understood(patching: pytest.MonkeyPatch) -> None:
    values = {"form": "json", "on_duplicate": "last", "on_nul": "keep"}
    line = ["q", "r"]
    for flag, name in {**FLAGS, **OPTIONS, **REPEATABLE}.items():
        line += [flag] if flag in FLAGS else [flag, values.get(name, "word")]
    quick = understood(line)
    assert quick is not None
    assert {**defaults(), **quick} == by_typer(line, patching)
    # Nothing that typer offers is missing, but its help and what it leaves as it is.
    assert quick.keys() == {"qrels", "runs", *defaults()}


@pytest.mark.parametrize(
    "line",
    [["q"], [], ["q", "r", "-m"], ["q", "r", "--help"], ["q", "r", "-qc"], ["q", "r", "-f", "xml"],
     ["q", "r", "--on-nul", "no"], ["q", "r", "-m", "-q"], ["q", "r", "--format=trec"], ["q", "--", "r"]],
)  # fmt: skip
def test_the_rest_is_left_to_typer(line: list[str]) -> None:
    assert understood(line) is None


def test_completion_is_left_to_typer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_NDCGAUGE_COMPLETE", "complete_bash")
    assert understood(["q", "r"]) is None
