"""The picture in README: the first screen of ties.html, 1280 × 800, as Chromium shows it.

    python reports/take_picture.py

The picture says which page it was taken of (the text `page-sha256` inside it): a test finds one that is not of the
page as it is. Needs playwright and a Chromium on the path.
"""

from __future__ import annotations

import hashlib
import io
import shutil
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import sync_playwright

PAGE = Path(__file__).parent / "ties.html"


def main() -> None:
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        raise SystemExit("no browser: none of chromium, google-chrome is on the path")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        page.goto(PAGE.resolve().as_uri())
        taken = page.screenshot()
        chromium.close()
    told = PngInfo()
    told.add_text("page-sha256", hashlib.sha256(PAGE.read_bytes()).hexdigest())
    Image.open(io.BytesIO(taken)).convert("RGB").save(PAGE.with_suffix(".png"), optimize=True, pnginfo=told)


if __name__ == "__main__":
    main()
