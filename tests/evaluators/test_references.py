from __future__ import annotations

import pytest

from ndcgauge.errors import UsageError
from ndcgauge.evaluators.references import Catalogued, Program, resolve


def test_ids_of_the_catalogue() -> None:
    assert resolve("pyserini-c") == Catalogued("pyserini-c")


def test_programs_are_split_as_a_shell_would_but_by_no_shell() -> None:
    found = resolve("mine=exec:./run 'two words' $HOME \"a b\" ; rm")
    assert found == Program("mine", "exec", ("./run", "two words", "$HOME", "a b", ";", "rm"))
    native = resolve("t=trec:./trec_eval -q -m ndcg_cut.10")
    assert native == Program("t", "trec", ("./trec_eval", "-q", "-m", "ndcg_cut.10"))


def test_a_colon_and_an_equals_sign_inside_the_command_stay() -> None:
    assert resolve("x=exec:prog --at=a:b") == Program("x", "exec", ("prog", "--at=a:b"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no-such", "no evaluator"),
        ("", "no evaluator"),
        ("x=run:prog", "no evaluator"),
        ("x=exec:", "no command"),
        ("x=exec:'open", "cannot be read"),
        ("=exec:prog", "cannot be the name"),
        ("a b=exec:prog", "cannot be the name"),
        ("ranx=exec:prog", "cannot be the name"),
        ("ranx==", "no version"),
        ("ranx==../../x", "no version"),
        ("ranx==1 --index-url=x", "no version"),
        ("nothing==1", "no evaluator"),
    ],
)
def test_what_names_no_evaluator_is_a_usage_error(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        resolve(text)


def test_a_pinned_version_is_an_evaluator_of_its_own() -> None:
    found = resolve("pyserini-c==2.3.0")
    assert found == Catalogued("pyserini-c", "2.3.0")
    assert found.id == "pyserini-c==2.3.0"
    assert found != resolve("pyserini-c")
