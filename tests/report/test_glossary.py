from __future__ import annotations

from ndcgauge.report.glossary import FAMILIES, family_of, glossary
from ndcgauge.spec.axes import AXES, Family


def test_every_axis_has_a_term_in_the_order_of_the_pipeline() -> None:
    assert list(glossary()) == list(AXES)


def test_families_are_those_of_the_specification() -> None:
    assert {name: term.family for name, term in glossary().items()} == {
        name: axis.family for name, axis in AXES.items()
    }
    assert set(FAMILIES) == set(Family)


def test_every_value_that_has_a_name_is_told_or_speaks_for_itself() -> None:
    for term in glossary().values():
        assert term.text.endswith(".")
        assert term.source


def test_what_is_no_axis_is_unexplained() -> None:
    assert family_of("house rule") == "unexplained"
