"""Who else answers: the catalogue, names and profiles, workers, outcomes, adapters."""
