"""Flags that mean the same everywhere (DESIGN §10)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class Duplicates(StrEnum):
    """What a repeated (query, document) is."""

    ERROR = "error"
    FIRST = "first"
    LAST = "last"
    ALL = "all"


class Nul(StrEnum):
    """What a NUL byte in a file is."""

    ERROR = "error"
    STOP = "stop"
    KEEP = "keep"


class FailOn(StrEnum):
    """From which verdict on the exit code is 1."""

    NEVER = "never"
    DIFFERS = "differs"
    UNEXPLAINED = "unexplained"


QrelsFile = Annotated[
    str,
    typer.Argument(
        metavar="QRELS",
        help="Judgments: TREC, BEIR TSV, JSON, JSON lines, Parquet; .gz, .zst; a folder; - for standard input.",
    ),
]
RunFile = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="A ranking: TREC, MS MARCO, JSON, JSON lines, Parquet; .gz, .zst; - for standard input."
    ),
]
RunFiles = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN...", help="Rankings: TREC, MS MARCO, JSON, JSON lines, Parquet; .gz, .zst; - for standard input."
    ),
]
Measures = Annotated[
    list[str] | None,
    typer.Option("-m", "--measure", help="ndcg@10 (default), ndcg_cut.10, nDCG@10, map, P_10 ... Repeatable."),
]
Evaluators = Annotated[
    list[str] | None,
    typer.Option(
        "-e",
        "--evaluator",
        help="sklearn, ranx, pyserini ..., NAME=exec:COMMAND or NAME=trec:COMMAND. Repeatable.",
    ),
]
Baseline = Annotated[str, typer.Option("--baseline", help="A preset, or an evaluator, to compare with.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="AXIS=VALUE", help="Changes the baseline's specification. Repeatable."),
]
Complete = Annotated[
    bool, typer.Option("-c", "--complete", help="Mean over all judged queries, as trec_eval -c: --set queries=judged.")
]
PerQuery = Annotated[bool, typer.Option("-q", "--per-query", help="Rows per query in the output, as trec_eval -q.")]
Outputs = Annotated[
    list[str] | None,
    typer.Option(
        "-o",
        "--output",
        help="Writes a report; its suffix is the form: .json .html .md .tex .xml .svg .trec .yaml .txt. Repeatable.",
    ),
]
Form = Annotated[str, typer.Option("-f", "--format", help="What is printed on standard output.")]
Tolerance = Annotated[str, typer.Option("--tolerance", help="Absolute (1e-9) or in units in the last place (8ulp).")]
FailOnOption = Annotated[FailOn, typer.Option("--fail-on", help="From which verdict on the exit code is 1.")]
OnDuplicate = Annotated[
    Duplicates, typer.Option("--on-duplicate", help="A repeated document of a query: refused, or which line counts.")
]
OnNul = Annotated[Nul, typer.Option("--on-nul", help="A NUL byte: refused; read as trec_eval does (stop); kept.")]
QrelsFormat = Annotated[str, typer.Option("--qrels-format", help="auto, trec, beir, json, jsonl or parquet.")]
RunFormat = Annotated[str, typer.Option("--run-format", help="auto, trec, msmarco, beir, json, jsonl or parquet.")]
MaxBytes = Annotated[
    str, typer.Option("--max-bytes", help="Unpacked bytes beyond which an input is refused: 500M, 8G ...")
]
Timeout = Annotated[float, typer.Option("--timeout", help="Seconds that an evaluator may take for one call.")]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", min=1, help="How many evaluators may work at once; else as many as there are processors."),
]
NoProgress = Annotated[bool, typer.Option("--no-progress", help="No progress on standard error.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No verdict and no warnings on standard error.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="More of everything; tracebacks of internal errors.")]
