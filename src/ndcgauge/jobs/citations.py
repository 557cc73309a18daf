"""`cite`: BibTeX, of keys or of what a saved audit names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ndcgauge.audit.bibliography import bibtex
from ndcgauge.results.files import load_report


def cite(names: Sequence[str]) -> str:
    """BibTeX of the keys, where a name ends in `.json` of the keys that a saved report's claims name; of all without names.

    Raises UsageError for an unknown key, InputError for a file that is no report.
    """
    keys: dict[str, None] = {}
    for name in names:
        if name.endswith(".json"):
            report = load_report(Path(name))
            keys["ndcgauge"] = None
            keys.update(dict.fromkeys(key for claim in report.claims or () for key in claim.citations))
        else:
            keys[name] = None
    return bibtex(list(keys))
