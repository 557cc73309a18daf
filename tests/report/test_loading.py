from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.report.documents import report

from ndcgauge.report import render
from ndcgauge.results.files import to_json, write_whole

_RENDER = (
    "import sys; from pathlib import Path; from ndcgauge.results.files import load_report;"
    "from ndcgauge.report import render; from ndcgauge.report.figures.loading import load_for_figures;"
)
_PAGE = "sys.stdout.buffer.write(render(load_report(Path(sys.argv[1])), 'html').encode());"
_DOCS = "import matplotlib.artist, matplotlib.lines; line = matplotlib.lines.Line2D;"


def told(program: str, tmp_path: Path) -> str:
    path = tmp_path / "report.json"
    write_whole(path, to_json(report()))
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, check=True)
    return done.stdout.decode()


def test_figures_loaded_so_are_the_same_bytes(tmp_path: Path) -> None:
    assert told(f"{_RENDER}load_for_figures();{_PAGE}", tmp_path) == render(report(), "html")


def test_matplotlib_has_its_function_back_and_only_the_lists_are_missing(tmp_path: Path) -> None:
    program = f"{_RENDER}load_for_figures();{_DOCS}print('dash_capstyle' in matplotlib.artist.kwdoc(line), "
    assert told(f"{program}'dash_capstyle' in line.set.__doc__)", tmp_path).split() == ["True", "False"]


def test_without_a_command_line_nothing_is_missing(tmp_path: Path) -> None:
    program = f"{_RENDER}page = render(load_report(Path(sys.argv[1])), 'html');{_DOCS}"
    assert told(f"{program}print('dash_capstyle' in line.set.__doc__)", tmp_path).split() == ["True"]


def test_what_is_loaded_stays_as_it_is(tmp_path: Path) -> None:
    program = f"import matplotlib.figure;{_RENDER}load_for_figures();{_DOCS}"
    assert told(f"{program}print('dash_capstyle' in line.set.__doc__)", tmp_path).split() == ["True"]
