from __future__ import annotations

from collections import Counter

from ndcgauge.suite.batching import FILLER, batches, joined, stands_alone
from ndcgauge.suite.loading import load_cases
from ndcgauge.suite.trials import trials_of

CASES = load_cases()
TRIALS = [trial for case in CASES for trial in trials_of(case)]


def test_every_trial_is_asked_once_and_few_pairs_are_needed() -> None:
    planned = batches(TRIALS)
    counts = Counter(id(part.trial) for batch in planned for part in batch.parts)
    assert set(counts.values()) == {1}
    assert len(counts) == len(TRIALS)
    assert len(planned) < len(CASES) / 3


def test_reading_and_means_stand_alone_byte_for_byte() -> None:
    alone = [case for case in CASES if case.folder == "reading" or "queries" in case.written.axes]
    assert all(map(stands_alone, alone))
    bom = next(case for case in CASES if case.id == "byte-order-mark-run")
    (batch,) = batches(trials_of(bom))
    assert (batch.qrels, batch.run, batch.alone) == (bom.qrels, bom.run, True)


def test_a_shared_file_keeps_lines_documents_and_scores_under_other_queries() -> None:
    trials = [trial for trial in TRIALS if trial.case.id in ("ties-of-17", "self-ndcg")]
    batch = joined(trials)
    for part in batch.parts:
        name = part.names["q1"].encode()
        own = [line.split(b" ") for line in batch.run.splitlines() if line.startswith(name + b" ")]
        old = [line.split(b" ") for line in part.trial.case.run.splitlines() if line]
        assert [each[3:] for each in own] == [each[3:] for each in old]
        # A document that is named as its query still is.
        assert [each[2] == name for each in own] == [each[2] == b"q1" for each in old]


def test_cases_of_the_same_bytes_share_their_lines() -> None:
    same = [trial for trial in TRIALS if trial.case.id in ("queries-ndcg", "queries-ap")]
    (batch,) = batches(same)
    assert len(batch.parts) == 2
    assert batch.run == same[0].case.run


def test_shared_files_have_ids_as_long_as_the_longest_of_the_suite() -> None:
    planned = batches(TRIALS)
    longest = {batch.alone: 0 for batch in planned}
    for batch in planned:
        docs = [line.split()[2] for line in batch.run.splitlines() if len(line.split()) > 2]
        length = max(map(len, docs), default=0)
        if not batch.alone:
            assert length == len(FILLER[1])
        longest[batch.alone] = max(longest[batch.alone], length)
    assert longest[True] <= longest[False]


def test_the_filler_is_of_no_part_and_left_out_where_parts_are_asked_again() -> None:
    shared = [batch for batch in batches(TRIALS) if not batch.alone]
    for batch in shared:
        assert all(FILLER[0].decode() not in part.names.values() for part in batch.parts)
        assert FILLER[0] in batch.qrels
        assert FILLER[0] not in batch.only(batch.parts[:2]).qrels
