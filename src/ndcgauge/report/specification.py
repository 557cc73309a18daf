"""What a publication must state about its numbers: as a sentence, as a table of all axes, as a block for machines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from ndcgauge.report.lookup import reference_of, spec_of
from ndcgauge.report.matrix import axis_names
from ndcgauge.report.printable import counted, queries
from ndcgauge.report.remarks import grades
from ndcgauge.report.tables import Cell, Column, Table
from ndcgauge.results.model import InputFile, Report
from ndcgauge.results.run_header import write_header

SPECIFICATION_SCHEMA = "ndcgauge-specification/1"


def query_set_hash(names: Iterable[str]) -> str:
    """SHA-256 of the query ids in byte order, a line each: what `LC_ALL=C sort -u | sha256sum` gives."""
    lines = sorted(name.encode("utf-8", "surrogateescape") for name in set(names))
    return hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest()


def _qrels(report: Report) -> InputFile | None:
    return next((each for each in report.inputs if each.role == "qrels"), None)


def publication_sentences(report: Report) -> list[str]:
    """One sentence for each measure that a paper could print: what was computed, by what, over which judgments."""
    return [_sentence(report, measure) for measure in dict.fromkeys(each.measure for each in report.spec)]


def _sentence(report: Report, measure: str) -> str:
    spec = spec_of(report, measure)
    averaging = f"{spec.axes['averaging']} average" if "averaging" in spec.axes else "mean"
    parts = [spec.sentence.rstrip(".").replace("; mean over", f", {averaging} over")]
    baselines = dict.fromkeys(each.baseline for each in report.attribution.references if each.measure == measure)
    versions = {each.id: each.versions for each in report.evaluators if each.measure == measure}
    own = [name for name in baselines if name in versions]
    if own:
        told = ", ".join(f"{name} {version}" for name, version in sorted(versions[own[0]].items()))
        parts.append(f"computed with {own[0]} ({told})")
    else:
        parts.append(f"computed with ndcgauge {report.tool.version}")
    qrels = _qrels(report)
    if qrels is not None:
        scale = ", ".join(grades(qrels.relevance_scale or {}))
        parts.append(f"qrels {qrels.name} ({counted(qrels.lines, 'judgment')}, sha256 {qrels.sha256[:12]})")
        parts.append(f"grades (judgments) {scale}")
    sets = {query_set_hash(each.queries): len(each.queries) for each in _references(report, measure)}
    told = ", ".join(f"{queries(number)} (sha256 of the ids {digest[:12]})" for digest, number in sets.items())
    parts.append(told)
    parts.append(f"{spec.hash}")
    return "; ".join(filter(None, parts)) + "."


def _references(report: Report, measure: str) -> list[Any]:
    return [each for each in report.attribution.references if each.measure == measure]


def spec_table(report: Report, measure: str) -> Table:
    """Every axis in the order of the pipeline, with its value and that of the `trec_eval` preset's difference."""
    spec = spec_of(report, measure)
    rows = [[Cell(axis), Cell(spec.axes[axis])] for axis in axis_names(spec.axes)]
    return Table(f"Every axis of {spec.short} ({spec.hash})", [Column("axis"), Column("value")], rows)


def machine_block(report: Report) -> dict[str, Any]:
    """The same for machines: hashes in full, every axis, versions, and the means beside the specification."""
    qrels = _qrels(report)
    measures: list[dict[str, Any]] = []
    for measure in dict.fromkeys(each.measure for each in report.spec):
        spec = spec_of(report, measure)
        runs = {
            each.run: {
                "mean": reference_of(report, each.run, measure).mean,
                "queries": len(each.queries),
                "query_set_sha256": query_set_hash(each.queries),
            }
            for each in _references(report, measure)
        }
        measures.append(
            {
                "measure": measure,
                "hash": spec.hash,
                "axes": {axis: value for axis, value in spec.axes.items() if axis != "measure"},
                "per_query_values": "attribution.references of the report document",
                "runs": runs,
            }
        )
    return {
        "schema": SPECIFICATION_SCHEMA,
        "tool": {"name": report.tool.name, "version": report.tool.version},
        "evaluators": {each.id: each.versions for each in report.evaluators},
        "qrels": None
        if qrels is None
        else {
            "name": qrels.name,
            "sha256": qrels.sha256,
            "judgments": qrels.lines,
            "queries": qrels.queries,
            "relevance_scale": qrels.relevance_scale,
        },
        "runs": {
            each.name: {"sha256": each.sha256, "lines": each.lines} for each in report.inputs if each.role == "run"
        },
        "measures": measures,
    }


def machine_json(report: Report) -> str:
    """The block for machines as JSON."""
    return json.dumps(machine_block(report), indent=1, sort_keys=True, ensure_ascii=True) + "\n"


def render_header(report: Report) -> str:
    """The block for machines as a header that can be put on top of a run file."""
    qrels = _qrels(report)
    return write_header(
        machine_block(report),
        measures=list(dict.fromkeys(each.measure for each in report.spec)),
        libraries=[f"ndcgauge {report.tool.version}"]
        + [f"{name} {version}" for name, version in sorted(report.environment.packages.items())],
        qrels="" if qrels is None else qrels.name,
    )
