"""Measures the table of the benchmarks and writes results.md.

    python benchmarks/run.py [--data FOLDER] [--trec-eval PATH] [--rounds N] [--small] [--rows NAME ...]

CPU is user and system time of whole processes, start-up included, as a ratio to a peer on the same files
that ran in turn with it; medians of the rounds. See README.md.
"""

from __future__ import annotations

import argparse
import gzip
import math
import os
import platform
import shutil
import statistics
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from make_data import default_folder, make
from measuring import Failed, Used, cpu, in_turn, once, peak, ratio

HERE = Path(__file__).parent
PYTREC_OVER_TREC_EVAL = 1.17
"""CPU of pytrec_eval over that of trec_eval 10 built with -O3, on sparse: measured before the project began."""
PEERS = ("pytrec_eval", "ranx", "ir_measures", "pyserini", "sklearn")


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    work: str
    measured: str
    target: str
    met: bool
    note: str = ""


@dataclass
class Bench:
    """Where things are, and how often to measure."""

    data: Path
    rounds: int
    small: bool
    trec_eval: str | None
    told: str
    """What the trec_eval is, in the words of who runs this."""

    def pair(self, name: str) -> tuple[str, str]:
        """Qrels and run of a name, made if they are not there."""
        if self.small and name != "dl":
            name += "-small"
        qrels, run = self.data / f"{name}.qrels", self.data / f"{name}.run"
        if not (qrels.exists() and run.exists()):
            make(self.data, name)
        return str(qrels), str(run)

    def score(self, name: str, *options: str) -> list[str]:
        return [ndcgauge(), "score", *self.pair(name), *(options or ("-m", "ndcg@10")), "-q", "--format", "trec"]

    def peer(self, peer: str, name: str) -> list[str]:
        return [sys.executable, str(HERE / "peers.py"), peer, *self.pair(name)]

    def base(self, name: str, *measures: str) -> tuple[list[str], float]:
        """The command that we are compared with, and what its CPU has to be divided by to be trec_eval's."""
        if self.trec_eval is None:
            return self.peer("pytrec_eval", name), PYTREC_OVER_TREC_EVAL
        flags = [part for measure in measures or ("ndcg_cut.10",) for part in ("-m", measure)]
        return [self.trec_eval, "-q", "-c", *flags, *self.pair(name)], 1.0


def ndcgauge() -> str:
    """The program as it is installed beside this Python."""
    return str(Path(sysconfig.get_path("scripts")) / "ndcgauge")


def script(name: str, *arguments: str) -> list[str]:
    return [sys.executable, str(HERE / name), *arguments]


def limit(work: str, value: float, target: float, note: str = "", digits: int = 2) -> Row:
    return Row(work, f"{value:.{digits}f}", f"≤ {target:g}", round(value, digits) <= target, note)


def scoring(name: str, target: float, memory: float, *, full: bool = False) -> Callable[[Bench], list[Row]]:
    """`score` against trec_eval, and its peak memory against the size of the run."""

    def measure(bench: Bench) -> list[Row]:
        # No trec_eval reads every blank line and comment, so blanks is compared with the same values on tidy lines.
        base, factor = bench.base("sparse" if name == "blanks" else name, *(("ndcg", "map") if full else ()))
        options = ("-m", "ndcg", "-m", "map") if full else ()
        found = in_turn({"base": base, "ours": bench.score(name, *options)}, bench.rounds)
        size = Path(bench.pair(name)[1]).stat().st_size
        title = f"{name}{', full depth (ndcg, map)' if full else ''}"
        return [
            limit(f"{title}: CPU / trec_eval", ratio(found["ours"], found["base"]) * factor, target),
            limit(f"{title}: peak memory / file", peak(found["ours"]) / size, memory, _floor(found["ours"], size)),
        ]

    return measure


def _floor(used: Sequence[Used], size: int) -> str:
    return f"of {size / 1e6:.0f} MB; start-up alone needs about 35 MB" if size < 50e6 else f"of {size / 1e6:.0f} MB"


def packed(bench: Bench) -> list[Row]:
    qrels, run = bench.pair("sparse")
    name = Path(f"{run}.gz")
    if not name.exists():
        with Path(run).open("rb") as plain, gzip.open(name, "wb", compresslevel=6) as file:
            shutil.copyfileobj(plain, file, 1 << 20)
    zcat = shutil.which("zcat")
    if zcat is None:
        raise Failed("there is no zcat to compare with")
    ours = [ndcgauge(), "score", qrels, str(name), "-m", "ndcg@10", "-q", "--format", "trec"]
    found = in_turn({"plain": bench.score("sparse"), "zcat": [zcat, str(name)], "ours": ours}, bench.rounds)
    value = statistics.median(
        a.cpu / (b.cpu + 1.2 * z.cpu) for a, b, z in zip(found["ours"], found["plain"], found["zcat"], strict=True)
    )
    return [
        limit("sparse, .gz: CPU / (plain + 1.2 zcat)", value, 1),
        limit("sparse, .gz: peak memory / plain", peak(found["ours"]) / peak(found["plain"]), 1.05),
    ]


def start(bench: Bench) -> list[Row]:
    found = in_turn({"base": bench.peer("pytrec_eval", "dl"), "ours": bench.score("dl")}, bench.rounds * 2)
    return [limit("54 queries × 1,000: CPU / pytrec_eval", ratio(found["ours"], found["base"]), 1)]


def specifications(bench: Bench) -> list[Row]:
    rows: list[Row] = []
    for name, target in (("sparse", 1.06), ("dl", 1.2), ("dense", 1.8)):
        pair = bench.pair(name)
        found = in_turn({str(n): script("many.py", *pair, str(n)) for n in (1, 200)}, bench.rounds)
        rows.append(limit(f"200 specifications / one, {name}", ratio(found["200"], found["1"]), target))
    return rows


def growth(bench: Bench) -> list[Row]:
    small, large = replace(bench, small=True), replace(bench, small=False)
    few = large.score("dl")
    found = in_turn(
        {"0": [*few[:2], *_tiny(bench), *few[4:]], "1": small.score("sparse"), "10": large.score("sparse")},
        bench.rounds,
    )
    start_up = cpu(found["0"])
    exponent = math.log10((cpu(found["10"]) - start_up) / (cpu(found["1"]) - start_up))
    return [limit("ten times the lines: growth exponent (start-up off)", exponent, 1.02)]


def _tiny(bench: Bench) -> tuple[str, str]:
    qrels, run = bench.data / "tiny.qrels", bench.data / "tiny.run"
    qrels.write_text("1 0 d 1\n", encoding="utf-8")
    run.write_text("1 Q0 d 1 1.0 t\n", encoding="utf-8")
    return str(qrels), str(run)


def help_and_version(bench: Bench) -> list[Row]:
    commands = {
        "pass": [sys.executable, "-c", "pass"],
        "version": [ndcgauge(), "--version"],
        "bare": script("bare_app.py", "--help"),
        "help": [ndcgauge(), "--help"],
    }
    found = in_turn(commands, max(9, bench.rounds))
    return [
        limit("--help / a bare typer app with the same commands", ratio(found["help"], found["bare"]), 1.2),
        limit("--version / python -c pass", ratio(found["version"], found["pass"]), 2.5),
    ]


def peers(bench: Bench) -> list[Row]:
    targets = {"pytrec_eval": 0.21, "ranx": 0.07, "pyserini": 0.03}
    commands = {"ours": bench.score("sparse"), **{peer: bench.peer(peer, "sparse") for peer in PEERS}}
    found = in_turn(commands, max(3, bench.rounds // 2))
    rows: list[Row] = []
    for peer in PEERS:
        value = ratio(found["ours"], found[peer])
        target = targets.get(peer)
        work = f"sparse: CPU / {peer}"
        rows.append(Row(work, f"{value:.3f}", "", True) if target is None else limit(work, value, target, digits=3))
    return rows


def comparing(bench: Bench) -> list[Row]:
    """`compare` with its three evaluators against the three called directly."""
    three = ("sklearn", "pyserini", "ranx")
    shares: list[float] = []
    walls: list[float] = []
    rounds = max(2, bench.rounds // 2)
    with tempfile.TemporaryDirectory() as folder:
        note, report = Path(folder) / "cpu", Path(folder) / "report.json"
        ours = script(
            "own_cpu.py", str(note), "compare", *bench.pair("sparse"), "-m", "ndcg@10", "-o", str(report), "--quiet"
        )
        for number in range(rounds + 1):
            alone = [once(bench.peer(peer, "sparse")) for peer in three]
            used = once(ours)
            if number:
                shares.append(float(note.read_text(encoding="utf-8")) / sum(each.cpu for each in alone))
                walls.append(used.wall / sum(each.wall for each in alone))
    return [
        limit("compare, sparse: own CPU / the three directly", statistics.median(shares), 0.04, digits=3),
        limit("compare, sparse: wall / the three one after another", statistics.median(walls), 0.75),
    ]


def demo(bench: Bench) -> list[Row]:
    """`compare` on the demo's files, caches warm, against the slowest of its evaluators asked alone."""
    files = ndcgauge_file("jobs/demo_data/worked-example.qrels"), ndcgauge_file("jobs/demo_data/worked-example.run")
    three = ("sklearn", "pyserini", "ranx")
    commands = {peer: script("peers.py", peer, *files) for peer in three}
    with tempfile.TemporaryDirectory() as folder:
        commands["ours"] = [ndcgauge(), "compare", *files, "-o", str(Path(folder) / "x.json"), "--quiet"]
        found = in_turn(commands, bench.rounds)
    value = statistics.median(
        used.wall / max(found[peer][number].wall for peer in three) for number, used in enumerate(found["ours"])
    )
    return [limit("compare, demo, warm: wall / its slowest evaluator's", value, 1.3)]


def ndcgauge_file(name: str) -> str:
    from importlib.resources import files

    return str(files("ndcgauge") / name)


ROWS: dict[str, Callable[[Bench], list[Row]]] = {
    "sparse": scoring("sparse", 0.25, 0.5),
    "string": scoring("string", 0.32, 0.4),
    "dense": scoring("dense", 0.35, 1.2),
    "blanks": scoring("blanks", 0.5, 0.5),
    "shuffled": scoring("shuffled", 0.4, 1.7),
    "full": scoring("sparse", 0.3, 0.6, full=True),
    "gz": packed,
    "start": start,
    "specifications": specifications,
    "growth": growth,
    "help": help_and_version,
    "peers": peers,
    "compare": comparing,
    "demo": demo,
}


def versions(bench: Bench) -> list[str]:
    listed = [f"Python {platform.python_version()}"]
    for name in (
        "ndcgauge",
        "numpy",
        "pyarrow",
        "typer",
        "scikit-learn",
        "ranx",
        "pyserini",
        "pytrec-eval-terrier",
        "ir-measures",
    ):
        try:
            listed.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            listed.append(f"{name} not installed")
    if bench.trec_eval is None:
        base = f"pytrec_eval, × {PYTREC_OVER_TREC_EVAL}, which it costs of trec_eval 10 built with -O3 on sparse"
    else:
        base = f"trec_eval: {bench.told}"
    return [
        ", ".join(listed),
        f"{platform.machine()}, {os.cpu_count()} processors, {platform.system()}",
        f"base: {base}",
    ]


def document(bench: Bench, rows: Sequence[Row]) -> str:
    size = "ten times smaller files" if bench.small else "files of full size"
    lines = [
        "# Measured",
        "",
        f"Ratios, medians of {bench.rounds} paired rounds, {size}. Made by `benchmarks/run.py`.",
        "",
    ]
    lines += [f"- {each}" for each in versions(bench)]
    lines += ["", "| work | measured | target | |", "| --- | --- | --- | --- |"]
    for row in rows:
        verdict = "" if not row.target else "met" if row.met else "**missed**"
        lines.append(f"| {row.work} | {row.measured} | {row.target} | {' '.join(filter(None, (verdict, row.note)))} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=default_folder(), help="folder of the files; made if missing")
    parser.add_argument("--trec-eval", help="a trec_eval program; without it pytrec_eval stands in")
    parser.add_argument("--trec-eval-is", default="as given", help="its version and how it was built, for results.md")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--small", action="store_true", help="files ten times smaller")
    parser.add_argument(
        "--rows", nargs="+", choices=list(ROWS), default=list(ROWS), metavar="NAME", help=", ".join(ROWS)
    )
    parser.add_argument("-o", "--output", type=Path, default=HERE / "results.md")
    given = parser.parse_args()
    given.data.mkdir(parents=True, exist_ok=True)
    bench = Bench(given.data, given.rounds, given.small, given.trec_eval, given.trec_eval_is)
    rows: list[Row] = []
    for name in given.rows:
        try:
            found = ROWS[name](bench)
        except Failed as error:
            found = [Row(name, "not measured", "", False, str(error))]
        for row in found:
            print(
                f"{row.work:<60} {row.measured:>12} {row.target:<8} {'' if row.met else 'missed'} {row.note}",
                flush=True,
            )
        rows += found
        given.output.write_text(document(bench, rows), encoding="utf-8")


if __name__ == "__main__":
    main()
