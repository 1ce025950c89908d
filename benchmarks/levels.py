"""What asking for a level brings: `python -m benchmarks.levels --data DIR` writes benchmarks/results/levels.json.

The same as `recollect eval levels`, with the machine and the commit beside it. Sets that are not in the folder keep the
figures that they had.
"""

import argparse
import json
from pathlib import Path

from benchmarks.measure import RESULTS, record
from recollect import config
from recollect.assembly import make_embedder
from recollect.evals.levels import levels
from recollect.serve.output import progress


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.levels`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that has the sets")
    parser.add_argument("--stores", type=Path, help="keep the vectors here and use them again")
    parser.add_argument("--limit", type=int, help="of each store only so many questions")
    options = parser.parse_args(arguments)
    embedder = make_embedder(config.assembled({}, {}).embedder)
    found = levels(options.data, embedder, options.limit, stores=options.stores, watch=progress)
    before = RESULTS / "levels.json"
    known = json.loads(before.read_text(encoding="utf-8"))["sets"] if before.exists() else {}
    print(record("levels", {**found, "sets": {**known, **found["sets"]}}))


if __name__ == "__main__":
    main()
