"""What each layer of recall is worth: the same questions of the same stores, with one thing changed at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.evals.asking import BASELINES, Method, checked
from recollect.evals.measuring import Watch, figures, measured, stores_folder, unwatched
from recollect.evals.model import EvalSet
from recollect.ports import Embedder

DEFAULT = "default"
KEPT = ("n", "recall@5", "recall@10", "recall@20", "recall_all@10", "ndcg@10", "recall_ms")


@dataclass(frozen=True, slots=True)
class Layer:
    """A part of recall that can be switched, and whether it is on by default."""

    name: str
    on: bool = True

    @property
    def row(self) -> str:
        """What its line in the table says.

        >>> Layer("windows").row, Layer("hop", on=False).row
        ('without windows', 'with hop')
        """
        return f"{'without' if self.on else 'with'} {self.name}"


def methods(layers: Sequence[Layer]) -> Iterator[tuple[str, Method]]:
    """The default, each layer the other way round, and each plain method."""
    yield DEFAULT, Method()
    for layer in layers:
        yield layer.row, Method(ablate=(layer.name,))
    for baseline in BASELINES:
        yield baseline, Method(baseline=baseline)


def ablation(
    sets: Sequence[EvalSet],
    layers: Sequence[Layer],
    embedder: Embedder,
    *,
    stores: Path | None = None,
    watch: Watch = unwatched,
) -> list[dict[str, Any]]:
    """A row for each set and method; every set's stores are filled once."""
    rows = []
    ready = [(name, method, checked(method, embedder)) for name, method in methods(layers)]
    with stores_folder(stores) as folder:
        for one in sets:
            for name, method, profile in ready:
                found = figures(measured(one, embedder, method, folder, watch), method, profile)
                rows.append({"set": one.name, "method": name} | {key: found[key] for key in KEPT})
    return rows
