"""Where and why two evaluators differ: verification, attribution, discrepancy."""
