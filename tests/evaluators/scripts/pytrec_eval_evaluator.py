import json
import sys

import pytrec_eval

NAMES = {"ndcg": "ndcg", "ap": "map", "rr": "recip_rank", "precision": "set_P", "recall": "set_recall"}
NAMES |= {"ndcg@": "ndcg_cut_", "ap@": "map_cut_", "precision@": "P_", "recall@": "recall_"}
for request in map(json.loads, sys.stdin):
    with open(request["qrels"]) as qrels, open(request["run"]) as run:  # noqa: PTH123 - as short as it can be
        judged, ranked = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
    results = [{"unsupported": "measure", "message": "not in trec_eval"} for _ in request["measures"]]
    for place, (stem, at, cutoff) in enumerate(each["name"].partition("@") for each in request["measures"]):
        if stem + at in NAMES:
            name = NAMES[stem + at] + cutoff
            rows = pytrec_eval.RelevanceEvaluator(judged, {name}).evaluate(ranked)
            results[place] = {"queries": {query: {"value": row[name]} for query, row in rows.items()}}
    print(json.dumps({"id": request["id"], "ok": True, "results": results}), flush=True)
