"""The tool that tells an agent what the shape of its memory says."""

from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.serve import graph_shapes as shapes
from recollect.serve.keys import Right
from recollect.serve.mcp.memory_tools import brief
from recollect.serve.mcp.tool import Tool, listed

SHOWN = 20
"""So many members of a community are told: an answer is read by a model."""


def graph(
    memory: Recollect,
    tell: Annotated[
        Literal["why", "around", "order", "hubs", "communities"],
        Field(
            description="why: how the two memories in `ids` are related. around: what lies a few links around the "
            "answers to `question`. order: what belongs to the episode in `ids`, causes first. hubs: what most is "
            "related to. communities: what belongs together."
        ),
    ],
    ids: Annotated[
        list[str],
        Field(description="Of memories, as other tools told them; of why two, of order one.", max_length=2),
    ] = [],  # noqa: B006 - never changed
    question: Annotated[str | None, Field(description="Of around: what is looked for.")] = None,
    limit: Annotated[int, Field(description="At most so many.", ge=1, le=50)] = 10,
) -> dict[str, Any]:
    """Follow how memories are related: why two of them are, what lies around an answer, in which order things led on.

    Use it after memory_recall, when a hit alone does not explain itself: what caused it, what it belongs to.
    """
    if tell == "why":
        return shapes.path(memory.why_related(*_given(ids, 2, tell)))
    if tell == "order":
        return {"memories": [brief(one) for one in memory.episode_order(*_given(ids, 1, tell))]}
    if tell == "around":
        if question is None:
            raise InvalidInput("around what? give the question")
        found = memory.neighbourhood(question, limit, hops=1)
        return {
            "memories": [brief(one.memory) | {"hops": one.hops} for one in found.neighbours],
            "links": [shapes.link(edge) for edge in found.edges],
        }
    if tell == "hubs":
        return {"hubs": [shapes.hub(one) for one in memory.hubs(limit)]}
    found_groups = [shapes.community(one) for one in memory.communities(limit)]
    return {
        "communities": [
            one | {"members": one["members"][:SHOWN], "size": len(one["members"])} for one in found_groups
        ]
    }


def _given(ids: list[str], count: int, tell: str) -> list[str]:
    if len(ids) != count:
        raise InvalidInput(f"{tell} needs {count} of `ids`, not {len(ids)}")
    return ids


TOOLS = listed(Tool("memory_graph", "How memories are related", graph, Right.READ, idempotent=True))
