from __future__ import annotations

import re
from collections.abc import Callable

from tests.report.documents import Texts, report

from ndcgauge.report.markdown import escaped, render_markdown


def test_recorded(recorded: Callable[[str, str], None]) -> None:
    recorded("report.md", render_markdown(report()))


def test_every_row_of_a_table_has_as_many_cells_as_its_heading() -> None:
    texts = Texts(run="a|b.run", queries=("q|1", "q\\|2", "q||3"), docs=("d|1", "d\\"))
    cells = 0
    for line in render_markdown(report(texts)).splitlines():
        if line.startswith("|"):
            here = len(re.findall(r"(?<!\\)(?:\\\\)*\|", line))
            cells = cells or here
            assert here == cells
        else:
            cells = 0


def test_nothing_is_markup_and_everything_is_on_one_line() -> None:
    assert escaped("*a* <b> [c](d)\n`e` | f") == r"\*a\* \<b\> \[c\](d) \`e\` \| f"


def test_a_command_cannot_close_its_fence() -> None:
    text = render_markdown(report(Texts(run="```\n# not a heading")))
    assert "\n````\nndcgauge compare qrels '```\\n# not a heading'\n````\n" in text


def test_the_full_specification_is_in_the_report() -> None:
    text = render_markdown(report())
    for axis, value in {"gain": "linear", "queries": "judged", "ties": "docid-desc"}.items():
        assert f"| {axis} | {value} |" in text
    assert "spec:0123456789ab" in text
    assert "fedcba9876543210" * 4 in text
