"""Trains what neighbours are worth: `python -m training.gnn --data DIR --target FILE`.

The lessons are the questions of sets whose licences allow it, asked through the engine; what they teach is kept where
it mattered (`fisher`), so that a user's own contrasts do not overturn it. Plain numpy: minutes on one core.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect import config
from recollect.assembly import cached, make_embedder
from recollect.evals.asking import BEFORE, DEPTH, GROUPED_DEPTH
from recollect.evals.measuring import stores_folder
from recollect.evals.model import Corpus
from recollect.evals.sets import load
from recollect.evals.stores import Filled, Moving, filled
from recollect.formulas.message_passing import Gnn, GnnShape, Graph, Lesson, blank, gradient, weighted
from recollect.formulas.micro_lora import Lens, LoraParams, consolidated
from recollect.ports import Embedder
from recollect.recall.subgraph import FEATURES, KINDS, Subgraph

SETS = {"multihop": 1, "realmem": 4}
"""MuSiQue, HotpotQA, 2WikiMultihopQA and RealMem, and which of their questions: each, every fourth; see DATA.md."""
DIRECTIONS = 16


@dataclass(frozen=True, slots=True)
class FitParams:
    """How it is trained."""

    epochs: int = 20
    rate: float = 0.005
    temperature: float = 0.1
    decay: float = 0.01
    width: int = 8
    layers: int = 2
    batch: int = 8
    seed: int = 7


class Seen(NamedTuple):
    """The candidates of one question, and which of them are evidence."""

    type: str
    grouped: bool
    graph: Graph
    scores: NDArray[np.float64]
    keys: list[tuple[str, ...]]
    gold: frozenset[str]
    lesson: Lesson | None
    """None where no evidence is among them."""


def seen(
    corpus: Corpus, store: Filled, embedder: Embedder, every: int = 1, always: str | None = None
) -> Iterator[Seen]:
    """Of every so manieth question, and of all of one type, its candidates."""
    clock = Moving(store.ended_at)
    with store.opened(embedder, clock) as memory:
        keys = {one.content: store.keys.get(one.id, ()) for one in memory.list(limit=None)}
        known = {key for some in store.keys.values() for key in some}
        for number, question in enumerate(corpus.questions):
            gold = frozenset(question.gold) & known
            if not gold or (number % every and question.type != always):
                continue
            options = {}
            if question.before is not None:
                options["as_of"] = store.recorded_at[question.before] - BEFORE
                clock.set(options["as_of"])
            depth = GROUPED_DEPTH if corpus.grouped else DEPTH
            found = memory.candidates(question.text, depth, **options)
            if found is not None:
                named = [keys[content] for content in found.contents.tolist()]
                lesson = _lesson(found, [gold.intersection(some) for some in named], grouped=corpus.grouped)
                yield Seen(question.type, corpus.grouped, found.graph, found.scores, named, gold, lesson)


def _lesson(found: Subgraph, named: Sequence[frozenset[str]], *, grouped: bool) -> Lesson | None:
    gold = np.array([bool(some) for some in named], np.bool_)
    if not gold.any() or gold.all():
        return None
    return Lesson(found.graph, found.scores, _first_of_each(named) if grouped else gold, ~gold)


def _first_of_each(named: Sequence[frozenset[str]]) -> NDArray[np.bool_]:
    """Where evidence is a whole session, its best turn must stand high; of the others nothing is said."""
    seen: set[str] = set()
    first = np.zeros(len(named), np.bool_)
    for place, keys in enumerate(named):
        first[place] = not keys <= seen
        seen |= keys
    return first


def fitted(learnt: Sequence[Lesson], params: FitParams | None = None) -> Gnn:
    """Adam over the contrastive loss, each epoch in another order; the rate falls to 0 along a cosine."""
    chosen = params or FitParams()
    rng = np.random.default_rng(chosen.seed)
    shape = GnnShape(len(FEATURES), len(KINDS), chosen.width, chosen.layers)
    weights = blank(shape, rng).flat
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    steps = chosen.epochs * -(-len(learnt) // chosen.batch)
    done = 0
    for _ in range(chosen.epochs):
        order = rng.permutation(len(learnt))
        for start in range(0, len(order), chosen.batch):
            gnn = weighted(shape, weights)
            some = [learnt[at] for at in order[start : start + chosen.batch]]
            slope = np.mean([gradient(one, gnn, chosen.temperature) for one in some], axis=0)
            done += 1
            mean = 0.9 * mean + 0.1 * slope
            square = 0.999 * square + 0.001 * slope**2
            step = mean / (1 - 0.9**done) / (np.sqrt(square / (1 - 0.999**done)) + 1e-8)
            rate = chosen.rate * 0.5 * (1 + np.cos(np.pi * done / steps))
            weights = weights - rate * (step + chosen.decay * weights)
    return weighted(shape, weights)


def held(gnn: Gnn, learnt: Sequence[Lesson], params: FitParams | None = None) -> NDArray[np.float64]:
    """The directions of the weights that mattered for the lessons, which a user's own contrasts are to leave."""
    temperature = (params or FitParams()).temperature
    slopes = [gradient(one, gnn, temperature)[None, :] for one in learnt]
    weights = gnn.flat[None, :]
    kept = LoraParams(directions=DIRECTIONS)
    return consolidated(Lens(weights, np.zeros((0, weights.size)), weights), slopes, kept).fisher


def written(target: Path, learnt: Sequence[Lesson]) -> Gnn:
    """Learns from all, and keeps it in a file."""
    gnn = fitted(learnt)
    np.savez(
        target,
        shape=np.array(astuple(gnn.shape)),
        weights=gnn.flat.astype(np.float32),
        fisher=held(gnn, learnt).astype(np.float16),
    )
    return gnn


def main(arguments: list[str] | None = None) -> None:
    """`python -m training.gnn`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that has the sets")
    parser.add_argument("--stores", type=Path, help="keep the filled stores here and use them again")
    parser.add_argument("--target", type=Path, required=True, help="the file of weights that it writes")
    options = parser.parse_args(arguments)
    chosen = config.assembled({}, {}).embedder
    embedder = cached(make_embedder(chosen), chosen)
    with stores_folder(options.stores) as folder:
        learnt = [
            one.lesson
            for name, every in SETS.items()
            for whole in load(name, options.data, None)
            for corpus in whole.corpora
            for one in seen(corpus, filled(corpus, folder, embedder), embedder, every)
            if one.lesson is not None
        ]
    gnn = written(options.target, learnt)
    print(f"{len(learnt)} lessons, {gnn.shape.size} weights: {options.target}")


if __name__ == "__main__":
    main()
