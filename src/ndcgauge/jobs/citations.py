"""`cite`: BibTeX, of keys or of what a saved audit names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ndcgauge.audit.bibliography import bibtex
from ndcgauge.results.files import load_report


def cite(names: Sequence[str]) -> str:
    """BibTeX of keys; of those that the claims of a saved report (`*.json`) name; of all where there is no name.

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
