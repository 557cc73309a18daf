"""What is said where a (query, document) pair stands on two lines."""

from __future__ import annotations

from ndcgauge.data.blocks import text_of_line
from ndcgauge.data.judgments import Repeat
from ndcgauge.data.refusals import shown
from ndcgauge.data.sources import Source
from ndcgauge.errors import InputError


def repeated(source: Source, repeat: Repeat) -> InputError:
    """The error for a repeated pair of a file, which is looked up there for its text."""
    return InputError(
        f"document {shown(repeat.doc)} of query {shown(repeat.query)} stands on line {repeat.first} already",
        file=source.name,
        line=repeat.again,
        text=shown(text_of_line(source, repeat.again)),
        fix="keep one of the lines, or choose with --on-duplicate first, last or all (trec_eval refuses the file)",
    )
