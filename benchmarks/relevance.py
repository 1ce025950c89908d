"""What a hit's relevance is worth: `python -m benchmarks.relevance --data DIR` writes benchmarks/results/relevance.json.

Every set's questions are asked of the store that has their evidence, and of another one, where whatever is found is
about something else. Told are the shares that the gate of `context` leaves out, of the evidence among the first ten hits
and of the ten hits that are about something else; and how well relevance tells the two apart (area under the curve).
`calibration` is what a logistic regression over the same hits, each set and side with the same weight, would have it be.
BEAM, whose askers have no names, is asked once more with what they said kept under one.
"""

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.measure import record
from recollect import config
from recollect.assembly import cached, make_embedder
from recollect.evals.asking import standing
from recollect.evals.measuring import stores_folder
from recollect.evals.model import Corpus, Question
from recollect.evals.sets import load
from recollect.evals.stores import Filled, Moving, filled
from recollect.model import Calibration
from recollect.ports import Embedder, calibration_of

UNNAMED, UNDER_A_NAME, NAME = "beam", "beam, under a name", "Nora"
CORPORA, QUESTIONS = 4, 50
"""Of each set so many stores, of each store so many questions."""
CERTAIN = 1e-6
"""Nearer to 0 or 1 a relevance does not say what it was made of."""
STEPS, RIDGE = 30, 1e-4


def asked(corpus: Corpus) -> list[Question]:
    some = [question for question in corpus.questions if question.gold]
    return random.Random(0).sample(some, min(QUESTIONS, len(some)))


def under_a_name(corpus: Corpus) -> Corpus:
    """The same with a name for who asks, which no question says."""
    sessions = tuple(
        replace(
            session,
            items=tuple(
                replace(item, speaker=NAME) if item.role == "user" else item for item in session.items
            ),
        )
        for session in corpus.sessions
    )
    return replace(corpus, sessions=sessions)


class Judged(NamedTuple):
    """A hit's relevance, what it was made of, and whether the hit is evidence."""

    relevance: float
    similarity: float
    covered: float
    is_evidence: bool


def found(store: Filled, questions: Sequence[Question], embedder: Embedder) -> Iterator[Judged]:
    """Every hit of the questions that was not merely named by another hit, which is relevant for that alone."""
    calibration = calibration_of(embedder)
    assert calibration is not None, "relevance is not known of this model"
    with store.opened(embedder, Moving(store.ended_at)) as memory:
        for question in questions:
            hits = memory.recall(question.text, 10, learn=False)
            for hit, keys in zip(hits, standing(hits, store.keys), strict=True):
                likely = min(max(float(hit.relevance or 0.0), CERTAIN), 1 - CERTAIN)
                if hit.values.get("linked", 0.0) < likely:
                    strength = math.log(likely / (1 - likely)) - calibration.bias
                    covered = (strength - calibration.similarity * hit.similarity) / calibration.covered
                    yield Judged(likely, hit.similarity, covered, bool(set(keys) & set(question.gold)))


def fitted(sides: Sequence[Sequence[Judged]]) -> Calibration:
    """By Newton's method; of each two sides the first is evidence, the second about something else."""
    rows = np.array([(one.similarity, one.covered, 1.0) for side in sides for one in side])
    truth = np.array([float(place % 2 == 0) for place, side in enumerate(sides) for _ in side])
    weight = np.array([1 / len(side) for side in sides for _ in side])
    chosen = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-(rows @ chosen)))
        slope = rows.T @ (weight * (truth - likely)) - RIDGE * chosen
        bend = (rows * (weight * likely * (1 - likely))[:, None]).T @ rows + RIDGE * np.eye(len(chosen))
        chosen = chosen + np.linalg.solve(bend, slope)
    similarity, covered, bias = (round(float(value), 2) for value in chosen)
    return Calibration(similarity=similarity, covered=covered, bias=bias)


def judged(
    corpora: Sequence[Corpus], others: Sequence[Corpus], folder: Path, embedder: Embedder
) -> tuple[list[Judged], list[Judged]]:
    """The evidence among the hits of some stores, and the hits of the same questions in the others."""
    evidence: list[Judged] = []
    elsewhere: list[Judged] = []
    for corpus, other in zip(corpora, others, strict=True):
        right, wrong = (filled(one, folder, embedder) for one in (corpus, other))
        evidence += [one for one in found(right, asked(corpus), embedder) if one.is_evidence]
        elsewhere += found(wrong, asked(corpus), embedder)
    return evidence, elsewhere


def figures(evidence: Sequence[Judged], elsewhere: Sequence[Judged]) -> dict[str, Any]:
    gold, noise = (np.array([one.relevance for one in side]) for side in (evidence, elsewhere))
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
    if UNNAMED in sets:
        sets[UNDER_A_NAME] = tuple(map(under_a_name, sets[UNNAMED]))
    result: dict[str, Any] = {}
    sides: list[list[Judged]] = []
    with stores_folder(stores) as folder:
        for place, (name, corpora) in enumerate(sets.items()):
            following = [*sets.values()][(place + 1) % len(sets)]
            others = [*corpora[1:], corpora[0]] if len(corpora) > 1 else following[:1]
            both = judged(corpora, others, folder, embedder)
            sides += both if name != UNDER_A_NAME else ()
            result[name] = figures(*both)
            print(name, result[name], flush=True)
    return {"model": embedder.name, "sets": result, "calibration": asdict(fitted(sides))}


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
