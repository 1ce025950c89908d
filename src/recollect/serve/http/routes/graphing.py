"""Ask the graph as a whole."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from recollect.engine import Recollect
from recollect.engine.refining import MOST_HOPS
from recollect.exchange.values import memory_value
from recollect.serve import graph_shapes as shapes
from recollect.serve.http import graph_models as models
from recollect.serve.http.routes.looking import Id, Limit
from recollect.serve.http.routes.recalling import Question
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["graph"])
End = Annotated[str, Query(min_length=1, max_length=1_000, description="An id, or its unique beginning.")]


@verb(router, "POST", "/graph/cypher", right=Right.ADMIN, answers=models.CypherTable, slow=True)
def cypher(memory: Recollect, sent: models.Cypher) -> dict[str, Any]:
    """Ask the graph in Cypher, which can only read.

    Nodes are Memory, Episode, Step, Skill, Goal, Entity and Tag, of the key's user alone. A query that takes too
    long, or too much memory, is stopped.
    """
    found = memory.cypher(sent.query, sent.parameters, near=sent.near, limit=sent.limit)
    return shapes.cypher_table(found)


@verb(router, "GET", "/graph/hubs", right=Right.READ, answers=models.Hubs, slow=True)
def hubs(memory: Recollect, limit: Limit = 10) -> dict[str, Any]:
    """List what most is related to: memories, entities, tags."""
    return {"hubs": [shapes.hub(one) for one in memory.hubs(limit)]}


@verb(router, "GET", "/graph/communities", right=Right.READ, answers=models.Communities, slow=True)
def communities(memory: Recollect, limit: Limit = 10) -> dict[str, Any]:
    """List what belongs together by its relations, the greatest first."""
    return {"communities": [shapes.community(one) for one in memory.communities(limit)]}


@verb(router, "GET", "/graph/why", right=Right.READ, answers=models.GraphPath, slow=True)
def why_related(memory: Recollect, one: End, other: End) -> dict[str, Any]:
    """Tell why two memories are related: the best path from one to the other."""
    return shapes.path(memory.why_related(one, other))


@verb(router, "GET", "/graph/neighbourhood", right=Right.READ, answers=models.Neighbourhood)
def neighbourhood(
    memory: Recollect,
    q: Question,
    k: Annotated[int, Query(ge=1, le=100)] = 5,
    hops: Annotated[int, Query(ge=0, le=MOST_HOPS)] = 2,
    channel: Annotated[str | None, Query(min_length=1, pattern=r"\S")] = None,
) -> dict[str, Any]:
    """Bring the best hits with what lies a few links around them.

    Along edges, and within the same run of an agent; only what the question itself may bring.
    """
    return shapes.neighbourhood(memory.neighbourhood(q, k, hops=hops, channel=channel))


@verb(router, "GET", "/graph/order/{memory_id}", right=Right.READ, answers=models.InOrder)
def episode_order(memory: Recollect, memory_id: Id) -> dict[str, Any]:
    """List what belongs to an episode, each after all that led to it."""
    return {"memories": [memory_value(one) for one in memory.episode_order(memory_id)]}


@verb(router, "GET", "/graph/geometry", right=Right.READ, answers=models.Geometries, slow=True)
def geometry(memory: Recollect) -> dict[str, Any]:
    """Tell of each channel whether its memories form levels, whether texts tell them, and which space fits."""
    return {"channels": [shapes.geometry(one) for one in memory.geometry()]}


@verb(router, "POST", "/graph/geometry/fit", right=Right.WRITE, answers=models.Geometries, slow=True)
def fit_geometry(memory: Recollect) -> dict[str, Any]:
    """Learn it: what texts tell of their level, and the space, count from the next recall on."""
    return {"channels": [shapes.geometry(one) for one in memory.fit_geometry()]}


@verb(router, "POST", "/graph/geometry/curvature", right=Right.WRITE, answers=models.Curvature)
def set_curvature(memory: Recollect, sent: models.Curvature) -> dict[str, Any]:
    """Lay a channel out in a space of another curvature, for all questions or, on trial, for a share of them."""
    memory.set_curvature(sent.curvature, channel=sent.channel, trial=sent.trial)
    return {"curvature": sent.curvature, "channel": sent.channel or memory.channel, "trial": sent.trial}
