"""ndcgauge: two evaluators gave two numbers for one run; why, exactly, and by how much each reason.

What Python callers need is loaded when it is first asked for, so that `import ndcgauge` and the
command line's help cost nothing.
"""

from __future__ import annotations

import importlib

__version__ = "0.1.0"

_EXPORTS = {
    "MetricSpec": "ndcgauge.spec",
    "parse_measure": "ndcgauge.spec",
    "evaluate": "ndcgauge.reference",
    "envelope": "ndcgauge.reference",
    "compare": "ndcgauge.jobs.from_python",
    "score": "ndcgauge.jobs.from_python",
    "explain": "ndcgauge.jobs.from_python",
}


def __getattr__(name: str) -> object:
    module = _EXPORTS.get(name)
    if module is None:
        raise AttributeError(f"module 'ndcgauge' has no attribute {name!r}")
    return getattr(importlib.import_module(module), name)
