from __future__ import annotations

import gzip
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.report.check_documents import check_report
from tests.report.documents import Texts, report, scores
from tests.report.several_runs import several

from ndcgauge.errors import InputError
from ndcgauge.results import files
from ndcgauge.results.files import check_writable, json_pieces, load_document, load_report, to_json, write_whole
from ndcgauge.results.model import Document


def test_json_has_sorted_keys_and_every_digit() -> None:
    text = to_json(report(Texts(docs=("é", "\u202e"))))
    assert text.endswith("}\n")
    assert text.isascii()
    assert text.index('"attribution"') < text.index('"command"') < text.index('"warnings"')
    assert '"largest_difference": 2.220446049250313e-16' in text


def test_saved_and_loaded_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_whole(path, to_json(report()))
    assert load_report(path) == report()
    assert to_json(load_report(path)).encode() == path.read_bytes()


@pytest.mark.parametrize("kept", [0, 1, 100, 5000, -2])
def test_a_truncated_report_is_refused(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "report.json"
    path.write_text(to_json(report())[:kept])
    with pytest.raises(InputError, match="is not complete JSON") as caught:
        load_report(path)
    assert caught.value.file == str(path)
    assert "cut off" in str(caught.value)


def test_a_newer_report_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(to_json(report()).replace("ndcgauge-report/1", "ndcgauge-report/2"))
    with pytest.raises(InputError, match=r"newer version: ndcgauge-report/2.*reads ndcgauge-report/1"):
        load_report(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{}", "it names no schema"),
        ("[1, 2]", "it names no schema"),
        ("null", "it names no schema"),
        ('{"schema": "ndcgauge-scores/1"}', "its schema is 'ndcgauge-scores/1'"),
        ('{"schema": "ndcgauge-report/x"}', "its schema is 'ndcgauge-report/x'"),
        ('{"schema": 1}', "its schema is 1"),
    ],
)
def test_a_foreign_document_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(text)
    with pytest.raises(InputError, match="is no report") as caught:
        load_report(path)
    assert told in caught.value.message
    assert caught.value.fix is not None


def test_a_report_with_a_wrong_part_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    document = json.loads(to_json(report()))
    document["evaluators"][1]["mean"] = "0.5"
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=r"no valid report: evaluators\.1\.mean: Input should be a valid number"):
        load_report(path)


def test_a_number_that_json_does_not_have_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    document = json.loads(to_json(report()))
    document["discrepancies"][0]["difference"] = float("nan")
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=r"discrepancies\.0\.difference: .*finite"):
        load_report(path)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(b"\x1f\x8c\x08\x00\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        load_report(path)


def test_nesting_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("[" * 200_000)
    with pytest.raises(InputError, match="nested too deeply"):
        load_report(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        load_report(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        load_report(tmp_path)


def test_a_missing_folder_is_told_before_work_is_done(tmp_path: Path) -> None:
    path = tmp_path / "none" / "report.md"
    for write in (check_writable, lambda path: write_whole(path, "text")):
        with pytest.raises(InputError, match="does not exist"):
            write(path)
    assert not path.parent.exists()


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        check_writable(tmp_path)


def test_a_folder_without_permission_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The superuser may write everywhere, so the system's answer is given by hand.
    monkeypatch.setattr(os, "access", lambda path, mode: (path, mode) != (tmp_path, os.W_OK))
    with pytest.raises(InputError, match="no permission to write into"):
        check_writable(tmp_path / "report.md")


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.md"
    write_whole(path, "old")

    def full(_self: Path, _target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.Path, "replace", full)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_pieces_that_end_early_leave_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_whole(path, iter(["o", "ld"]))
    assert path.read_text() == "old"

    def broken() -> Iterator[str]:
        yield "new"
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        write_whole(path, broken())
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["report.json"]


def test_text_that_has_no_bytes_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_whole(tmp_path / "report.md", "\ud800")
    assert list(tmp_path.iterdir()) == []


def test_bytes_of_an_id_come_out_as_they_went_in(tmp_path: Path) -> None:
    path = tmp_path / "scores.trec"
    write_whole(path, b"caf\xe9\n".decode("utf-8", "surrogateescape"))
    assert path.read_bytes() == b"caf\xe9\n"


def test_permissions_are_the_umask_s_and_then_the_old_file_s(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    before = os.umask(0o027)
    try:
        write_whole(path, "one")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    write_whole(path, "two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.md", tmp_path / "link.md"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_packed_report_is_read_like_a_plain_one(tmp_path: Path) -> None:
    (tmp_path / "plain.json").write_text(to_json(report()))
    (tmp_path / "packed.json.gz").write_bytes(gzip.compress(to_json(report()).encode()))
    assert load_report(tmp_path / "packed.json.gz") == load_report(tmp_path / "plain.json")


def test_a_packed_report_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.json.gz"
    path.write_bytes(gzip.compress(to_json(report()).encode())[:-20])
    with pytest.raises(InputError, match="not a complete gzip file"):
        load_report(path)


def test_a_document_is_loaded_as_what_it_says_it_is(tmp_path: Path) -> None:
    path = tmp_path / "saved.json"
    for document in (report(), check_report()):
        write_whole(path, to_json(document))
        assert load_document(path) == document


def test_a_check_is_no_report_and_a_newer_or_truncated_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "check.json"
    text = to_json(check_report())
    path.write_text(text)
    with pytest.raises(InputError, match="its schema is 'ndcgauge-check/1'"):
        load_report(path)
    path.write_text(text.replace("ndcgauge-check/1", "ndcgauge-check/2"))
    with pytest.raises(InputError, match=r"newer version: ndcgauge-check/2.*reads ndcgauge-check/1"):
        load_document(path)
    path.write_text(text[: len(text) // 2])
    with pytest.raises(InputError, match="is not complete JSON"):
        load_document(path)
    path.write_text(text.replace('"conforms": false', '"conforms": "no"', 1))
    with pytest.raises(InputError, match=r"no valid report: evaluators\.0\.conforms"):
        load_document(path)


@pytest.mark.parametrize("document", [report(), several(), check_report(), scores()])
def test_pieces_are_the_json_of_the_whole_document(document: Document) -> None:
    values = document.model_dump(mode="json", by_alias=True)
    whole = json.dumps(values, sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False) + "\n"
    pieces = list(json_pieces(document))
    assert "".join(pieces) == whole
    # A key and a value each, at least.
    assert len(pieces) > 2 * len(values)
