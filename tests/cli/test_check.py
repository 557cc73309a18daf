from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from ndcgauge.cli.main import run
from ndcgauge.results.schema import json_schema, kept_schema

COMPUTING = Path(__file__).parents[1] / "suite" / "fakes" / "computing.py"


def program(*arguments: str) -> str:
    return "fake=exec:" + shlex.join([sys.executable, str(COMPUTING), *arguments])


def test_the_keys_of_the_document_are_those_of_the_design(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    markdown = tmp_path / "check.md"
    code = run(
        ["check", "-e", program("gain=exponential"), "-k", "gain-", "-m", "ndcg", "-f", "json", "-o", str(markdown)]
    )
    assert code == 0
    document = json.loads(capfd.readouterr().out)
    fake = document["evaluators"][0]
    assert {"id", "version", "fingerprint", "conforms"} <= fake.keys()
    assert fake["conforms"] is False
    assert {"declared", "measured", "cases"} <= fake["fingerprint"]["gain"].keys()
    assert fake["fingerprint"]["gain"]["measured"] == "exponential"
    case = next(each for each in document["cases"] if each["id"] == "gain-ndcg")
    assert {"id", "axes", "results"} <= case.keys()
    assert case["axes"] == ["gain"]
    result = case["results"]["fake"]
    assert (result["outcome"], result["matches"]) == ("value", False)
    assert isinstance(result["value"], float)
    text = markdown.read_text()
    assert "exponential, declared linear" in text
    assert "gain\\-ndcg" in text or "gain-ndcg" in text


@pytest.mark.parametrize(
    ("arguments", "fail_on", "code"),
    [
        (["gain=exponential"], "never", 0),
        (["gain=exponential"], "differs", 1),
        (["gain=exponential"], "unexplained", 0),
        ([], "differs", 0),
    ],
)
def test_exit_codes(arguments: list[str], fail_on: str, code: int) -> None:
    options = ["-k", "gain-ndcg", "-m", "ndcg", "--fail-on", fail_on, "--quiet"]
    assert run(["check", "-e", program(*arguments), *options]) == code


def test_the_terminal_has_symbol_and_word_and_the_worst_axis_first(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    run(["check", "-e", program("gain=exponential"), "-k", "gain", "-m", "ndcg"])
    out, err = capfd.readouterr()
    assert "\x1b" not in out
    assert "✗ not as declared" in out
    rows = out[out.index("axis  ") :].splitlines()[2:]
    assert rows[0].startswith("gain")
    assert "✗ exponential, declared linear" in rows[0]
    assert "not as declared: fake" in err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["check", "-e", "nobody"], 2),
        (["check", "-k", "no-such-case", "-e", "sklearn"], 2),
        (["check", "-f", "xml"], 2),
        (["check", "-o", "there/is/no/such/folder/x.json"], 3),
    ],
)
def test_what_cannot_be_meant(arguments: list[str], code: int) -> None:
    assert run(arguments) == code


def test_the_schema_is_kept_beside_the_model() -> None:
    assert kept_schema("check") == json_schema("check")
