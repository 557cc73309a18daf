"""Who else answers: catalogue, adapters, workers, outcomes."""
