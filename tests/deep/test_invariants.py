"""The reference against itself, over whole collections and all axes: `nox -s deep`.

Each test counts its examples; the last one says and checks how many there were. Left out of the ordinary run:
ten thousand examples take minutes.
"""

from __future__ import annotations

import gzip
import itertools
import math
import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pytest
import zstandard
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.data.writing import LINE_BY_LINE, contents, load
from tests.reference.strategies import NEEDS, Qrels, Run, collections, specs
from tests.reference.test_evaluate_equals_exact import check

from ndcgauge.data.memory import collection_from_lines
from ndcgauge.data.sources import Source, open_source
from ndcgauge.errors import NdcgaugeError
from ndcgauge.reference import NoClosedForm, Scores, envelope, evaluate
from ndcgauge.spec import MetricSpec

pytestmark = pytest.mark.skipif(not os.environ.get("NDCGAUGE_DEEP"), reason="minutes long: nox -s deep")

COUNTED: Counter[str] = Counter()
SCALE = float(os.environ.get("NDCGAUGE_DEEP_SCALE", "1"))
AT_LEAST = 10_000


@pytest.fixture(autouse=True)
def told() -> Iterator[None]:
    """Says what a test added to the count: where the tests are run in parts, their counts can be added up."""
    before = sum(COUNTED.values())
    yield
    print(f" {sum(COUNTED.values()) - before:,} examples")


def many(count: int) -> settings:
    return settings(
        max_examples=math.ceil(count * SCALE),
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def bits(scores: Scores) -> list[bytes]:
    return [np.ascontiguousarray(each).tobytes() for each in (scores.values, scores.counted, scores.means)]


def scored(qrels: Qrels, run: Run, spec: MetricSpec) -> list[bytes]:
    """The bits of every value; of an error, its words."""
    try:
        return bits(evaluate(collection_from_lines(qrels, run, NEEDS, "last"), [spec]))
    except NdcgaugeError as error:
        return [type(error).__name__.encode()]


@many(2000)
@given(collections(), specs())
def test_vectorised_is_exact(lines: tuple[Qrels, Run], spec: MetricSpec) -> None:
    assume(all(lines))
    COUNTED["vectorised = exact"] += 1
    check(lines, spec)


@many(2000)
@given(collections(repeats=True), specs(repeats=True))
def test_vectorised_is_exact_with_repeats(lines: tuple[Qrels, Run], spec: MetricSpec) -> None:
    assume(all(lines))
    COUNTED["vectorised = exact, repeats"] += 1
    check(lines, spec)


@many(3000)
@given(collections(), specs(), st.randoms(use_true_random=False))
def test_the_order_of_lines_changes_nothing_but_line_rules(
    lines: tuple[Qrels, Run], spec: MetricSpec, random: Random
) -> None:
    qrels, run = lines
    assume(qrels and run and spec["order"] != "line" and not spec["ties"].startswith("line"))
    if spec["depth"] != "none" or spec["order"] == "rank":
        # Equal keys keep a rule of their own, and it is by id or over all orders: still nothing by line.
        assume(spec["ties"] in ("docid-desc", "docid-asc", "average", "best", "worst"))
    COUNTED["order of lines"] += 1
    shuffled = random.sample(qrels, len(qrels)), random.sample(run, len(run))
    assert scored(*shuffled, spec) == scored(qrels, run, spec)


@many(1500)
@given(collections(repeats=True), st.integers(1, 60), st.sampled_from(["none", "gz", "zst"]), st.booleans())
def test_blocks_packing_and_the_reader_change_nothing(
    lines: tuple[Qrels, Run], block: int, packing: str, by_line: bool
) -> None:
    qrels, run = lines
    assume(qrels and run)
    COUNTED["block size, packing, reader"] += 1
    texts = {
        "qrels": "".join(f"{query} 0 {doc} {grade!r}\n" for query, doc, grade in qrels),
        "run": "".join(f"{query} Q0 {doc} {rank!r} {score!r} t\n" for query, doc, rank, score in run),
    }
    small = LINE_BY_LINE if by_line else 0
    with TemporaryDirectory() as folder:

        def put(name: str, pack: str) -> Source:
            data = texts[name].encode()
            data = {"none": bytes, "gz": gzip.compress, "zst": zstandard.ZstdCompressor().compress}[pack](data)
            path = Path(folder) / (name if pack == "none" else f"{name}.{pack}")
            path.write_bytes(data)
            return open_source(path)

        whole = load(put("qrels", "none"), put("run", "none"), on_duplicate="last")
        other = load(put("qrels", packing), put("run", packing), on_duplicate="last", block=block, small=small)
        assert contents(other.collection) == contents(whole.collection)


@many(1000)
@given(collections(), st.lists(specs(), min_size=2, max_size=5))
def test_threads_and_company_change_nothing(lines: tuple[Qrels, Run], several: list[MetricSpec]) -> None:
    qrels, run = lines
    assume(qrels and run)
    COUNTED["threads, specifications together"] += 1
    collection = collection_from_lines(qrels, run, NEEDS)

    def one(spec: MetricSpec) -> list[bytes]:
        try:
            return bits(evaluate(collection, [spec]))
        except NdcgaugeError as error:
            return [type(error).__name__.encode()]

    alone = [one(spec) for spec in several]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, several)) == alone
    good = [spec for spec, found in zip(several, alone, strict=True) if len(found) > 1]
    together = evaluate(collection, good)
    for row, spec in enumerate(good):
        found = one(spec)
        assert together.values[row].tobytes() == found[0]
        assert together.means[row].tobytes() == found[2]


@st.composite
def tied(draw: st.DrawFn) -> tuple[Qrels, Run]:
    """One query with up to four retrieved documents and two scores."""
    docs = draw(st.lists(st.sampled_from("abcd"), min_size=2, max_size=4, unique=True))
    score = st.sampled_from((1.0, 2.0))
    run = [("q", doc, 1.0, draw(score)) for doc in docs]
    judged = draw(st.lists(st.sampled_from("abcdxy"), min_size=1, max_size=5, unique=True))
    return [("q", doc, float(draw(st.integers(-1, 3)))) for doc in judged], run


@many(1500)
@given(tied(), specs())
def test_the_envelope_contains_every_order_of_ties(lines: tuple[Qrels, Run], spec: MetricSpec) -> None:
    qrels, run = lines
    spec = spec.replace(order="score", row_rounding="none")
    try:
        found = envelope(collection_from_lines(qrels, run, NEEDS), spec)
    except (NoClosedForm, NdcgaugeError):
        assume(False)
        return
    COUNTED["envelope contains every order"] += 1
    worst, best = float(found.worst[0]), float(found.best[0])
    # Every order of the lines is a query of one pair.
    orders = {f"q{number:02d}": order for number, order in enumerate(itertools.permutations(run))}
    judged = [(query, doc, grade) for query in orders for _, doc, grade in qrels]
    retrieved = [(query, *line[1:]) for query, order in orders.items() for line in order]
    scores = evaluate(collection_from_lines(judged, retrieved, NEEDS), [spec.replace(ties="line")])
    for value in scores.values[0].tolist():
        if math.isnan(value) or math.isnan(worst):
            assert math.isnan(value) == math.isnan(worst)
            continue
        assert worst - 1e-12 <= value <= best + 1e-12, (worst, value, best)


def test_there_were_ten_thousand() -> None:
    print(f"\n{sum(COUNTED.values()):,} examples: " + ", ".join(f"{name} {n:,}" for name, n in COUNTED.items()))
    assert sum(COUNTED.values()) >= AT_LEAST * SCALE
