from __future__ import annotations

import base64
import gzip
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.report.documents import report
from tests.report.large import large, page
from tests.report.test_hostile_ids import Tags

from ndcgauge.report import render
from ndcgauge.report.figures.canvas import FAMILY_COLORS
from ndcgauge.report.page import pair_pages
from ndcgauge.results.files import to_json, write_whole
from ndcgauge.results.model import Report

PAGE = render(report(), "html")
LARGE = page(6980)


def tags_of(text: str) -> Tags:
    tags = Tags()
    tags.feed(text)
    return tags


def test_the_same_document_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    write_whole(tmp_path / "report.json", to_json(report()))
    program = (
        "import sys; from pathlib import Path; from ndcgauge.results.files import load_report;"
        "from ndcgauge.report import render;"
        "sys.stdout.buffer.write(render(load_report(Path(sys.argv[1])), 'html').encode())"
    )
    (tmp_path / "matplotlibrc").write_text("font.size: 20\nsvg.fonttype: path\nlines.linewidth: 9\n")
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "MATPLOTLIBRC": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "report.json")], capture_output=True, check=True, env=environment
    )
    assert done.stdout.decode() == PAGE


@pytest.mark.parametrize("text", [PAGE, LARGE], ids=["small", "large"])
def test_nothing_is_loaded(text: str) -> None:
    found = re.findall(r"""\b(?:src|href|action|poster|srcset|data)\s*=\s*["']?([^"'\s>]*)""", text)
    assert found
    assert all(each.startswith(("#", "data:")) for each in found)
    assert "@import" not in text
    assert all(each.startswith("#") for each in re.findall(r"url\(\s*[\"']?([^)\"']*)", text))
    assert "<link " not in text.replace('<link rel="icon" href="data:,">', "")


def test_the_policy_forbids_loading_and_allows_our_script_alone() -> None:
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', PAGE)
    assert policy is not None
    directives = dict(each.split(None, 1) for each in policy[1].split("; "))
    assert directives["default-src"] == "'none'"
    scripts = re.findall(r"<script>(.*?)</script>", PAGE, re.DOTALL)
    assert len(scripts) == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert directives["script-src"] == f"'sha256-{digest}'"


def test_the_download_is_the_document() -> None:
    packed = re.search(r'href="data:application/gzip;base64,([^"]*)"', PAGE)
    assert packed is not None
    assert Report.model_validate_json(gzip.decompress(base64.b64decode(packed[1]))) == report()


def test_fifty_queries_with_three_evaluators_fit_in_300_kilobytes() -> None:
    assert len(page(50).encode()) <= 300_000
    assert page(50).count("<figure") >= 6


def test_6980_queries_fit_in_two_megabytes_and_are_binned() -> None:
    assert len(LARGE.encode()) < 2_000_000
    assert "The 200 of 6,980 queries that differ most" in LARGE
    (only,) = pair_pages(large(6980))
    for each in only.scatters:
        assert "6,980 queries" in each.summary
        assert each.svg.count("<use") < 100
        assert each.queries == ()


def test_every_figure_has_a_text_in_its_place() -> None:
    tags = tags_of(page(50)).tags
    roles = [attributes for _, attributes in tags if attributes.get("role") == "img"]
    assert len(roles) == sum(tag == "figure" for tag, _ in tags)
    assert all(attributes["aria-label"] for attributes in roles)


def test_every_table_has_a_caption_and_scopes() -> None:
    tags = tags_of(page(50)).tags
    assert sum(tag == "caption" for tag, _ in tags) == sum(tag == "table" for tag, _ in tags)
    assert all("scope" in attributes for tag, attributes in tags if tag == "th")


def test_every_colour_of_a_figure_is_one_of_the_page() -> None:
    used = set(re.findall(r"var\(--([\w-]+)\)", page(50)))
    for scheme in re.findall(r":root \{(.*?)\}", page(50), re.DOTALL):
        assert used <= set(re.findall(r"--([\w-]+):", scheme))
    assert {f"f-{family.replace(' ', '-')}" for family in FAMILY_COLORS} <= used
    assert "#0000" not in page(50).replace("#000000", "")


def test_ids_are_unique() -> None:
    ids = [attributes["id"] for _, attributes in tags_of(page(50)).tags if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_the_waterfall_always_has_a_bar_for_what_nothing_explains() -> None:
    (only,) = pair_pages(large(50))
    assert len(only.waterfalls) == 2
    assert all(">unexplained</text>" in each.svg for each in only.waterfalls)


def test_a_document_without_evaluators_is_a_page() -> None:
    empty = report().model_copy(update={"evaluators": [], "discrepancies": []})
    assert "Verdict" in render(empty, "html")


@pytest.mark.parametrize("count", [1, 3])
def test_a_document_of_another_shape_is_a_page(count: int) -> None:
    document = large(count)
    other = document.attribution.model_copy(update={"envelopes": []})
    assert render(
        Report.model_validate({**document.model_dump(by_alias=True), "attribution": other.model_dump()}), "html"
    )
