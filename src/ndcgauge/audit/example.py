"""The commented claims file that `ndcgauge audit --init` prints."""

EXAMPLE = ""
