from __future__ import annotations

from pathlib import Path

import pytest
from tests.report.documents import PLAIN, evaluator

from ndcgauge.errors import InputError
from ndcgauge.jobs.groups import Groups, group_entries, read_groups, unknown_queries
from ndcgauge.results.model import ReferenceEntry

REFERENCE = ReferenceEntry(
    run=PLAIN.run,
    measure="ndcg@10",
    baseline="trec_eval",
    mean=0.5,
    queries={"301": 0.25, "302": 0.75, "303": 0.5},
)


def written(tmp_path: Path, text: bytes) -> str:
    path = tmp_path / "groups.txt"
    path.write_bytes(text)
    return str(path)


def test_a_name_may_have_spaces_and_ids_stay_text(tmp_path: Path) -> None:
    found = read_groups(written(tmp_path, b"# of 2019\n007\tlong  questions \r\n\n7 short\n"))
    assert found.of == {"007": "long  questions", "7": "short"}


def test_packed_files_are_read(tmp_path: Path) -> None:
    import gzip

    assert read_groups(written(tmp_path, gzip.compress(b"1 a\n"))).of == {"1": "a"}


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [(b"1 a\n2\n", 2, "name is missing"), (b"1 a\n1 b\n", 2, "named twice"), (b"# nothing\n", None, "no group")],
)
def test_bad_files_are_refused_with_their_line(tmp_path: Path, text: bytes, line: int | None, what: str) -> None:
    with pytest.raises(InputError, match=what) as error:
        read_groups(written(tmp_path, text))
    assert error.value.line == line
    assert error.value.fix


def test_means_of_groups_over_the_queries_that_both_answered() -> None:
    # 303 was refused by the evaluator: its group has a mean for the baseline alone.
    entry = evaluator(PLAIN, "x", 0.5, (0.5, 0.25, None))
    first, second, rest = group_entries(Groups("g", {"301": "b", "302": "a"}), [REFERENCE], [entry])
    assert [each.group for each in (first, second, rest)] == ["a", "b", ""]
    assert (first.queries, first.mean, first.evaluators["x"].difference) == (1, 0.75, -0.5)
    assert (second.mean, second.evaluators["x"].mean, second.evaluators["x"].difference) == (0.25, 0.5, 0.25)
    assert (rest.mean, rest.evaluators["x"].over, rest.evaluators["x"].mean) == (0.5, 0, None)


def test_an_evaluator_that_is_the_baseline_gives_the_values() -> None:
    base = evaluator(PLAIN, "trec_eval", 0.3, (0.25, 0.5, 0.0))
    (found,) = group_entries(Groups("g", dict.fromkeys(PLAIN.queries, "all")), [REFERENCE], [base])
    assert (found.mean, found.evaluators) == (0.25, {})


def test_queries_that_no_mean_counts_are_named() -> None:
    assert unknown_queries(Groups("g", {"301": "a", "999": "a"}), [REFERENCE]) == ["999"]
