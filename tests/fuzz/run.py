"""Coverage-guided fuzzing with atheris: `nox -s fuzz`.

    python -m tests.fuzz.run readers|closed_forms [SECONDS] [FOLDER]

Starts from the seeds of the target and runs SECONDS (120). What breaks it is written into FOLDER (`fuzz-found`);
inputs that reach new code are kept in FOLDER/TARGET and are where the next run goes on. `FILE` in place of
SECONDS runs one such input again. Needs atheris, which is no dependency of the project.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from pathlib import Path

import atheris

TARGETS = ("readers", "closed_forms")


def main() -> None:
    target, rest = sys.argv[1], sys.argv[2:]
    if target not in TARGETS:
        raise SystemExit(f"{target} is none of {', '.join(TARGETS)}")
    with atheris.instrument_imports(include=["ndcgauge"]):
        module = importlib.import_module(f"tests.fuzz.{target}")
    if rest and Path(rest[0]).is_file():
        module.one_input(Path(rest[0]).read_bytes())
        print("nothing is broken")
        return
    found = Path(rest[1] if len(rest) > 1 else "fuzz-found")
    corpus = found / target
    corpus.mkdir(parents=True, exist_ok=True)
    seeds = list(module.seeds())
    for seed in seeds:
        (corpus / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    print(f"{target}: {len(seeds)} seeds, {sum(1 for _ in corpus.iterdir())} inputs to begin with", flush=True)
    words = [
        f"-max_total_time={rest[0] if rest else 120}",
        "-max_len=4096",
        "-timeout=30",
        "-rss_limit_mb=4096",
        f"-artifact_prefix={found}/{target}-",
        "-print_final_stats=1",
        str(corpus),
    ]
    atheris.Setup([sys.argv[0], *words], module.one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
