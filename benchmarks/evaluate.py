"""Recall on every public set in a folder, and what each layer is worth: `python -m benchmarks.evaluate --data DIR`.

Writes benchmarks/results/evaluation.json, and docs/evaluation.md from it.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.evaluation import PAGE, rendered
from benchmarks.measure import known, record
from recollect import config
from recollect.assembly import make_embedder
from recollect.evals.ablation import Layer, ablation
from recollect.evals.measuring import evaluate, stores_folder
from recollect.evals.precision import precision
from recollect.evals.sets import load, present
from recollect.evals.sets.precision import USUAL, read
from recollect.serve.output import progress


def run(
    data: Path,
    layers: list[Layer] | None,
    limit: int | None,
    stores: Path | None,
    ablated: Sequence[str] = (),
) -> dict[str, object]:
    """Every set that lies in the folder, then the ablation over the same stores, of all or of some of the sets.

    Without layers, the ablation on record stays.
    """
    embedder = make_embedder(config.assembled({}, {}).embedder)
    loaded = {name: load(name, data, limit) for name in present(data)}
    found = {}
    with stores_folder(stores) as folder:
        for name, sets in loaded.items():
            found[name] = evaluate(sets, embedder, stores=folder, watch=progress)
            print(f"{name}: recall@10 {found[name]['recall@10']}", flush=True)
        every = [one for name, sets in loaded.items() for one in sets if not ablated or name in ablated]
        before = known("evaluation")
        rows = (
            before.get("ablation", [])
            if layers is None
            else ablation(every, layers, embedder, stores=folder, watch=progress)
        )
    result = {"model": embedder.name, "limit": limit, "sets": found, "ablation": rows}
    if layers is None and rows:
        result["ablation_commit"] = before.get("ablation_commit", before.get("commit"))
    if any((data / name).exists() for name in USUAL):
        result["precision"] = precision(*read(data), embedder)
    return result


def layer(text: str) -> Layer:
    """A layer by its name; `+name` is one that is off by default and is switched on."""
    return Layer(text.removeprefix("+"), on=not text.startswith("+"))


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.evaluate`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that has the sets")
    parser.add_argument(
        "--layers", default="", help="comma-separated; +name is off by default and switched on"
    )
    parser.add_argument("--no-ablation", action="store_true", help="the one on record stays")
    parser.add_argument("--ablation-on", default="", help="only these sets, comma-separated; empty: all")
    parser.add_argument("--limit", type=int, help="only the first questions of each set; nothing is recorded")
    parser.add_argument("--stores", type=Path, help="keep the filled stores here and use them again")
    options = parser.parse_args(arguments)
    layers = [layer(name.strip()) for name in options.layers.split(",") if name.strip()]
    ablated = [name.strip() for name in options.ablation_on.split(",") if name.strip()]
    result = run(
        options.data, None if options.no_ablation else layers, options.limit, options.stores, ablated
    )
    if options.limit is not None:
        print(rendered({"commit": "a trial", "machine": {}, **result}))
        return
    record("evaluation", result)
    PAGE.write_text(rendered(), encoding="utf-8")
    print(f"wrote {PAGE.name}")


if __name__ == "__main__":
    main()
