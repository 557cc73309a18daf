"""The published claims of ../shared/data as claims files, and what each must be found to be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.real.pairs import HAS_NUL, SHARED

NOT_OURS = ("num_q", "bpref", "Rprec")
"""trec_eval's measures that ndcgauge does not have."""


@dataclass(frozen=True)
class Published:
    """A published number with what the data set says of it."""

    name: str
    measure: str
    value: str
    match: bool
    record: dict[str, Any]


def value_text(record: dict[str, Any]) -> str:
    """The number as it was printed."""
    return f"{record['claimed']:.{record['decimals']}f}"


def published() -> list[Published]:
    """All of them, in the order of the sets."""
    found: list[Published] = []
    for expected in sorted(SHARED.glob("*/expected.json")):
        for pair, record in json.loads(expected.read_text())["pairs"].items():
            for claim in record.get("published_claims") or []:
                name = f"{expected.parent.name}/{pair}"
                found.append(Published(name, claim["measure"], value_text(claim), claim["verdict"] == "match", claim))
    return found


def claims_file(folder: Path, name: str) -> Path:
    """Writes the claims of a pair (`set/pair`) into a folder, with the other runs of the set as rows of the table."""
    data, _, pair = name.partition("/")
    record = json.loads((SHARED / data / "expected.json").read_text())["pairs"][pair]
    lines = [
        'schema = "ndcgauge-claims/1"',
        f"qrels = {json.dumps(str(SHARED / data / record['qrels']))}",
        f"run = {json.dumps(str(SHARED / data / record['run']))}",
    ]
    others = OTHER_ROWS.get(name, ())
    if others:
        lines.append(f"other_runs = {json.dumps([str(SHARED / data / each) for each in others])}")
    for claim in record["published_claims"]:
        stated = {"nul": "stop"} if name in HAS_NUL else {}
        lines += [
            "",
            "[[claim]]",
            f"source = {json.dumps(claim['source_repo'] + ' ' + claim['source_path'])}",
            f"place = {json.dumps(claim['where'])}",
            f"measure = {json.dumps(claim['measure'])}",
            f"value = {json.dumps(value_text(claim))}",
            f"complete = {json.dumps(claim['averaging'] == 'c')}",
            "stated = { " + ", ".join(f"{axis} = {json.dumps(value)}" for axis, value in stated.items()) + " }",
        ]
    file = folder / f"{data}-{pair}.toml"
    file.write_text("\n".join(lines) + "\n")
    return file


OTHER_ROWS = {
    "www2018-table/STR": ("multi_field.txt.gz", "single_field.txt.gz", "WebTable.txt", "WikiTable.txt", "LTR.txt"),
    "www2018-table/WebTable": ("multi_field.txt.gz", "single_field.txt.gz", "STR.txt", "WikiTable.txt", "LTR.txt"),
    "www2018-table/single_field": ("multi_field.txt.gz", "STR.txt", "WebTable.txt", "WikiTable.txt", "LTR.txt"),
    "trec-covid/round4-udel_fang_ltr_nobert": ("round4.ILPS_UvA_big_diverse.gz",),
    "trec-covid/round1-BERT": ("round1.sheikh_bm25_all",),
    "robust2003/NLPR03vb10": ("input.humR03dc.gz", "input.rutcor03100.gz"),
    "robust2003/humR03dc": ("input.NLPR03vb10", "input.rutcor03100.gz"),
    "recsys-lod/ml-mostpop": ("ml.bprmf.run.gz", "ml.ease.run.gz"),
    "recsys-lod/ml-ease": ("ml.bprmf.run.gz", "ml.mostpop.run.gz"),
    "cast2019-rewriter/oracle": ("bert_base_run_raw.trec.gz",),
}
"""Runs of other rows of the same table."""
