"""All memories on one plane: what is alike in meaning lies close together."""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.language.validity import validity
from recollect.model import Filter, Memory
from recollect.serve.dashboard.drawing import clip, own_tags
from recollect.serve.dashboard.visits import Feed, Page, Visit

MOST = 50_000
"""The newest so many are drawn."""
SAMPLED = 4_000
"""The plane is found from so many at most; all are laid onto it."""
GRID = 10_000
"""Places are whole numbers from 0 to this."""
EDGES = 200


def show(visit: Visit) -> dict[str, Any]:
    counts = visit.memory.store.counts(visit.memory.user)
    return {"count": counts["log"] + counts["memory"], "most": MOST}


def points(visit: Visit) -> dict[str, Any]:
    """Every memory with its place, and what it can be coloured by."""
    memory = visit.memory
    survey = memory.store.survey(memory.user, Filter(any_session=True))
    order = np.argsort(survey.contents)[-MOST:]
    survey = survey.taking(order)
    held, vectors = memory.store.vectors(memory.user, survey.contents)
    survey = survey.taking(np.isin(survey.contents, held))
    # `vectors` has one row a content, ascending; a memory may share its content with another.
    rows = vectors[np.searchsorted(held, survey.contents)]
    places = plane(rows.astype(np.float32))
    return {
        "ids": survey.ids.tolist(),
        "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(),
        "kind": coded(survey.kinds.tolist()),
        "tier": coded(survey.tiers.tolist()),
        "channel": coded(survey.channels.tolist()),
    }


def plane(vectors: NDArray[np.float32]) -> NDArray[np.int32]:
    """The two directions in which the vectors differ most (principal components), on a grid.

    >>> plane(np.array([[0.0, 0.1], [1.0, 0.0], [2.0, 0.1]], np.float32))[:, 0].tolist()
    [0, 5000, 10000]
    """
    if not len(vectors):
        return np.zeros((0, 2), np.int32)
    step = max(1, len(vectors) // SAMPLED)
    centre = vectors.mean(axis=0)
    sample = vectors[::step] - centre
    _, directions = np.linalg.eigh(sample.T @ sample)
    best = directions[:, -2:][:, ::-1] if directions.shape[1] > 1 else np.repeat(directions, 2, axis=1)
    # An axis may point either way: the greatest part of it is made positive, so that a map stays as it is.
    best = best * np.where(best[np.abs(best).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)
    laid: NDArray[np.float32] = (vectors - centre) @ best
    low, high = laid.min(axis=0), laid.max(axis=0)
    laid = GRID * (laid - low) / np.maximum(high - low, 1e-9)
    return np.rint(laid).astype(np.int32, copy=False)


def coded(values: list[str]) -> dict[str, Any]:
    """Names once, the most frequent first, and each value as the number of its name.

    >>> coded(["b", "a", "b"])
    {'names': ['b', 'a'], 'codes': [0, 1, 0]}
    """
    ranked = sorted(Counter(values).items(), key=lambda one: (-one[1], one[0]))
    number = {name: place for place, (name, _) in enumerate(ranked)}
    return {"names": list(number), "codes": [number[value] for value in values]}


def tags(visit: Visit) -> dict[str, str]:
    """The first tag of each memory that has one, by its id; fetched by those alone who colour by it."""
    found = ((one.id, own_tags(one.tags)) for one in visit.memory.list(limit=None))
    return {known: given[0] for known, given in found if given}


def around(visit: Visit) -> dict[str, Any]:
    """One memory and what it is related to."""
    one = visit.memory.get(visit.asked.named["memory_id"])
    edges = visit.memory.edges(one.id)[:EDGES]
    return _told(one) | {
        "edges": [
            {"other": edge.target if edge.source == one.id else edge.source, "type": edge.type}
            for edge in edges
        ]
    }


def _told(one: Memory) -> dict[str, Any]:
    return {
        "id": one.id,
        "text": clip(one.text, 400),
        "holds": validity(one),
        "kind": one.kind,
        "channel": one.channel,
        "tags": own_tags(one.tags),
    }


PAGES = (Page("map", "/map", "Map", show, key="m"),)
FEEDS = (
    Feed("points", "/map/points", points),
    Feed("tags", "/map/tags", tags),
    Feed("around", "/map/around/{memory_id}", around),
)
