"""What the command line and Python callers call: compare, score, explain, demo."""
