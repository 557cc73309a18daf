"""Published numbers: which specifications give them, which mistakes do, and what a source failed to state."""
