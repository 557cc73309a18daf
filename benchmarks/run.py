"""Measures the table of the benchmarks and writes results.md.

    python benchmarks/run.py [--data FOLDER] [--trec-eval PATH] [--rounds N] [--small] [--rows NAME ...]
                             [--samples FILE]

CPU is user and system time of whole processes, start-up included, as a ratio to a peer on the same files
that ran in turn with it; medians of the rounds. See README.md.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import os
import platform
import shutil
import statistics
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from make_data import default_folder, make
from measuring import Failed, Used, in_turn, once

HERE = Path(__file__).parent
NOTES = HERE / "notes.md"
"""What a person has to say of the table; it stands below it."""
PYTREC_OVER_TREC_EVAL = 1.17
"""CPU of pytrec_eval over that of trec_eval 10 built with -O3, on sparse: measured before the project began."""
PEERS = {"pytrec_eval": 0.21, "ranx": 0.07, "ir_measures": None, "pyserini": 0.03, "sklearn": None}
"""With the share of each one's CPU that is the target on sparse, where there is one."""
COMPARED = ("sklearn", "pyserini", "ranx")
"""The evaluators of `compare` where none is named."""


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    work: str
    values: list[float]
    """Round by round."""
    target: float | None
    note: str = ""
    digits: int = 2


@dataclass
class Bench:
    """Where things are, and how often to measure."""

    data: Path
    rounds: int
    small: bool
    warm_up: bool
    trec_eval: str | None

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

    def in_turn(self, commands: Mapping[str, Sequence[str]]) -> dict[str, list[Used]]:
        """Commands one after another, round by round."""
        return in_turn(commands, self.rounds, warm_up=self.warm_up)

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


def ratios(above: Sequence[Used], below: Sequence[Used], factor: float = 1.0) -> list[float]:
    """CPU of one command over that of another, round by round."""
    return [factor * a.cpu / b.cpu for a, b in zip(above, below, strict=True)]


def peaks(used: Sequence[Used], size: float) -> list[float]:
    """Peak memory over a size, round by round."""
    return [each.peak / size for each in used]


def scoring(name: str, target: float, memory: float, *, full: bool = False) -> Callable[[Bench], list[Row]]:
    """`score` against trec_eval and pytrec_eval, and its peak memory against the size of the run."""

    def measure(bench: Bench) -> list[Row]:
        # No trec_eval reads every blank line and comment, so blanks is compared with the same values on tidy lines.
        base, factor = bench.base("sparse" if name == "blanks" else name, *(("ndcg", "map") if full else ()))
        options = ("-m", "ndcg", "-m", "map") if full else ()
        found = bench.in_turn({"base": base, "ours": bench.score(name, *options)})
        size = Path(bench.pair(name)[1]).stat().st_size
        title = f"{name}{', full depth (ndcg, map)' if full else ''}"
        return [
            Row(f"{title}: CPU / trec_eval", ratios(found["ours"], found["base"], factor), target),
            Row(f"{title}: peak memory / file", peaks(found["ours"], size), memory, _floor(size)),
        ]

    return measure


def _floor(size: int) -> str:
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
    found = bench.in_turn({"plain": bench.score("sparse"), "zcat": [zcat, str(name)], "ours": ours})
    rounds = list(zip(found["ours"], found["plain"], found["zcat"], strict=True))
    return [
        Row("sparse, .gz: CPU / (plain + 1.2 zcat)", [a.cpu / (b.cpu + 1.2 * z.cpu) for a, b, z in rounds], 1),
        Row("sparse, .gz: peak memory / plain", [a.peak / b.peak for a, b, _ in rounds], 1.05),
    ]


def start(bench: Bench) -> list[Row]:
    found = replace(bench, rounds=bench.rounds * 2).in_turn(
        {"base": bench.peer("pytrec_eval", "dl"), "ours": bench.score("dl")}
    )
    return [Row("54 queries × 1,000: CPU / pytrec_eval", ratios(found["ours"], found["base"]), 1)]


def specifications(name: str, target: float) -> Callable[[Bench], list[Row]]:
    """The means of 200 specifications against one's."""

    def measure(bench: Bench) -> list[Row]:
        found = bench.in_turn({str(n): script("many.py", *bench.pair(name), str(n)) for n in (1, 200)})
        return [Row(f"200 specifications / one, {name}", ratios(found["200"], found["1"]), target)]

    return measure


def lattice(name: str, target: float) -> Callable[[Bench], list[Row]]:
    """The means of the whole lattice about ndcg@10 against one specification's."""

    def measure(bench: Bench) -> list[Row]:
        pair = bench.pair(name)
        found = bench.in_turn({"one": script("many.py", *pair, "1"), "all": script("lattice.py", *pair)})
        return [Row(f"the whole lattice / one, {name}", ratios(found["all"], found["one"]), target)]

    return measure


def growth(bench: Bench) -> list[Row]:
    small, large = replace(bench, small=True), replace(bench, small=False)
    few = large.score("dl")
    found = bench.in_turn(
        {"0": [*few[:2], *_tiny(bench), *few[4:]], "1": small.score("sparse"), "10": large.score("sparse")}
    )
    exponents = [
        math.log10((ten.cpu - start_up.cpu) / (one.cpu - start_up.cpu))
        for start_up, one, ten in zip(found["0"], found["1"], found["10"], strict=True)
    ]
    return [Row("ten times the lines: growth exponent (start-up off)", exponents, 1.02)]


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
    found = replace(bench, rounds=max(9, bench.rounds)).in_turn(commands)
    return [
        Row("--help / a bare typer app with the same commands", ratios(found["help"], found["bare"]), 1.2),
        Row("--version / python -c pass", ratios(found["version"], found["pass"]), 2.5),
    ]


def against(peer: str, target: float | None) -> Callable[[Bench], list[Row]]:
    """`score` against a peer on sparse."""

    def measure(bench: Bench) -> list[Row]:
        found = bench.in_turn({"ours": bench.score("sparse"), "peer": bench.peer(peer, "sparse")})
        return [Row(f"sparse: CPU / {peer}", ratios(found["ours"], found["peer"]), target, digits=3)]

    return measure


def comparing(bench: Bench) -> list[Row]:
    """`compare` with its three evaluators against the three called directly, and `score` against each, as it runs."""
    shares: list[float] = []
    walls: list[float] = []
    scores: dict[str, list[float]] = {peer: [] for peer in COMPARED}
    with tempfile.TemporaryDirectory() as folder:
        note, report = Path(folder) / "cpu", Path(folder) / "report.json"
        options = ("-m", "ndcg@10", "-o", str(report), "--quiet")
        ours = script("children_cpu.py", str(note), "compare", *bench.pair("sparse"), *options)
        for number in range(-int(bench.warm_up), bench.rounds):
            score = once(bench.score("sparse"))
            alone = {peer: once(bench.peer(peer, "sparse")) for peer in COMPARED}
            used = once(ours)
            if number >= 0:
                shares.append((used.cpu - _seconds(note)) / sum(each.cpu for each in alone.values()))
                walls.append(used.wall / sum(each.wall for each in alone.values()))
                for peer, each in alone.items():
                    scores[peer].append(score.cpu / each.cpu)
    return [
        *(Row(f"sparse: CPU / {peer}", scores[peer], PEERS[peer], digits=3) for peer in COMPARED),
        Row("compare, sparse: own CPU / the three directly", shares, 0.04, digits=3),
        Row("compare, sparse: wall / the three one after another", walls, 0.75),
    ]


def _seconds(note: Path) -> float:
    return float(note.read_text(encoding="utf-8"))


def adapter(peer: str) -> Callable[[Bench], list[Row]]:
    """What `compare` spends on one evaluator, apart from its own work, against the library called plainly."""

    def measure(bench: Bench) -> list[Row]:
        shares: list[float] = []
        with tempfile.TemporaryDirectory() as folder:
            note = Path(folder) / "cpu"
            options = ("-m", "ndcg@10", "-e", peer, "--no-probes", "--quiet")
            ours = script("children_cpu.py", str(note), "compare", *bench.pair("sparse"), *options)
            for number in range(-int(bench.warm_up), bench.rounds):
                alone = once(bench.peer(peer, "sparse"))
                once(ours)
                if number >= 0:
                    shares.append(_seconds(note) / alone.cpu)
        return [Row(f"adapter of {peer}: CPU / the library called plainly, sparse", shares, 1)]

    return measure


def demo(bench: Bench) -> list[Row]:
    """`compare` on the demo's files, caches warm, against the slowest of its evaluators asked alone."""
    files = ndcgauge_file("jobs/demo_data/worked-example.qrels"), ndcgauge_file("jobs/demo_data/worked-example.run")
    commands = {peer: script("peers.py", peer, *files) for peer in COMPARED}
    with tempfile.TemporaryDirectory() as folder:
        commands["ours"] = [ndcgauge(), "compare", *files, "-o", str(Path(folder) / "x.json"), "--quiet"]
        found = bench.in_turn(commands)
    walls = [
        used.wall / max(found[peer][number].wall for peer in COMPARED) for number, used in enumerate(found["ours"])
    ]
    return [Row("compare, demo, warm: wall / its slowest evaluator's", walls, 1.3)]


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
    "200-sparse": specifications("sparse", 1.06),
    "200-dl": specifications("dl", 1.2),
    "200-dense": specifications("dense", 1.8),
    "lattice-sparse": lattice("sparse", 2),
    "lattice-dense": lattice("dense", 8),
    "growth": growth,
    "help": help_and_version,
    **{peer: against(peer, target) for peer, target in PEERS.items() if peer not in COMPARED},
    "compare": comparing,
    **{f"adapter-{peer}": adapter(peer) for peer in COMPARED},
    "demo": demo,
}


def versions(told: str | None) -> list[str]:
    """What was measured with, and on what; `told`: what the trec_eval is, if there is one."""
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
    base = f"pytrec_eval, × {PYTREC_OVER_TREC_EVAL}, which it costs of trec_eval 10 built with -O3 on sparse"
    return [
        ", ".join(listed),
        f"{platform.machine()}, {os.cpu_count()} processors, {platform.system()}",
        f"trec_eval: {told or base}",
    ]


def code() -> str:
    """What the measured program is: eight hex digits of its modules' bytes."""
    digest = hashlib.sha256()
    for path in sorted(Path(ndcgauge_file("")).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def document(kept: Samples, bench: Bench) -> str:
    """The table of all rows that were measured."""
    size = "ten times smaller files" if bench.small else "files of full size"
    states = sorted({each.code for each in kept.rows.values()})
    lines = [
        "# Measured",
        "",
        f"Ratios, medians of paired rounds, {size}. Made by `benchmarks/run.py`.",
        "",
        *(f"- {each}" for each in versions(kept.told)),
        f"- code: {', '.join(states)} (first digits of the modules' SHA-256)",
        "",
        "| work | measured | target | | rounds |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name in ROWS:
        for work, row in kept.rows.items():
            if row.row != name:
                continue
            value = round(statistics.median(row.values), row.digits)
            met = "" if row.target is None else "met" if value <= row.target else "**missed**"
            target = "" if row.target is None else f"≤ {row.target:g}"
            said = " ".join(filter(None, (met, row.note)))
            lines.append(f"| {work} | {value:.{row.digits}f} | {target} | {said} | {len(row.values)} |")
    missing = [name for name in ROWS if not any(row.row == name for row in kept.rows.values())]
    if missing:
        lines += ["", f"Not measured: {', '.join(missing)}."]
    if NOTES.exists():
        lines += ["", NOTES.read_text(encoding="utf-8").rstrip()]
    return "\n".join(lines) + "\n"


@dataclass
class Sample:
    """The rounds of one line of the table so far."""

    row: str
    """The name in ROWS."""
    code: str
    values: list[float]
    target: float | None
    note: str
    digits: int


@dataclass
class Samples:
    """What was measured so far, in this call and in others before it."""

    told: str | None = None
    rows: dict[str, Sample] = field(default_factory=dict[str, Sample])

    @classmethod
    def read(cls, path: Path) -> Samples:
        """Those that a file holds; none where it is not there."""
        if not path.exists():
            return cls()
        held = json.loads(path.read_text(encoding="utf-8"))
        return cls(held["told"], {work: Sample(**each) for work, each in held["rows"].items()})

    def add(self, name: str, row: Row, state: str) -> None:
        """Rounds of the same code are put together; those of another are dropped."""
        known = self.rows.get(row.work)
        values = known.values if known is not None and known.code == state else []
        self.rows[row.work] = Sample(name, state, values + row.values, row.target, row.note, row.digits)

    def write(self, path: Path) -> None:
        """Keeps them in a file."""
        path.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=default_folder(), help="folder of the files; made if missing")
    parser.add_argument("--trec-eval", help="a trec_eval program; without it pytrec_eval stands in")
    parser.add_argument("--trec-eval-is", default="as given", help="its version and how it was built, for results.md")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-warm-up", action="store_true", help="count the first round as well")
    parser.add_argument("--small", action="store_true", help="files ten times smaller")
    parser.add_argument(
        "--rows", nargs="+", choices=list(ROWS), default=list(ROWS), metavar="NAME", help=", ".join(ROWS)
    )
    parser.add_argument("--samples", type=Path, help="keeps rounds from call to call; a file, made if missing")
    parser.add_argument("-o", "--output", type=Path, default=HERE / "results.md")
    given = parser.parse_args()
    given.data.mkdir(parents=True, exist_ok=True)
    bench = Bench(given.data, given.rounds, given.small, not given.no_warm_up, given.trec_eval)
    kept = Samples.read(given.samples) if given.samples else Samples()
    if given.trec_eval:
        kept.told = given.trec_eval_is
    state = code()
    for name in given.rows:
        try:
            found = ROWS[name](bench)
        except Failed as error:
            print(f"{name}: {error}", file=sys.stderr, flush=True)
            continue
        for row in found:
            kept.add(name, row, state)
            value = statistics.median(kept.rows[row.work].values)
            missed = "missed" if row.target is not None and round(value, row.digits) > row.target else ""
            print(f"{row.work:<64} {value:8.{row.digits}f} {row.target or '':>6} {missed} {row.note}", flush=True)
        if given.samples:
            kept.write(given.samples)
        given.output.write_text(document(kept, bench), encoding="utf-8")


if __name__ == "__main__":
    main()
