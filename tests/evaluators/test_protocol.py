"""Messages as they are really sent, and those of the documentation, against the JSON Schema."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.evaluators.asking import WORKED_QRELS, WORKED_RUN, MakeJob

from ndcgauge.evaluators import processes
from ndcgauge.evaluators import workers as workers_module
from ndcgauge.evaluators.outcomes import Value
from ndcgauge.evaluators.processes import Limits, Process
from ndcgauge.evaluators.references import Catalogued, EvaluatorRef, Program
from ndcgauge.evaluators.workers import Workers, unavailable

SCHEMA: dict[str, Any] = json.loads(
    (files("ndcgauge.evaluators") / "adapters" / "protocol.schema.json").read_text(encoding="utf-8")
)
DOCS = Path(__file__).parents[2] / "docs" / "adapter-protocol.md"
SERVE = Path(workers_module.__file__).with_name("adapters") / "serve.py"
FAKE = Path(__file__).parent / "fakes" / "misbehaving.py"


def validator(of: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{of}"}]})


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """Every message of a test, with who sent it."""
    messages: list[tuple[str, dict[str, Any]]] = []

    class Recorded(Process):
        def send(self, line: bytes) -> None:
            messages.append(("request", json.loads(line)))
            super().send(line)

        def line(self) -> bytes:
            line = super().line()
            messages.append(("reply", json.loads(line)))
            return line

    monkeypatch.setattr(processes, "Process", Recorded)
    yield messages
    assert messages
    assert [who for who, _ in messages] == ["request", "reply"] * (len(messages) // 2)
    for who, message in messages:
        validator(who).validate(message)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", ["sklearn", "sklearn-ignore-ties", "ranx", "pyserini", "pyserini-judged"])
def test_libraries_speak_it(name: str, make_job: MakeJob, said: list[tuple[str, dict[str, Any]]]) -> None:
    if unavailable(Catalogued(name)):
        pytest.skip(f"{name} is not installed")
    job = make_job(WORKED_QRELS, WORKED_RUN, "ndcg@10", "map")
    with Workers(Limits(seconds=300.0)) as workers:
        workers.describe(Catalogued(name))
        answers = workers.evaluate([Catalogued(name)], job)
        broken = make_job(WORKED_QRELS, "a Q0 D1\n", "ndcg@10")
        workers.evaluate([Catalogued(name)], broken)
    assert isinstance(answers[name, "ndcg@10"].aggregate, Value)
    assert [message.get("ok") for who, message in said if who == "reply"] == [True, True, False]
    order = answers[name, "ndcg@10"].order_file
    assert (order is not None) == (name in ("sklearn-ignore-ties", "ranx"))


@pytest.mark.parametrize("name", ["sklearn-ignore-ties", "ranx"])
def test_order_files_are_as_the_documentation_says(name: str, make_job: MakeJob) -> None:
    if unavailable(Catalogued(name)):
        pytest.skip(f"{name} is not installed")
    with Workers(Limits(seconds=300.0)) as workers:
        answer = workers.evaluate([Catalogued(name)], make_job(WORKED_QRELS, WORKED_RUN))[name, "ndcg@10"]
        assert answer.order_file is not None
        written = answer.order_file.read_text(encoding="utf-8")
    assert written == "a D2 X D1 D3 Y D4" + (" D5" if name == "sklearn-ignore-ties" else "") + "\n"


@pytest.mark.parametrize("mode", ["right", "nan", "fails", "refuses", "one-row", "mixed"])
def test_well_spoken_fakes_speak_it(mode: str, make_job: MakeJob, said: list[tuple[str, dict[str, Any]]]) -> None:
    job = make_job("q1 0 D1 1\nq2 0 D1 1\n", "q1 Q0 D1 1 1 t\n", "ndcg@10", "hit_rate@5", "ap")
    asked: EvaluatorRef = Program(mode, "exec", (sys.executable, "-B", str(FAKE), mode))
    with Workers(Limits(seconds=60.0)) as workers:
        workers.evaluate([asked], job)
    (_, request), _ = said
    assert [each["settings"] for each in request["measures"]] == [{}, {"recall_denominator": "any"}, {}]


def test_the_examples_of_the_documentation_are_messages() -> None:
    text = DOCS.read_text(encoding="utf-8")
    request, reply = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL))
    validator("request").validate(request)
    validator("reply").validate(reply)
    outcomes = re.findall(r"`(\{\"(?:value|missing|refused|crashed)\".*?\})`", text)
    assert len(outcomes) == 4
    for outcome in outcomes:
        validator("outcome").validate(json.loads(outcome))


@pytest.mark.parametrize(
    "wrong",
    [
        {"value": "0.5"},
        {"value": True},
        {"value": None},
        {"missing": False},
        {"unsupported": "cutoff"},
        {"value": 0.5, "refused": "both"},
        0.5,
        {},
    ],
)
def test_what_is_no_outcome_is_refused_by_the_schema(wrong: object) -> None:
    assert not validator("outcome").is_valid(wrong)


def test_adapters_need_nothing_of_ours() -> None:
    """serve.py runs with an empty path beside the standard library: so it runs under another interpreter too."""
    import subprocess

    ended = subprocess.run(
        [sys.executable, "-I", "-S", str(SERVE), "sklearn"],
        input=b'{"id": 1, "op": "describe"}\n{"id": 2, "op": "fly"}\n{"op": "stop"}\n',
        capture_output=True,
        timeout=60,
        check=True,
    )
    described, unknown = (json.loads(line) for line in ended.stdout.splitlines())
    assert (described["ok"], described["kind"]) == (False, "crashed")
    assert "PackageNotFoundError" in described["message"]
    assert "unknown request 'fly'" in unknown["message"]
