"""The scripts that call evaluators, each in a process of its own; they import nothing of ndcgauge."""
