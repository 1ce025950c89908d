"""The retrieval evaluation on both engines: the same questions of the same stores, as files and on PostgreSQL.

Each store is filled once, moved to a schema of a server with `migrate`, and asked in both places.

    python -m benchmarks.server_evaluation --data DIR --folder DIR --stores DIR --set locomo --set multihop
"""

import argparse
import os
import tempfile
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from benchmarks.measure import record
from benchmarks.tenants import prepared, running
from recollect import Recollect, config
from recollect.assembly import make_embedder, migrated, on_server
from recollect.evals.asking import Method, Outcome, outcomes
from recollect.evals.measuring import quality
from recollect.evals.sets import load
from recollect.evals.stores import CHANNEL, FILE, USER, Filled, Moving, filled
from recollect.ports import Embedder
from recollect.serve.output import progress


@dataclass(frozen=True, slots=True)
class Served(Filled):
    """The same store on a server."""

    address: str = ""

    def opened(self, embedder: Embedder, clock: Moving) -> Recollect:
        return Recollect(on_server(self.address), user=USER, channel=CHANNEL, embedder=embedder, clock=clock)


def served(store: Filled, server: str, schema: str) -> Served:
    """Moves a store to the server, unless it is there."""
    address = f"{server}&schema={schema}"
    with closing(on_server(address)) as there:
        is_empty = not there.users()
    if is_empty:
        migrated(store.folder / FILE, address)
    return Served(**{one.name: getattr(store, one.name) for one in fields(Filled)}, address=address)


def compared(name: str, options: Any, server: str, embedder: Embedder) -> dict[str, Any]:
    """How much of a set's gold each of them finds, and in how many questions they differ."""
    answers: dict[str, list[Outcome | None]] = {"sqlite": [], "postgresql": []}
    number = 0
    for whole in load(name, options.data, options.limit):
        for corpus in whole.corpora:
            number += 1
            with progress(f"{name} {number}") as heard:
                here = filled(corpus, options.stores, embedder, heard)
                there = served(here, server, f"{name}_{number}".replace("-", "_"))
                answers["sqlite"] += outcomes(corpus, here, embedder, Method())
                answers["postgresql"] += outcomes(corpus, there, embedder, Method(), heard)
    found = {engine: [one for one in some if one is not None] for engine, some in answers.items()}
    pairs = list(zip(*found.values(), strict=True))
    figures = {engine: quality(some) for engine, some in found.items()}
    apart = {
        metric: round(abs(figures["sqlite"][metric] - figures["postgresql"][metric]) * 100, 3)
        for metric in ("recall@5", "recall@10", "recall@20", "ndcg@10")
    }
    differing = sum(one.ranks != other.ranks for one, other in pairs)
    print(name, figures, apart, differing, flush=True)
    return {**figures, "points_apart": apart, "questions_ranked_otherwise": differing, "stores": number}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder that has the sets")
    parser.add_argument("--folder", type=Path, required=True, help="where the server keeps its data")
    parser.add_argument("--stores", type=Path, required=True, help="where the filled stores are kept")
    parser.add_argument("--set", dest="sets", action="append", required=True)
    parser.add_argument("--limit", type=int, help="only so many stores or questions of each set")
    options = parser.parse_args(arguments)
    embedder = make_embedder(config.assembled({}, {}).embedder)
    with (
        tempfile.TemporaryDirectory(prefix="recollect-cache-") as cache,
        running(options.folder.resolve()) as server,
    ):
        os.environ["XDG_CACHE_HOME"] = cache
        address = prepared(server)
        found = {name: compared(name, options, address, embedder) for name in options.sets}
    record("server_evaluation", {"model": embedder.name, "limit": options.limit, "sets": found})


if __name__ == "__main__":
    main()
