from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.report.documents import PLAIN, Texts, report
from tests.report.hostile import HOSTILE, WORSE

from ndcgauge.report.latex import Marks, escaped, render_latex
from ndcgauge.results.model import Report

PREAMBLE = "\\documentclass{article}\\usepackage{booktabs}\\usepackage{amssymb}\n\\begin{document}\n"


def test_recorded(recorded: Callable[[str, str], None]) -> None:
    recorded("report.tex", render_latex(report()))


def test_superscripts_name_causes_and_the_legend_explains_them() -> None:
    text = render_latex(report())
    # tied: queries and ties, its smallest explanation; the program: gain, and a rest of 0.02.
    assert r"tied & 0.4800\textsuperscript{a,b} \\" in text
    assert r"house & 0.5700\textsuperscript{c,d} \\" in text
    legend = r"\textsuperscript{a}queries; \textsuperscript{b}ties; \textsuperscript{c}gain; \textsuperscript{d}unexplained in part (+0.0200)"
    assert legend in text
    assert r"exact & 0.5000 \\" in text
    assert r"refuses & refused \\" in text


def test_letters_do_not_end_at_z() -> None:
    marks = Marks()
    assert [marks.of(str(number)) for number in range(28)][-3:] == ["z", "aa", "ab"]


def test_specials_are_escaped() -> None:
    assert escaped("a_b%{$}#&") == r"a\_b\%\{\$\}\#\&"
    assert escaped("--") == "-{}-"
    assert escaped("é") == "é"
    assert escaped("中") == r"\textbackslash{}u4e2d"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX is installed: pdflatex is not on the path")
@pytest.mark.parametrize("texts", [PLAIN, HOSTILE, WORSE], ids=["plain", "hostile", "worse"])
def test_pdflatex_compiles_it(texts: Texts, tmp_path: Path) -> None:
    made: Report = report(texts)
    (tmp_path / "report.tex").write_text(render_latex(made), encoding="utf-8")
    (tmp_path / "paper.tex").write_text(PREAMBLE + "\\input{report.tex}\n\\end{document}\n", encoding="utf-8")
    program = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF")
