import json
import sys

import pytrec_eval

NAMES = {
    "ndcg": ("ndcg", "ndcg_cut"),
    "ap": ("map", "map_cut"),
    "precision": ("set_P", "P"),
    "recall": ("set_recall", "recall"),
}
for request in map(json.loads, sys.stdin):
    qrel = pytrec_eval.parse_qrel(open(request["qrels"]))  # noqa: PTH123, SIM115
    run = pytrec_eval.parse_run(open(request["run"]))  # noqa: PTH123, SIM115
    results = []
    for each in request["measures"]:
        plain, cut = NAMES.get(each["stem"], ("recip_rank", None))
        name = plain if each["cutoff"] is None else f"{cut}.{each['cutoff']}" if cut else None
        rows = pytrec_eval.RelevanceEvaluator(qrel, {name}).evaluate(run) if name else {}
        answer = {
            "queries": {query: {"value": row[name.replace(".", "_")]} for query, row in rows.items()},
            "aggregate": None,
            "decimals": None,
        }
        results.append(
            answer
            if each["stem"] in (*NAMES, "rr") and name
            else {"unsupported": "measure", "message": "not in trec_eval"}
        )
    print(
        json.dumps(
            {"id": request["id"], "ok": True, "versions": {"pytrec_eval-terrier": "installed"}, "results": results}
        ),
        flush=True,
    )
