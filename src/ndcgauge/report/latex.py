"""The report as LaTeX: tables for a paper, in booktabs, with a superscript for every cause."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ndcgauge.report.claims import claims_table
from ndcgauge.report.labels import run_labels
from ndcgauge.report.lookup import discrepancy_of, evaluators_of, is_baseline, pairs, reference_of
from ndcgauge.report.numbers import number, signed
from ndcgauge.report.printable import one_line
from ndcgauge.report.several import several_tables
from ndcgauge.report.specification import publication_sentences, spec_table
from ndcgauge.report.tables import Table
from ndcgauge.results.model import DiscrepancyEntry, Report

_COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "`": r"\textasciigrave{}",
    "–": r"\textendash{}",
    "→": r"$\rightarrow$",
    "≠": r"$\neq$",
    "✓": r"$\checkmark$",
    "✗": r"$\times$",
    "…": r"\dots{}",
}
_LETTERS = re.compile("[À-ÖØ-öø-ÿ]")
_WITHOUT = "ÐðÞþ"
"""Letters that pdflatex's default encoding lacks."""


def escaped(text: str) -> str:
    r"""Text in which nothing is a command, on one line.

    Letters beyond Western Europe's stand as escapes (`\\u4e2d`): pdflatex stops at them.
    """
    # Two hyphens would become a dash, two apostrophes a quote.
    return re.sub("-(?=-)|'(?=')", r"\g<0>{}", "".join(map(_escaped, one_line(text))))


def _escaped(letter: str) -> str:
    if letter in _COMMANDS:
        return _COMMANDS[letter]
    if letter.isascii() or (_LETTERS.match(letter) and letter not in _WITHOUT):
        return letter
    return "".join(_COMMANDS.get(each, each) for each in letter.encode("unicode_escape").decode("ascii"))


class Marks:
    """Letters for causes: a, b, … z, aa, ab …, in the order in which they are met."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def of(self, cause: str) -> str:
        """The letter of a cause."""
        return self._found.setdefault(cause, _letters(len(self._found)))

    def legend(self) -> str:
        """Every letter with its cause, as LaTeX."""
        return "; ".join(rf"\textsuperscript{{{letter}}}{escaped(cause)}" for cause, letter in self._found.items())


def _letters(place: int) -> str:
    text = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def render_latex(report: Report) -> str:
    """Published numbers; scores for each measure, the tables of several runs, and all axes of each measure."""
    parts = [
        f"% Made by ndcgauge {report.tool.version}. To be \\input; the preamble needs",
        "% \\usepackage{booktabs} and \\usepackage{amssymb}, and before LaTeX 2020 \\usepackage{textcomp} as well.",
    ]
    if report.claims:
        table = claims_table(report)
        caption = " ".join([f"{table.title}.", *(each.sentence for each in report.claims if each.sentence)])
        parts += ["", *_float(caption, _tabular(table, folded=r"p{0.22\linewidth}"))]
    for measure in dict.fromkeys(measure for _, measure in pairs(report)):
        parts += ["", *_scores(report, measure)]
    for table in several_tables(report):
        parts += ["", *_float(table.title, _tabular(table))]
    for sentence, spec in zip(publication_sentences(report), report.spec, strict=True):
        table = spec_table(report, spec.measure)
        parts += ["", *_float(f"{table.title}. {sentence}", _tabular(table))]
    return "\n".join(parts) + "\n"


def _scores(report: Report, measure: str) -> list[str]:
    """A row for each run, a column for each evaluator; of a single run, a row for each evaluator."""
    labels = run_labels(report)
    runs = [run for run, each in pairs(report) if each == measure]
    baseline = reference_of(report, runs[0], measure).baseline
    names = [baseline]
    names += dict.fromkeys(
        each.id for run in runs for each in evaluators_of(report, run, measure) if each.id != baseline
    )
    marks = Marks()
    values = {run: {name: _value(report, run, measure, name, marks) for name in names} for run in runs}
    if len(runs) == 1:
        head = ["evaluator", measure]
        rows = [[escaped(name), values[runs[0]][name]] for name in names]
    else:
        head = ["run", *names]
        rows = [[escaped(labels[run]), *(values[run][name] for name in names)] for run in runs]
    legend = marks.legend()
    of = f" of {labels[runs[0]]}" if len(runs) == 1 else ""
    caption = escaped(f"{measure}{of} by evaluator; the baseline is {baseline}.")
    caption += f" Differs from it because of: {legend}." if legend else ""
    body = [
        rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
        r"\toprule",
        " & ".join(map(escaped, head)) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return _caption_and_body(caption, body)


def _value(report: Report, run: str, measure: str, name: str, marks: Marks) -> str:
    reference = reference_of(report, run, measure)
    entry = next((each for each in evaluators_of(report, run, measure) if each.id == name), None)
    if entry is None:
        return number(reference.mean, 4) if name == reference.baseline else "--"
    if entry.mean is None:
        return escaped(entry.outcome)
    found = None if is_baseline(report, entry) else discrepancy_of(report, entry)
    value = number(entry.mean, 4)
    causes = [] if found is None else _causes(found)
    return value + rf"\textsuperscript{{{','.join(map(marks.of, causes))}}}" if causes else value


def _causes(found: DiscrepancyEntry) -> list[str]:
    """The axes of the smallest explanation; what nothing explains with its size; none where both agree."""
    match found.verdict:
        case "agrees":
            return []
        case "explained" if len(found.minimal) == 1:
            return list(found.minimal[0])
        case "explained" if found.minimal:
            return [" or ".join(" + ".join(each) for each in found.minimal)]
        case "unexplained":
            return ["unexplained"]
        case _:
            return [*sorted(found.contributions), f"unexplained in part ({signed(found.residual, 4)})"]


def _tabular(table: Table, folded: str = "l") -> list[str]:
    """A tabular; the columns whose cells may be long have the shape `folded`."""
    shape = "".join("r" if column.numeric else folded if column.folds else "l" for column in table.columns)
    return [
        rf"\begin{{tabular}}{{{shape}}}",
        r"\toprule",
        " & ".join(escaped(column.name) for column in table.columns) + r" \\",
        r"\midrule",
        *(" & ".join(escaped(cell.text) for cell in row) + r" \\" for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _float(title: str, body: Sequence[str]) -> list[str]:
    return _caption_and_body(escaped(title), body)


def _caption_and_body(caption: str, body: Sequence[str]) -> list[str]:
    return [r"\begin{table}", r"\centering", rf"\caption{{{caption}}}", *body, r"\end{table}"]
