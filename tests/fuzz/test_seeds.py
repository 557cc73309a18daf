"""The seeds of `nox -s fuzz` hold what the fuzzer looks for, and the targets would tell it."""

from __future__ import annotations

import pytest
from tests.fuzz import closed_forms, readers

from ndcgauge.data import fast
from ndcgauge.errors import InputError
from ndcgauge.suite.closed_form import evaluate_form


def test_no_seed_breaks_the_readers() -> None:
    found = list(readers.seeds())
    for seed in found:
        readers.one_input(seed)
    assert len(found) > 400


def test_no_seed_breaks_the_closed_forms() -> None:
    found = list(closed_forms.seeds())
    for seed in found:
        closed_forms.one_input(seed)
    assert len(found) > 150


@pytest.mark.parametrize("text", closed_forms.REFUSED)
def test_what_is_no_form_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        evaluate_form(text)


def test_a_reader_that_reads_otherwise_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = b"\x01\x00\x10q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\n"
    readers.one_input(seed)

    def another(*_: object) -> object:
        raise ValueError("not an error of ours")

    monkeypatch.setattr(fast, "read_run", another)
    with pytest.raises(ValueError, match="not an error of ours"):
        readers.one_input(seed)
