"""Scores that are too close are told apart by what the candidates' neighbours say (M14)."""

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.formulas.message_passing import Gnn, GnnShape, ambiguity, corrections, weighted
from recollect.recall.subgraph import subgraph
from recollect.recall.work import Sources, Work

WEIGHT: Final = 0.25
"""What the correction weighs: what was learnt from some stores holds less on others. In full it lost most on
LoCoMo, which it was not learnt from."""
AMBIGUOUS: Final = 0.85
"""From here on the scores of the best tell too little, unless depth is asked for."""
FILE: Final = "gnn.npz"


def gnn(work: Work, sources: Sources) -> dict[str, object]:
    """Each candidate's score is corrected by its neighbours, where scores are close or depth is asked for."""
    if len(work.order) < 2:
        return {}
    # Twice as many as are asked for: the question is who of them is shown.
    unclear = ambiguity(work.scores[work.order[: 2 * work.query.k]])
    if not work.query.deep and unclear < AMBIGUOUS:
        return {"ambiguity": round(unclear, 3), "refined": 0}
    weights = shipped().gnn if sources.gnn is None else sources.gnn
    graph = subgraph(work, sources)
    lifted = np.zeros(len(work.scores))
    places = work.order[: len(graph.contents)]
    lifted[places] = corrections(graph.graph, weights)
    work.values = {**work.values, "gnn": lifted}
    work.profile = work.profile.weighing(gnn=WEIGHT)
    work.scores = work.scores + WEIGHT * lifted
    best = np.lexsort((-work.confirmed.contents[places], -work.scores[places]))
    work.order = np.concatenate([places[best], work.order[len(places) :]])
    return {
        "ambiguity": round(unclear, 3),
        "refined": len(places),
        "links": graph.pairs,
        "moved": int(np.count_nonzero(best[: work.query.k] >= work.query.k)),
    }


class Shipped(NamedTuple):
    """What comes with the package: the weights, and the directions of them that mattered where they were learnt."""

    gnn: Gnn
    fisher: NDArray[np.float64]


@cache
def shipped() -> Shipped:
    """The weights that come with the package."""
    raw = (files("recollect.recall") / FILE).read_bytes()
    with np.load(BytesIO(raw)) as held:
        gnn = weighted(GnnShape(*held["shape"].tolist()), held["weights"])
        return Shipped(gnn, held["fisher"].astype(np.float64))
