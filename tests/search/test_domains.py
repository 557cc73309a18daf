"""The lattice's domains are those that DESIGN §1 writes out."""

from __future__ import annotations

from ndcgauge.search.domains import domain, domains
from ndcgauge.spec import MEASURES


def test_the_domains_that_design_names() -> None:
    assert domain("depth") == ("none", "cutoff")
    assert domain("threshold") == ("1", "2")
    assert domain("min_grade") == ("none", "1", "2")
    assert domain("gain") == ("linear", "exponential", "binary", "0:0,1:1,2:4,3:10", "0:0,1:1,2:10,3:100")
    assert domain("discount") == ("log2", "log2+2", "jk:2", "jk:10", "reciprocal", "log2*reciprocal", "none")
    assert domain("min_score") == ("none", "0")
    assert domain("row_rounding") == ("none", "3", "4")


def test_listed_values_but_random_and_observed() -> None:
    assert domain("ties") == ("docid-desc", "docid-asc", "line", "line-reversed", "average", "best", "worst")
    assert domain("negative") == ("unjudged", "zero", "keep", "keep-dcg", "drop")


def test_the_question_itself_is_no_player() -> None:
    for measure in MEASURES:
        assert not {"cutoff", "rounding"} & set(domains(measure))
