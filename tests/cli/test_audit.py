"""The command: what it prints, the keys of its JSON, its exit codes, its errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.audit.files import QRELS, RUN, SHOWN, SHOWN_RUN

from ndcgauge.cli.main import run

KEYS = {
    *("measure", "value", "verdict", "specifications", "classes", "searched", "determined", "free", "evaluators"),
    *("hypothesis", "envelope", "closest", "chance"),
}
"""DESIGN §9."""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return [str(tmp_path / "qrels"), str(tmp_path / "run")]


def test_json_has_the_keys_of_the_design(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", *files, "--claim", "ndcg@10=0.7137", "-f", "json"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    claim = document["claims"][0]
    assert set(claim) >= KEYS
    assert (claim["measure"], claim["value"]) == ("ndcg@10", "0.7137")
    assert claim["verdict"] == "reproduced under another specification"
    assert claim["specifications"][0]["gain"] == "exponential"
    assert claim["determined"]["gain"] == "exponential"
    assert claim["evaluators"] == ["ranx-burges"]
    assert claim["envelope"] == [pytest.approx(0.768343, abs=1e-6)] * 2
    assert 0 < claim["chance"] < 1
    assert "which is what ranx-burges computes" in err


def test_exit_codes(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for claim, differs, unexplained in (("0.7683", 0, 0), ("0.7137", 1, 0), ("0.98765", 1, 1), ("1.5", 1, 1)):
        asked = ["audit", *files, "--claim", f"ndcg@10={claim}", "--quiet"]
        assert run(asked) == 0
        assert run([*asked, "--fail-on", "differs"]) == differs
        assert run([*asked, "--fail-on", "unexplained"]) == unexplained
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--claim", "ndcg@10"], 2, "is not MEASURE=NUMBER"),
        (["--claim", "ndgc@10=0.7"], 2, "is not a measure"),
        ([], 2, "no number is claimed"),
        (["--claim", "ndcg@10=0.7", "--set", "gian=linear"], 2, "no axis"),
        (["--claim", "ndcg@10=0.7", "-e", "nobody"], 2, "there is no evaluator"),
        (["--claim", "ndcg@10=0.7", "--also-qrels", "absent"], 3, "absent"),
        (["--claim", "ndcg@10=0.7", "--queries", "absent"], 3, "cannot be read"),
        (["--claim", "ndcg@10=0.7", "-o", "report.pdf"], 2, "suffix"),
    ],
)
def test_what_is_wrong_is_told(
    arguments: list[str], code: int, told: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", *files, *arguments]) == code
    assert told in capsys.readouterr().err


def test_a_claims_file_relative_to_its_folder(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = tmp_path / "claims.toml"
    claims.write_text(
        'schema = "ndcgauge-claims/1"\nqrels = "qrels"\nrun = "run"\n'
        '[[claim]]\nmeasure = "ndcg@10"\nvalue = "0.7137"\nsource = "A | paper"\nplace = "row 1"\n'
        '[[claim]]\nmeasure = "ndcg@10"\nvalue = "0.7137"\nstated = { gain = "exponential" }\n'
        '[[claim]]\nmeasure = "bpref"\nvalue = "0.9321"\n'
    )
    report = tmp_path / "audit.md"
    assert run(["audit", str(claims), "-f", "json", "-o", str(report), "-o", str(tmp_path / "audit.json")]) == 0
    found = json.loads(capsys.readouterr().out)["claims"]
    assert [each["verdict"] for each in found] == [
        "reproduced under another specification",
        "reproduced",
        "not reproduced",
    ]
    assert found[0]["source"] == "A | paper"
    text = report.read_text()
    assert "A \\| paper, row 1" in text
    assert "gain=exponential" in text
    assert run(["cite", str(tmp_path / "audit.json")]) == 0
    assert "@inproceedings{burges2005learning," in capsys.readouterr().out
    assert files[0].endswith("qrels")
    claims.write_text(claims.read_text().replace('"0.7137"', "0.7137", 1))
    assert run(["audit", str(claims)]) == 3
    assert "claims.toml:6: value is no text" in capsys.readouterr().err
    assert run(["audit", str(claims), "--claim", "ndcg@10=0.7"]) == 2


def test_init_prints_a_claims_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "--init"]) == 0
    assert 'schema = "ndcgauge-claims/1"' in capsys.readouterr().out


def test_cite(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cite", "trec_eval", "ranx"]) == 0
    out = capsys.readouterr().out
    assert out.index("@misc{trec_eval,") < out.index("@inproceedings{ranx,")
    assert run(["cite", "nobody"]) == 2
    assert run(["cite"]) == 0
    assert capsys.readouterr().out.count("@") >= 8


def test_what_scikit_learn_is_said_to_print_is_contradicted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Issue 5: on grades [1, 3, 2] and scores [0.5, 0.8, 0.2] it gives 0.9725, whatever the gain was meant to be."""
    pytest.importorskip("sklearn")
    (tmp_path / "qrels").write_text(SHOWN)
    (tmp_path / "run").write_text(SHOWN_RUN)
    asked = ["audit", str(tmp_path / "qrels"), str(tmp_path / "run"), "-e", "sklearn", "-f", "json"]
    assert run([*asked, "--claim", "ndcg@10=0.737", "--set", "gain=exponential"]) == 0
    out, err = capsys.readouterr()
    claim = json.loads(out)["claims"][0]
    assert claim["verdict"] == "contradicted"
    assert claim["printed_by"]["sklearn"] == pytest.approx(0.9725044904464192, abs=1e-12)
    assert "sklearn gives 0.9725" in err
    assert run([*asked, "--claim", "ndcg@10=0.9725"]) == 0
    assert json.loads(capsys.readouterr().out)["claims"][0]["verdict"] == "reproduced"
