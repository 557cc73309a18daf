"""A specification as a header of a run file: YAML in `#` comments, in the manner of ir_metadata.

ir_metadata (Breuer, Keller and Schaer, SIGIR 2022) puts YAML between two marks at the head of a
run. trec_eval 10 and this package take `#` lines for comments, so a run with the header scores as
without it (trec_eval before 10 refuses such lines). Our part stands under `research goal`,
`evaluation`, `ndcgauge`, and is read back from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

START, END = "# ir_metadata.start", "# ir_metadata.end"
_PLACE = ("research goal", "evaluation", "ndcgauge")


def write_header(specification: Mapping[str, Any], *, measures: list[str], libraries: list[str], qrels: str) -> str:
    """The header as lines that each begin with `#`, with a final newline."""
    import yaml

    content = {
        "platform": {"software": {"libraries": libraries}},
        "data": {"test collection": {"qrels": qrels}},
        "research goal": {"evaluation": {"reported measures": measures, "ndcgauge": dict(specification)}},
    }
    text = yaml.safe_dump(content, sort_keys=True, allow_unicode=False, width=1_000_000, default_flow_style=False)
    return "\n".join([START, *(f"# {line}".rstrip() for line in text.splitlines()), END]) + "\n"


def read_header(comments: Iterable[str]) -> dict[str, Any] | None:
    """Everything between the marks among a file's comment lines; None where there is no such part, or no YAML in it."""
    lines = list(comments)
    stripped = [line.rstrip() for line in lines]
    try:
        begin = stripped.index(START)
        end = stripped.index(END, begin)
    except ValueError:
        return None
    # Imported late: it costs as much time as 100,000 lines, and few runs have such a part.
    import yaml

    text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines[begin + 1 : end])
    try:
        found = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def specification_of(header: Mapping[str, Any]) -> dict[str, Any] | None:
    """What `write_header` was given; None in a header of somebody else's."""
    found: object = header
    for key in _PLACE:
        found = cast("dict[str, object]", found).get(key) if isinstance(found, dict) else None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def stated_hashes(header: Mapping[str, Any]) -> dict[str, str]:
    """Measure to the hash of the specification that a header states for it."""
    found = specification_of(header) or {}
    stated: dict[str, str] = {}
    measures = found.get("measures")
    for each in cast("list[object]", measures) if isinstance(measures, list) else []:
        entry = cast("dict[str, object]", each) if isinstance(each, dict) else {}
        if isinstance(entry.get("measure"), str) and isinstance(entry.get("hash"), str):
            stated[cast("str", entry["measure"])] = cast("str", entry["hash"])
    return stated
