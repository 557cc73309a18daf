"""The reference equals native trec_eval on every real pair, to its four decimals."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.real.pairs import HAS_NUL, REASON, REPEATS, Pair, pairs

from ndcgauge.jobs.request import request
from ndcgauge.jobs.score import score

ALL = pairs()
MEASURES = (
    "ndcg_cut_5",
    "ndcg_cut_10",
    "ndcg_cut_20",
    "ndcg_cut_100",
    "ndcg",
    "map",
    "recip_rank",
    "recall_100",
    "P_10",
)
COUNT: Counter[str] = Counter()

pytestmark = pytest.mark.skipif(not ALL, reason=REASON)


def computed(pair: Pair, *, complete: bool, sets: dict[str, str]) -> dict[str, float | None]:
    asked = request(
        list(MEASURES),
        complete=complete,
        sets=sets,
        on_nul="stop" if pair.name in HAS_NUL else "error",
    )
    document, _ = score(pair.qrels, [pair.run], asked)
    return dict(zip(MEASURES, (each.mean for each in document.scores), strict=True))


@pytest.mark.parametrize("version", ["trec_eval_10.0", "trec_eval_9.0.8", "trec_eval_9.0.4_anserini_binary"])
@pytest.mark.parametrize("complete", [True, False], ids=["c", "noc"])
@pytest.mark.parametrize("pair", [each for each in ALL if each.name not in REPEATS], ids=lambda pair: pair.name)
def test_means_equal_the_recorded_ones(pair: Pair, complete: bool, version: str) -> None:
    recorded = pair.values.get(version, {}).get("c" if complete else "noc", {})
    if "error" in recorded or not recorded:
        pytest.skip(f"{version} refused the pair: {recorded.get('error', 'no value recorded')}")
    single = {"score_precision": "float32"} if version != "trec_eval_10.0" and version != "trec_eval_9.0.8" else {}
    values = computed(pair, complete=complete, sets=single)
    checked = [name for name in MEASURES if name in recorded]
    assert checked
    wrong = {}
    for name in checked:
        value = values[name]
        assert value is not None
        if format(value, ".4f") != format(recorded[name], ".4f"):
            wrong[name] = (value, recorded[name])
    assert not wrong
    COUNT[version, complete] += 1


def test_the_count_is_told() -> None:
    for (version, complete), count in sorted(COUNT.items()):
        print(f"{version} {'-c' if complete else '   '}: {count} pairs equal in {len(MEASURES)} measures")
