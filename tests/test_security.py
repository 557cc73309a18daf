"""The source has no shell, no pickle, no eval and no exec; temporary folders are private."""

from __future__ import annotations

import ast
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from ndcgauge.data.sources import written_source
from ndcgauge.evaluators.workers import Workers

SOURCE = Path(__file__).resolve().parents[1] / "src" / "ndcgauge"
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__"}
FORBIDDEN_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal", "joblib"}
FORBIDDEN_ATTRIBUTES = {
    ("os", "system"),
    ("os", "popen"),
    ("yaml", "load"),
    ("yaml", "unsafe_load"),
    ("tempfile", "mktemp"),
}


def offences(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in FORBIDDEN_CALLS:
                yield f"{name}() in line {node.lineno}"
            case ast.Attribute(value=ast.Name(id=module), attr=name) if (module, name) in FORBIDDEN_ATTRIBUTES:
                yield f"{module}.{name} in line {node.lineno}"
            case ast.keyword(arg="shell", value=value) if not (
                isinstance(value, ast.Constant) and value.value is False
            ):
                yield f"shell= in line {value.lineno}"
            case ast.keyword(arg="allow_pickle", value=ast.Constant(value=True)):
                yield "allow_pickle=True"
            case ast.Import(names=names):
                yield from (f"import {each.name}" for each in names if each.name.partition(".")[0] in FORBIDDEN_MODULES)
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in FORBIDDEN_MODULES:
                yield f"from {module}"
            case _:
                pass


def test_the_source_has_none() -> None:
    paths = sorted(SOURCE.rglob("*.py"))
    assert len(paths) > 100
    found = {
        str(path.relative_to(SOURCE)): list(offences(ast.parse(path.read_text(encoding="utf-8")))) for path in paths
    }
    assert {path: each for path, each in found.items() if each} == {}


@pytest.mark.parametrize(
    "text",
    [
        "eval('1')",
        "exec('')",
        "import pickle",
        "from pickle import loads",
        "subprocess.run(x, shell=True)",
        "os.system('x')",
        "yaml.load(x)",
    ],
)
def test_the_search_would_find_it(text: str) -> None:
    assert list(offences(ast.parse(text)))


def test_temporary_folders_are_private() -> None:
    source = written_source("<run>", lambda file: file.write(b"q") and None)
    assert stat.S_IMODE(source.path.parent.stat().st_mode) == 0o700
    with Workers() as workers:
        folder = workers._private()  # pyright: ignore[reportPrivateUsage]
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()
