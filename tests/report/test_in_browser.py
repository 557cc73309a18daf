"""The page in a real browser, headless: Chromium, driven by playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.report.documents import report
from tests.report.hostile import WORSE
from tests.report.large import large, page

from ndcgauge.report import render
from ndcgauge.results.files import load_report

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
EXAMPLE = Path(__file__).resolve().parents[2] / "reports" / "worked-example.json"

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no browser: none of chromium, google-chrome is on the path")
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright, which drives the browser, is not installed")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as driver:
        # In a container the sandbox of the browser has no rights to be made; the pages are our own.
        found = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    made = {
        "example": render(load_report(EXAMPLE), "html"),
        "fifty": page(50),
        "many": page(6980),
        "hostile": render(report(WORSE), "html"),
    }
    for name, text in made.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in made}


class Opened:
    """A page that is open, with everything that its console and the network said."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        self.page = self.context.new_page()
        self.console: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.console.append(message.text))
        self.page.on("pageerror", lambda error: self.console.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(address)

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def bottom(self, selector: str) -> float:
        return (
            self.page.locator(selector).first.bounding_box()["y"]
            + self.page.locator(selector).first.bounding_box()["height"]
        )

    def first_cells(self, selector: str) -> list[str]:
        return self.page.locator(f"{selector} tbody tr:visible > :first-child").all_inner_texts()


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
@pytest.mark.parametrize("name", ["example", "fifty", "many", "hostile"])
def test_no_errors_and_no_requests(browser: Any, pages: dict[str, str], name: str, script: bool) -> None:
    with Opened(browser, pages[name], java_script_enabled=script) as opened:
        assert opened.console == []
        assert [each for each in opened.requests if not each.startswith(("file:", "data:", "blob:"))] == []
        assert opened.page.locator("h1").inner_text().lower() == "verdict"
        assert opened.page.locator("svg").count() > 0
        assert opened.page.locator("table.data").count() > 0


@pytest.mark.parametrize("name", ["example", "fifty", "many"])
def test_verdict_and_matrix_are_on_the_first_screen(browser: Any, pages: dict[str, str], name: str) -> None:
    with Opened(browser, pages[name]) as opened:
        assert opened.bottom("section.verdict") < 800
        assert opened.bottom("#matrix") < 800
        assert opened.bottom(".two figure svg") < 800


@pytest.mark.parametrize("width", [390, 820, 1280])
@pytest.mark.parametrize("name", ["example", "fifty", "hostile"])
def test_nothing_scrolls_sideways(browser: Any, pages: dict[str, str], name: str, width: int) -> None:
    with Opened(browser, pages[name], viewport={"width": width, "height": 844}) as opened:
        opened.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


def test_columns_are_sorted_by_number_up_and_down(browser: Any, pages: dict[str, str]) -> None:
    with Opened(browser, pages["fifty"]) as opened:
        opened.page.locator("details.queries summary").click()
        button = opened.page.locator("#p1-q thead th:nth-child(2) button")
        column = "#p1-q tbody td:nth-child(2)"
        button.click()
        rising = list(map(float, opened.page.locator(column).all_inner_texts()))
        assert rising == sorted(rising)
        assert opened.page.locator("#p1-q thead th:nth-child(2)").get_attribute("aria-sort") == "ascending"
        button.click()
        assert list(map(float, opened.page.locator(column).all_inner_texts())) == rising[::-1]
        assert "sort=p1-q.1.d" in opened.page.url


def test_queries_are_filtered_and_the_address_keeps_the_view(browser: Any, pages: dict[str, str]) -> None:
    with Opened(browser, pages["fifty"]) as opened:
        opened.page.locator("details.queries summary").click()
        opened.page.locator(".filter input").fill("1000037")
        assert opened.first_cells("#p1-q") == ["1000037"]
        address = opened.page.url
        assert address.endswith("#find=p1-q:1000037")
    with Opened(browser, address) as again:
        assert again.first_cells("#p1-q") == ["1000037"]


def test_a_click_on_a_point_shows_its_query(browser: Any, pages: dict[str, str]) -> None:
    with Opened(browser, pages["fifty"]) as opened:
        point = opened.page.locator("figure[data-queries] .mark-off use").first
        point.dispatch_event("click")
        query = opened.page.evaluate("JSON.parse(document.querySelector('figure[data-queries]').dataset.queries)[0]")
        assert opened.first_cells("#p1-q") == [query]


def test_a_fragment_of_somebody_else_does_no_harm(browser: Any, pages: dict[str, str]) -> None:
    with Opened(browser, pages["fifty"] + "#sort=p1-q.99.a&find=p1-q:%E0%A4%A&sort=<b>.1.a&find=nothing:x") as opened:
        assert opened.console == []


def test_without_scripts_the_document_can_be_downloaded(browser: Any, pages: dict[str, str], tmp_path: Path) -> None:
    for script in (False, True):
        with Opened(browser, pages["fifty"], java_script_enabled=script, accept_downloads=True) as opened:
            with opened.page.expect_download() as download:
                opened.page.locator("#download").click()
            path = tmp_path / f"saved-{script}"
            download.value.save_as(path)
            assert load_report(path) == large(50)


def test_printing_gives_a_pdf(browser: Any, pages: dict[str, str]) -> None:
    with Opened(browser, pages["fifty"]) as opened:
        printed = opened.page.pdf(format="A4")
        assert printed.startswith(b"%PDF")
        assert len(printed) > 20_000


def contrast(one: list[float], two: list[float]) -> float:
    """The contrast of two colours as WCAG 2 defines it."""

    def light(color: list[float]) -> float:
        parts = [each / 255 for each in color[:3]]
        linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_are_legible(browser: Any, pages: dict[str, str], scheme: str) -> None:
    with Opened(browser, pages["fifty"], color_scheme=scheme) as opened:
        colors = opened.page.evaluate(
            """() => Object.fromEntries(['paper', 'raised', 'ink', 'muted', 'link', 'good', 'known', 'bad', 'f-gain',
              'f-discount', 'f-tie-breaking', 'f-unjudged', 'f-document-set', 'f-normalisation', 'f-aggregation',
              'f-numeric', 'f-reading', 'f-unexplained'].map((name) => {
                const text = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
                return [name, [1, 3, 5].map((place) => parseInt(text.slice(place, place + 2), 16))];
              }))"""
        )
        for name in ("ink", "muted", "link", "good", "known", "bad"):
            for ground in ("paper", "raised"):
                assert contrast(colors[name], colors[ground]) >= 4.5, (name, ground)
        for name in colors:
            if name.startswith("f-"):
                assert contrast(colors[name], colors["paper"]) >= 3, name
