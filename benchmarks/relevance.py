"""What a hit's relevance is worth: `python -m benchmarks.relevance --data DIR` writes benchmarks/results/relevance.json.

Every set's questions are asked of the store that has their evidence, and of another one, where whatever is found is
about something else. Told are the shares that the gate of `context` leaves out, of the evidence among the first ten hits
and of the ten hits that are about something else; and how well relevance tells the two apart (area under the curve).
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import record
from recollect import config
from recollect.assembly import cached, make_embedder
from recollect.evals.asking import standing
from recollect.evals.measuring import stores_folder
from recollect.evals.model import Corpus, Question
from recollect.evals.sets import load
from recollect.evals.stores import Filled, Moving, filled
from recollect.ports import Embedder

CORPORA, QUESTIONS = 4, 50
"""Of each set so many stores, of each store so many questions."""


def asked(corpus: Corpus) -> list[Question]:
    some = [question for question in corpus.questions if question.gold]
    return random.Random(0).sample(some, min(QUESTIONS, len(some)))


def found(store: Filled, questions: Sequence[Question], embedder: Embedder) -> Iterator[tuple[float, bool]]:
    """The relevance of every hit, and whether it is evidence."""
    with store.opened(embedder, Moving(store.ended_at)) as memory:
        for question in questions:
            hits = memory.recall(question.text, 10, learn=False)
            for hit, keys in zip(hits, standing(hits, store.keys), strict=True):
                yield float(hit.relevance or 0.0), bool(set(keys) & set(question.gold))


def measured(corpora: Sequence[Corpus], others: Sequence[Corpus], folder: Path, embedder: Embedder) -> Any:
    """Figures of some stores; questions are also asked of the others."""
    evidence: list[float] = []
    elsewhere: list[float] = []
    for corpus, other in zip(corpora, others, strict=True):
        right, wrong = (filled(one, folder, embedder) for one in (corpus, other))
        evidence += [likely for likely, is_gold in found(right, asked(corpus), embedder) if is_gold]
        elsewhere += [likely for likely, _ in found(wrong, asked(corpus), embedder)]
    gold, noise = np.array(evidence), np.array(elsewhere)
    gates = config.assembled({}, {}).recall
    return {
        "evidence": len(gold),
        "elsewhere": len(noise),
        "area_under_the_curve": round(float((gold[:, None] > noise[None, :]).mean()), 4),
        "evidence_left_out": round(float((gold < gates.brief_from).mean()), 4),
        "evidence_in_short": round(float(((gold >= gates.brief_from) & (gold < gates.full_from)).mean()), 4),
        "elsewhere_left_out": round(float((noise < gates.brief_from).mean()), 4),
        "elsewhere_in_full": round(float((noise >= gates.full_from).mean()), 4),
    }


def run(data: Path, names: Sequence[str], stores: Path | None) -> dict[str, Any]:
    """Every set; one that has a single store is asked of the next set's."""
    chosen = config.assembled({}, {}).embedder
    embedder = cached(make_embedder(chosen), chosen)
    sets = {one.name: one.corpora[:CORPORA] for name in names for one in load(name, data, None)}
    result = {}
    with stores_folder(stores) as folder:
        for place, (name, corpora) in enumerate(sets.items()):
            following = [*sets.values()][(place + 1) % len(sets)]
            others = [*corpora[1:], corpora[0]] if len(corpora) > 1 else following[:1]
            result[name] = measured(corpora, others, folder, embedder)
            print(name, result[name], flush=True)
    return {"model": embedder.name, "sets": result}


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.relevance`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that has the sets")
    parser.add_argument("--sets", default="locomo,beam,realmem,multihop", help="comma-separated")
    parser.add_argument("--stores", type=Path, help="keep the filled stores here and use them again")
    options = parser.parse_args(arguments)
    record("relevance", run(options.data, options.sets.split(","), options.stores))


if __name__ == "__main__":
    main()
