"""Folders as the Hugging Face hub lays out data sets: which files of one hold the qrels, or the run.

Known are a clone or download (`qrels/test.tsv` as BEIR has it, `qrels/test.jsonl` and
`data/test-00000-of-00002.parquet` as MTEB has them), and the hub's own cache
(`datasets--mteb--scifact/snapshots/<revision>/…`, of which `refs/main` names the revision).
Where a folder has several splits, `test` is taken; another is named behind the folder
(`scifact/dev`), or by its file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ndcgauge.errors import InputError

_SUFFIXES = (".tsv", ".jsonl", ".parquet", ".json")
_PACKED = (".gz", ".zst")
_SHARD = re.compile(r"(?P<split>.+?)-\d{5}-of-\d{5}$")
_FOLDERS = {"qrels": ("qrels", "data", "default", "."), "run": ("run", "runs", "data", "default", ".")}
_OTHER_FILES = frozenset(("corpus", "queries", "dataset_info", "dataset_infos", "config", "state"))
DEFAULT_SPLIT = "test"


def files_of(folder: Path, role: str, split: str | None = None) -> Sequence[Path]:
    """The file, or the shards in their order, of a folder that hold the data of a role (`qrels`, `run`).

    Raises InputError where there are none, or several splits and none of them is `test`.
    """
    inside = _revision(folder)
    for name in _FOLDERS[role]:
        splits = _splits(inside / name)
        if not splits:
            continue
        wanted = split if split is not None else DEFAULT_SPLIT if len(splits) > 1 else next(iter(splits))
        if wanted in splits:
            return splits[wanted]
        raise InputError(
            f"the folder has the splits {', '.join(splits)}" + ("" if split is None else f", and no {split}"),
            file=str(folder),
            fix=f"name one behind the folder, for example {folder / next(iter(splits))}",
        )
    raise InputError(
        f"this is a directory, and none of its files looks like {'qrels' if role == 'qrels' else 'a run'}",
        file=str(folder),
        fix="name the file inside it",
    )


def split_of(path: Path, role: str) -> Sequence[Path] | None:
    """The files that `folder/split` names, where no such path is there; None where it names none."""
    if path.exists() or path.suffix or not path.parent.is_dir():
        return None
    try:
        return files_of(path.parent, role, path.name)
    except InputError:
        return None


def _revision(folder: Path) -> Path:
    """Inside the hub's cache, the folder of the revision that `main` is at; else the folder itself."""
    snapshots, main = folder / "snapshots", folder / "refs" / "main"
    if not snapshots.is_dir():
        return folder
    if main.is_file():
        named = snapshots / main.read_text(encoding="utf-8", errors="replace").strip()
        if named.is_dir():
            return named
    revisions = sorted(each for each in snapshots.iterdir() if each.is_dir())
    if len(revisions) == 1:
        return revisions[0]
    raise InputError(
        f"the cache has {len(revisions)} revisions, and refs/main names none of them",
        file=str(folder),
        fix="name a folder in its snapshots/",
    )


def _splits(folder: Path) -> Mapping[str, Sequence[Path]]:
    """Split to its files, both in order."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        stem, suffix = path.stem, path.suffix
        if suffix in _PACKED:
            stem, suffix = Path(stem).stem, Path(stem).suffix
        if suffix not in _SUFFIXES or stem.startswith(".") or stem in _OTHER_FILES or not path.is_file():
            continue
        shard = _SHARD.match(stem)
        found.setdefault(shard["split"] if shard else stem, []).append(path)
    return {split: files for split, files in found.items() if len(files) == 1 or all(map(_is_shard, files))}


def _is_shard(path: Path) -> bool:
    return _SHARD.match(path.stem) is not None
