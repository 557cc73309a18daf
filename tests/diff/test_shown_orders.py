"""Orders that evaluators show are looked at place by place, all lists of a block at once: here against each list alone."""

from __future__ import annotations

import itertools
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcgauge.data.collection import DEFAULT_NEEDS, Collection
from ndcgauge.data.options import ReadingOptions
from ndcgauge.data.reading import qrels_with, run_with
from ndcgauge.data.sources import open_source
from ndcgauge.diff.shown_orders import order_of, shown_order
from ndcgauge.errors import NdcgaugeError
from ndcgauge.reference.observed import ObservedOrder, PackedDocs

Lines = list[tuple[str, str, float]]


def collection_of(
    folder: Path, judged: list[tuple[str, str]], run: Lines, *, block: int = 64, repeats: bool = False
) -> Collection:
    """The files read in blocks of a few lines."""
    qrels, ranked = folder / "x.qrels", folder / "x.run"
    qrels.write_text("".join(f"{query} 0 {doc} 1\n" for query, doc in judged), encoding="utf-8")
    ranked.write_text("".join(f"{query} Q0 {doc} 1 {score} t\n" for query, doc, score in run), encoding="utf-8")
    options = ReadingOptions(DEFAULT_NEEDS, "all" if repeats else "error", block=block, small=0)
    return run_with(qrels_with(open_source(qrels), options), open_source(ranked), options).collection


def accepted(docs: list[str], run: dict[str, float], judged: set[str]) -> bool:
    """One list, as DESIGN §5.4 says it: a permutation by falling score, then judged documents that the run lacks."""
    own, added = docs[: len(run)], docs[len(run) :]
    falling = all(run[one] >= run[other] for one, other in itertools.pairwise(own)) if set(own) <= set(run) else False
    return sorted(own) == sorted(run) and falling and len(set(added)) == len(added) and set(added) <= judged - set(run)


@st.composite
def shown(draw: st.DrawFn) -> tuple[list[tuple[str, str]], Lines, dict[str, list[str]]]:
    """Judgments, a run in any order of lines, and for some queries an order that is right or nearly so."""
    judged: list[tuple[str, str]] = []
    run: Lines = []
    lists: dict[str, list[str]] = {}
    random = draw(st.randoms(use_true_random=False))
    for number in range(draw(st.integers(1, 4))):
        query = f"q{number}"
        docs = [f"D{'x' * draw(st.integers(0, 9))}{i}" for i in range(draw(st.integers(1, 8)))]
        of_query = [(query, doc, float(draw(st.integers(0, 3)))) for doc in docs]
        random.shuffle(of_query)
        run += of_query
        judged += [(query, doc) for doc in (*docs, "L1", "L2") if draw(st.booleans())] or [(query, "D0")]
        by_score = sorted(of_query, key=lambda line: (-line[2], random.random()))
        right = [doc for _, doc, _ in by_score]
        match draw(st.sampled_from(("right", "longer", "swapped", "foreign", "short", "twice", "left out", "empty"))):
            case "right":
                lists[query] = right
            case "longer":
                lists[query] = [*right, *draw(st.lists(st.sampled_from(("L1", "L2", "D0")), max_size=2))]
            case "swapped":
                one, other = draw(st.integers(0, len(right) - 1)), draw(st.integers(0, len(right) - 1))
                right[one], right[other] = right[other], right[one]
                lists[query] = right
            case "foreign":
                lists[query] = [*right[:-1], "L1"]
            case "short":
                lists[query] = right[:-1]
            case "twice":
                lists[query] = [*right[:-1], right[0]]
            case "empty":
                lists[query] = []
            case _:
                pass
    if draw(st.booleans()):
        random.shuffle(run)
    return judged, run, lists


@given(shown())
def test_an_order_is_accepted_where_every_list_is(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[list[tuple[str, str]], Lines, dict[str, list[str]]]
) -> None:
    judged, run, lists = drawn
    collection = collection_of(tmp_path_factory.mktemp("order"), judged, run)
    found = order_of(lists, collection, "error")
    scores: dict[str, dict[str, float]] = {}
    for query, doc, score in run:
        scores.setdefault(query, {})[doc] = score
    of_query = {query: {doc for other, doc in judged if other == query} for query in lists}
    wrong = [query for query, docs in lists.items() if not accepted(docs, scores[query], of_query[query])]
    assert (found.order is None) == bool(wrong)
    if wrong:
        assert found.refusal is not None
        assert found.refusal.startswith(tuple(f"query {query}: " for query in wrong))


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    run = [("q", "A", 2.0), ("q", "B", 1.0), ("q", "C", 1.0)]
    collection = collection_of(tmp_path, [("q", "A"), ("q", "L")], run)
    for docs, reason in (
        ("B A C", "not by falling score"),
        ("A B", "not a permutation"),
        ("A B X", "not a permutation"),
        ("A B B", "not a permutation"),
        ("A C B X", "neither in the run nor judged"),
        ("A C B A", "neither in the run nor judged"),
        ("A C B L L", "neither in the run nor judged"),
    ):
        refusal = order_of({"q": docs.split()}, collection, "error").refusal
        assert refusal is not None
        assert reason in refusal, docs
    for docs in ("A C B", "A B C L"):
        assert order_of({"q": docs.split()}, collection, "error").order is not None


def test_a_query_that_the_run_lacks_has_nothing_but_judged_documents(tmp_path: Path) -> None:
    collection = collection_of(tmp_path, [("q", "A"), ("lost", "L")], [("q", "A", 1.0)])
    assert order_of({"lost": ["L"]}, collection, "error").order is not None
    assert order_of({"lost": ["X"]}, collection, "error").order is None
    # Not of these files at all.
    assert order_of({"strange": ["X"]}, collection, "error").order is not None


@pytest.mark.parametrize("docs", ["A B", "A A B"])
def test_of_a_run_that_repeats_a_document_it_is_shown_once(tmp_path: Path, docs: str) -> None:
    run = [("q", "A", 2.0), ("q", "B", 1.0), ("q", "A", 2.0)]
    collection = collection_of(tmp_path, [("q", "A")], run, repeats=True)
    # Also where the specification refuses such a run: that is for the reference to say.
    for duplicates in ("all", "first", "error"):
        assert (order_of({"q": docs.split()}, collection, duplicates).order is not None) == (docs == "A B")


def test_places_are_those_inside_a_tie_in_the_order_shown(tmp_path: Path) -> None:
    run = [("q", doc, score) for doc, score in zip("ABCDEF", (3.0, 2.0, 2.0, 2.0, 1.0, 1.0), strict=True)]
    collection = collection_of(tmp_path, [("q", doc) for doc in "ABCF"], run)
    file = tmp_path / "order.txt"
    file.write_text("q A D C B F E\n", encoding="utf-8")
    order = shown_order(file, collection, "error").order
    assert order is not None
    rows = collection.rows["error"]
    by_score = next(key for key in rows.rankings if key.order == "score" and key.min_score is None)
    # A alone; B last and C second of D, C, B; F first of F, E.
    assert order.places(by_score).tolist() == [0, 2, 1, 0]


@given(st.randoms(use_true_random=False), st.booleans())
def test_packed_and_plain_lists_are_one_order(
    tmp_path_factory: pytest.TempPathFactory, random: Random, scattered: bool
) -> None:
    run = [(f"q{number}", f"D{doc}", float(doc // 3)) for number in range(3) for doc in range(9)]
    if scattered:
        random.shuffle(run)
    collection = collection_of(tmp_path_factory.mktemp("order"), [(query, doc) for query, doc, _ in run], run)
    docs = {f"q{number}": [f"D{doc}" for doc in random.sample(range(9), 9)] for number in range(3)}
    plain = ObservedOrder(collection, "error", docs)
    packed = ObservedOrder(collection, "error", PackedDocs({q: " ".join(each).encode() for q, each in docs.items()}))
    assert plain.digest == packed.digest
    assert packed.docs == docs
    for key in collection.rows["error"].rankings:
        assert plain.places(key).tolist() == packed.places(key).tolist()


def test_a_file_of_another_kind_is_no_order(tmp_path: Path) -> None:
    collection = collection_of(tmp_path, [("q", "A")], [("q", "A", 1.0), ("q", "B", 1.0)])
    file = tmp_path / "order.txt"
    for text in ('{"query": "q", "docs": ["B", "A"]}\n', "strange B A\n"):
        file.write_text(text, encoding="utf-8")
        found = shown_order(file, collection, "error")
        assert (found.order, found.refusal) == (None, "the order it showed names no query of the qrels or of the run")
    for text in ("q B A\n", "q B A", "q B A\r\n"):
        file.write_bytes(text.encode())
        order = shown_order(file, collection, "error").order
        assert order is not None
        assert order.docs == {"q": ["B", "A"]}


def test_a_run_that_changed_is_no_longer_asked_for_its_ties(tmp_path: Path) -> None:
    collection = collection_of(tmp_path, [("q", "B")], [("q", "A", 1.0), ("q", "B", 1.0)])
    order = ObservedOrder(collection, "error", {"q": ["B", "A"]})
    (tmp_path / "x.run").write_text("q Q0 A 1 1.0 t\n\n#Q0 B 1 1.0 t", encoding="utf-8")
    key = next(key for key in collection.rows["error"].rankings if key.order == "score")
    with pytest.raises(NdcgaugeError, match="changed after it was read"):
        order.places(key)
