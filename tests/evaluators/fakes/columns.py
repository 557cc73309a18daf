"""A `trec:` evaluator that prints what its first argument says; its last two arguments are files."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

TEXTS = {
    "rows-and-mean": "ndcg_cut_10    \tq1\t0.2500\nndcg_cut_10    \tq2\t0.7500\nndcg_cut_10    \tall\t0.5000\n",
    "rows": "ndcg_cut_10\tq1\t0.25\nndcg_cut_10\tq2\t0.75\n",
    "spaces": "nDCG@10 q1 0.25\nnDCG@10 q2 1e-05\nnDCG@10 all 0.125005\n",
    "other": "map\tq1\t0.1\nmap\tall\t0.1\n",
    "query-called-all": "ndcg_cut_10\tall\t0.1000\nndcg_cut_10\tall\t0.2000\n",
    "noise": "WARNING: incubating\nrunid\tall\ttag\nndcg_cut_10\tq1\tnan\nndcg_cut_10\tq2\t0.5\nndcg_cut_10\tall\t0.5\n",
    "recall-and-success": "recall_5\tq1\t0.4\nsuccess_5\tq1\t1\nrecall_5\tall\t0.4\nsuccess_5\tall\t1\n",
    "nothing": "",
}


def main() -> None:
    mode = sys.argv[1]
    if not all(Path(path).is_file() for path in sys.argv[-2:]):
        sys.exit("the last two arguments are no files")
    match mode:
        case "fails":
            print(TEXTS["rows-and-mean"])
            sys.exit("cannot open the index")
        case "dies":
            os.kill(os.getpid(), signal.SIGABRT)
        case "hangs":
            time.sleep(600)
        case _:
            sys.stderr.write("a word on standard error\n")
            print(TEXTS[mode], end="")


if __name__ == "__main__":
    main()
