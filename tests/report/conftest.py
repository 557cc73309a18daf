"""The option that writes recorded forms anew, to be looked at before they are committed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

RECORDED = Path(__file__).parent / "recorded"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--re-record", action="store_true", help="write the recorded reports anew")


@pytest.fixture
def recorded(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with a recorded file, or with --re-record writes the file and fails."""

    def check(name: str, text: str) -> None:
        path = RECORDED / name
        if request.config.getoption("--re-record"):
            path.write_text(text, encoding="utf-8")
            pytest.fail(f"recorded {name} anew: look at it", pytrace=False)
        assert text == path.read_text(encoding="utf-8")

    return check
