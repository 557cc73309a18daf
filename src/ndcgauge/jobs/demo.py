"""The worked example: five judged documents, six retrieved ones, seven numbers for it."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from ndcgauge.evaluators.names import catalogue
from ndcgauge.jobs.compare import Options, Tell, compare, options
from ndcgauge.jobs.explain import Explanation, explain
from ndcgauge.jobs.request import Request, request
from ndcgauge.results.model import Report

MEASURE = "ndcg@10"
QUERY = "q1"


def data(name: str) -> Path:
    """The path of an embedded file (`worked-example.qrels`, `worked-example.run`)."""
    with as_file(files("ndcgauge.jobs") / "demo_data" / name) as path:
        return path


def worked_example() -> tuple[str, str]:
    """The paths of the example's qrels and run, as texts."""
    return str(data("worked-example.qrels")), str(data("worked-example.run"))


def by_hand() -> Explanation:
    """The table that one would make by hand."""
    qrels, run = worked_example()
    return explain(qrels, run, QUERY, request([MEASURE]))[0]


def demo(*, timeout: float = 600.0, tell: Tell | None = None) -> Report:
    """Every evaluator of the catalogue on the worked example."""
    asked: Request = request([MEASURE], complete=True)
    chosen: Options = options(list(catalogue()), asked, timeout=timeout)
    qrels, run = worked_example()
    report = compare(qrels, [run], asked, chosen, command=["ndcgauge", "demo"], tell=tell)
    # The files lie where the package does: only their names are worth telling.
    return named(report)


def named(report: Report) -> Report:
    """The report with the names of the embedded files in place of their paths."""
    names = {each.name: Path(each.name).name for each in report.inputs}

    def run(name: str) -> str:
        return names.get(name, name)

    return report.model_copy(
        update={
            "inputs": [each.model_copy(update={"name": names[each.name]}) for each in report.inputs],
            "evaluators": [each.model_copy(update={"run": run(each.run)}) for each in report.evaluators],
            "discrepancies": [each.model_copy(update={"run": run(each.run)}) for each in report.discrepancies],
            "attribution": report.attribution.model_copy(
                update={
                    "envelopes": [
                        each.model_copy(update={"run": run(each.run)}) for each in report.attribution.envelopes
                    ],
                    "references": [
                        each.model_copy(update={"run": run(each.run)}) for each in report.attribution.references
                    ],
                }
            ),
        }
    )
