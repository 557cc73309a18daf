"""What CI runs, session by session: `uv run nox -s lint types arrows` and so on."""

import shutil
from pathlib import Path

import nox

nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "types", "arrows", "tests"]


@nox.session
def lint(session: nox.Session) -> None:
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    session.run("pyright")


@nox.session
def arrows(session: nox.Session) -> None:
    session.run("lint-imports")


@nox.session
def tests(session: nox.Session) -> None:
    session.run("pytest", *session.posargs)


@nox.session
def evaluators(session: nox.Session) -> None:
    """The tests that need the real evaluators."""
    session.run("pytest", "tests/evaluators", *session.posargs)


@nox.session
def real(session: nox.Session) -> None:
    """The real data of ../shared: every pair, counted."""
    session.run("pytest", "tests/real", "tests/evaluators", "-s", *session.posargs, env={"NDCGAUGE_REAL": "1"})


@nox.session
def deep(session: nox.Session) -> None:
    """The reference against itself: ten thousand examples and more, counted."""
    session.run("pytest", "tests/deep", "-s", *session.posargs, env={"NDCGAUGE_DEEP": "1"})


@nox.session
def fuzz(session: nox.Session) -> None:
    """Coverage-guided fuzzing of the readers and of the closed-form parser; `-- SECONDS` for each, 120 without."""
    for target in ("readers", "closed_forms"):
        # atheris has no builds for every platform, so it is no dependency: uv brings it for this run.
        command = ["uv", "run", "--with", "atheris>=3.0", "python", "-m", "tests.fuzz.run", target]
        session.run(*command, *session.posargs, external=True)


@nox.session
def examples(session: nox.Session) -> None:
    """Renders the examples in reports/ again from their documents, after a form or the document has changed,
    and takes README's picture of one again where there is a Chromium."""
    for path in sorted([*Path("reports").glob("*.json"), *Path("reports").glob("*.json.gz")]):
        stem = path.name.partition(".")[0]
        forms = [other for other in sorted(path.parent.glob(f"{stem}.*")) if other.suffix in (".html", ".md", ".svg")]
        outputs = [part for other in forms for part in ("-o", str(other))]
        session.run("ndcgauge", "report", str(path), *outputs, "--quiet", silent=True)
    if any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        session.run("python", "reports/take_picture.py")
    else:
        session.warn("no Chromium: reports/ties.png was not taken again")
