"""The names that users type for a measure, and the names that trec_eval prints.

Accepted: our own (`ndcg@10`), trec_eval's (`ndcg_cut.10`, `ndcg_cut_10`, `map`, `P_10`,
`recip_rank`, `recall_100`), ir_measures' (`nDCG@10`, `nDCG(dcg='exp-log2')@10`, `RR@10`,
`AP(rel=2)@100`, `Judged@10`) and ranx' (`mrr@10`, `ndcg_burges@10`, `hit_rate@5`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ndcgauge.errors import UsageError

_STEMS: dict[str, tuple[str, dict[str, str]]] = {
    "ndcg": ("ndcg", {}),
    "ndcg_cut": ("ndcg", {}),
    "ndcg_burges": ("ndcg", {"gain": "exponential"}),
    "dcg": ("dcg", {}),
    "dcg_burges": ("dcg", {"gain": "exponential"}),
    "ap": ("ap", {}),
    "map": ("ap", {}),
    "map_cut": ("ap", {}),
    "rr": ("rr", {}),
    "mrr": ("rr", {}),
    "recip_rank": ("rr", {}),
    "p": ("precision", {}),
    "precision": ("precision", {}),
    "r": ("recall", {}),
    "recall": ("recall", {}),
    "hit_rate": ("recall", {"recall_denominator": "any"}),
    "success": ("recall", {"recall_denominator": "any"}),
    "judged": ("judged", {}),
}

_NAME = re.compile(
    r"(?P<stem>[A-Za-z]+(?:_[A-Za-z]+)*)"
    r"(?:\((?P<parameters>[^()]*)\))?"
    r"(?:[@._](?P<cutoff>\d+))?"
)
_PARAMETER = re.compile(r"\s*(?P<key>[A-Za-z_]+)\s*=\s*(?:'(?P<q1>[^']*)'|\"(?P<q2>[^\"]*)\"|(?P<bare>[^,'\"\s]+))\s*")
_TREC_NAMES = {
    "ndcg": ("ndcg", "ndcg_cut"),
    "dcg": ("dcg", "dcg_cut"),
    "ap": ("map", "map_cut"),
    "rr": ("recip_rank", "recip_rank_cut"),
    "precision": ("P", "P"),
    "recall": ("recall", "recall"),
    "judged": ("judged", "judged"),
}


@dataclass(frozen=True)
class Measure:
    """A measure as asked for: its canonical stem, its cutoff, and the axes that its name fixes."""

    stem: str
    """`ndcg`, `dcg`, `ap`, `rr`, `precision`, `recall` or `judged`."""
    cutoff: int | None
    changes: dict[str, str] = field(default_factory=dict)
    """Axis values that the name says, such as gain=exponential for `ndcg_burges@10`."""

    @property
    def name(self) -> str:
        """`ndcg@10`, `ap`."""
        return self.stem if self.cutoff is None else f"{self.stem}@{self.cutoff}"

    @property
    def trec_name(self) -> str:
        """The name that trec_eval prints: `ndcg_cut_10`, `map`, `P_10`."""
        plain, cut = _TREC_NAMES[self.stem]
        return plain if self.cutoff is None else f"{cut}_{self.cutoff}"

    def __hash__(self) -> int:
        return hash((self.stem, self.cutoff, tuple(sorted(self.changes.items()))))


def parse_measure(text: str) -> Measure:
    """Reads a measure's name as users write it.

    Raises UsageError if it is no name of a known measure, or a parameter is unknown.
    """
    match = _NAME.fullmatch(text.strip())
    known = _STEMS.get(match["stem"].lower()) if match else None
    if match is None or known is None:
        raise UsageError(
            f"{text!r} is not a measure",
            fix="for example ndcg@10, ndcg, dcg@5, map, mrr@10, P@10, recall@100, judged@10",
        )
    stem, changes = known[0], dict(known[1])
    if match["parameters"]:
        changes.update(_parameters(text, stem, match["parameters"]))
    cutoff = None if match["cutoff"] is None else int(match["cutoff"])
    if cutoff == 0:
        raise UsageError(f"{text!r}: a cutoff is at least 1")
    return Measure(stem, cutoff, changes)


def _parameters(text: str, stem: str, parameters: str) -> dict[str, str]:
    changes: dict[str, str] = {}
    for part in parameters.split(","):
        match = _PARAMETER.fullmatch(part)
        if match is None:
            raise UsageError(f"{text!r}: the parameter {part.strip()!r} is not of the form name=value")
        value = next(each for each in (match["q1"], match["q2"], match["bare"]) if each is not None)
        key = match["key"]
        if key == "dcg" and stem in ("ndcg", "dcg") and value in ("log2", "exp-log2"):
            changes["gain"] = "linear" if value == "log2" else "exponential"
        elif key == "rel" and stem not in ("ndcg", "dcg"):
            changes["threshold"] = value
        elif key == "judged_only":
            changes["unjudged"] = "drop" if value.lower() == "true" else "zero"
        else:
            raise UsageError(
                f"{text!r}: the parameter {key}={value} is not known",
                fix="ir_measures' dcg='log2'|'exp-log2', rel=N, judged_only=True|False; else --set axis=value",
            )
    return changes
