"""The conformance suite: cases, their closed forms, what is missing, how they are read."""
