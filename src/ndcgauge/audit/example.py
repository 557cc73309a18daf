"""The commented claims file that `ndcgauge audit --init` prints."""

EXAMPLE = """\
# Published numbers to audit: ndcgauge audit THIS-FILE.toml
# Paths are relative to this file. Keys outside of the claims are defaults of all claims.
schema = "ndcgauge-claims/1"
qrels = "qrels.txt"
source = "Doe et al. 2024"
# The mean runs over all judged queries, a missing one counting 0 (trec_eval -c). Left out: queries in both files.
complete = true

[[claim]]
place = "Table 2, row BM25"
run = "bm25.run"
measure = "ndcg@10"
# Text, as it is printed: its decimals count. "71.37%" is a percentage.
value = "0.7137"

[[claim]]
place = "Table 2, row reranker"
run = "reranker.run"
measure = "map"
value = "0.2501"
# What the source says of its metric, axis by axis (`ndcgauge spec` lists them). What it leaves unsaid is
# taken from trec_eval.
stated = { threshold = "2", ties = "docid-desc" }
# Runs of other rows of the same table, other judgments, and lists of query ids (one a line) that the
# number may come from by mistake.
other_runs = ["bm25.run"]
# also_qrels = ["qrels-old.txt"]
# queries = ["fold-1.txt"]
# The evaluator that is said to have printed the number: it is called, and contradicts the claim where it prints another.
# evaluator = "sklearn"
"""
