"""What each way along the graph is worth to a recall: `python -m benchmarks.graph_arms --data DIR`.

Writes benchmarks/results/graph_arms.json, from which docs/graph.md has its figures. Stores are filled as a user's are:
memories are formed from what was said, which gives a cascade edges to follow; with `RECOLLECT_FORMATION_ENABLED=false`
and `--result graph_arms_said` they hold what was said alone. The network's weights were learnt from the multi-hop sets:
what it is worth on questions that it never saw is for `python -m benchmarks.gnn` to tell, and for the other sets here.
"""

import argparse
from pathlib import Path

from benchmarks.measure import record
from recollect import config
from recollect.assembly import cached, make_embedder
from recollect.evals.asking import Method
from recollect.evals.measuring import evaluate
from recollect.evals.sets import load
from recollect.serve.output import progress

SETS = ("multihop", "locomo", "beam")
METHODS = {
    "default": Method(),
    "with cascade": Method(ablate=("cascade",)),
    "with pagerank": Method(ablate=("pagerank",)),
    "with hub": Method(ablate=("hub",)),
    "with gnn": Method(deep=True),
    "pagerank in place of hop": Method(ablate=("pagerank", "hop")),
    "without hop": Method(ablate=("hop",)),
}
KEPT = ("n", "recall@5", "recall@10", "recall@20", "ndcg@10", "recall_ms", "by_type")


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.graph_arms`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that has the sets")
    parser.add_argument("--stores", type=Path, help="keep the filled stores here and use them again")
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated")
    parser.add_argument("--methods", default=",".join(METHODS), help="comma-separated")
    parser.add_argument("--result", default="graph_arms", help="what the result is called")
    options = parser.parse_args(arguments)
    settings = config.assembled({}, {})
    embedder = cached(make_embedder(settings.embedder), settings.embedder)
    rows = []
    for name in options.sets.split(","):
        sets = load(name, options.data, None)
        for told in options.methods.split(","):
            found = evaluate(sets, embedder, METHODS[told], stores=options.stores, watch=progress)
            for one in found.get("sets", (found,)):
                rows.append({"set": one["set"], "method": told} | {key: one[key] for key in KEPT})
                print(told, one["set"], one["recall@10"], flush=True)
    formed = settings.formation.enabled
    print(record(options.result, {"model": embedder.name, "formed": formed, "rows": rows}))


if __name__ == "__main__":
    main()
