"""Claims files, and the line of every fault in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ndcgauge.audit.claims_file import read_claims
from ndcgauge.audit.example import EXAMPLE
from ndcgauge.errors import InputError

HEAD = 'schema = "ndcgauge-claims/1"\n'
CLAIM = '[[claim]]\nqrels = "q"\nrun = "r"\nmeasure = "ndcg@10"\n'


def written(folder: Path, text: str) -> str:
    file = folder / "claims.toml"
    file.write_text(text)
    return str(file)


def test_defaults_paths_and_statements(tmp_path: Path) -> None:
    name = written(
        tmp_path,
        HEAD
        + 'qrels = "q"\nsource = "A paper"\ncomplete = true\nstated = { gain = "exponential" }\n'
        + '[[claim]]\nrun = "a"\nmeasure = "P_10"\nvalue = "0.710"\nplace = "row 1"\nother_runs = ["b"]\n'
        + '[[claim]]\nrun = "sub/b"\nqrels = "other"\nmeasure = "map"\nvalue = "71%"\ncomplete = false\nstated = { threshold = 2 }\n'
        + 'evaluator = "ranx"\nqueries = "fold.txt"\n',
    )
    first, second = read_claims(name)
    assert first.claim.printed.decimals == 3
    assert (first.qrels, first.run, first.other_runs) == (
        str(tmp_path / "q"),
        str(tmp_path / "a"),
        (str(tmp_path / "b"),),
    )
    # Gain is no axis of precision: what a file states for all measures is left out where it says nothing.
    assert first.claim.said == {"queries": "judged"}
    assert (first.claim.source, first.claim.place) == ("A paper", "row 1")
    assert second.claim.said == {"threshold": "2"}
    assert (second.claim.evaluator, second.queries) == ("ranx", (str(tmp_path / "fold.txt"),))
    assert second.run == str(tmp_path / "sub" / "b")


def test_the_example_is_a_claims_file(tmp_path: Path) -> None:
    first, second = read_claims(written(tmp_path, EXAMPLE))
    assert first.claim.said == {"queries": "judged"}
    assert second.claim.stated["threshold"] == "2"


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        (HEAD + CLAIM + "value = 0.71\n", 6, "no text: 0.71"),
        (HEAD + CLAIM + 'value = "high"\n', 6, "no printed number"),
        (HEAD + CLAIM, 2, "has no value"),
        (HEAD + CLAIM + 'value = "0.7"\nvlaue = "0.7"\n', 7, "no key 'vlaue'"),
        (HEAD + CLAIM.replace("ndcg@10", "ndgc@10") + 'value = "0.7"\n', 5, "is not a measure"),
        (HEAD + CLAIM + 'value = "0.7"\nstated = { gain = "expo" }\n', 7, "has no value 'expo'"),
        (HEAD + CLAIM + 'value = "0.7"\n[claim.stated]\nties = "best"\ngian = "linear"\n', 9, "no axis 'gian'"),
        (HEAD + CLAIM + 'value = "0.7"\nstated = { cutoff = "5" }\n', 7, "part of the measure's name"),
        (HEAD + CLAIM + 'value = "0.7"\nstated = { threshold = true }\n', 7, "no text"),
        (HEAD + CLAIM + 'value = "0.7"\nstated = { ap_denominator = "retrieved" }\n', 7, "has no axis"),
        (HEAD + CLAIM + 'value = "0.7"\ncomplete = "yes"\n', 7, "neither true nor false"),
        (HEAD + CLAIM + 'value = "0.7"\nother_runs = 3\n', 7, "no list of files"),
        (HEAD + CLAIM + 'value = "0.7"\n' + CLAIM + "value = 1\n", 11, "no text: 1"),
        (HEAD + CLAIM + 'value = "0.7\n', 6, "is no TOML"),
        (HEAD + 'sourse = "x"\n' + CLAIM + 'value = "0.7"\n', 2, "no key 'sourse'"),
        (HEAD + "complete = 1\n" + CLAIM + 'value = "0.7"\n', 2, "neither true nor false"),
        ('schema = "ndcgauge-claims/2"\n' + CLAIM, 1, "'ndcgauge-claims/2'"),
    ],
)
def test_every_fault_has_its_line(text: str, line: int, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_claims(written(tmp_path, text))
    assert told in caught.value.message
    assert caught.value.line == line
    assert str(caught.value).startswith(f"{tmp_path / 'claims.toml'}:{line}: ")


@pytest.mark.parametrize(
    ("text", "told"), [("", "names no schema"), (HEAD, "has no claim"), (HEAD + "claim = 3\n", "has no claim")]
)
def test_what_is_no_claims_file(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=told):
        read_claims(written(tmp_path, text))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_claims(str(tmp_path / "absent.toml"))
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read_claims(str(binary))
