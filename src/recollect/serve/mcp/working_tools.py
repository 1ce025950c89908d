"""The tools for what an agent has in mind in one conversation, which is gone after a while."""

from typing import Annotated, Any

from pydantic import Field

from recollect.engine import Recollect
from recollect.serve import shapes
from recollect.serve.keys import Right
from recollect.serve.mcp.memory_tools import Channel
from recollect.serve.mcp.tool import Tool, listed

Conversation = Annotated[str, Field(description="The conversation's id: the same one in every call.")]


def keep_in_mind(
    memory: Recollect,
    conversation: Conversation,
    values: Annotated[
        dict[str, Any], Field(description="What to keep under which name; null forgets it.")
    ] = {},  # noqa: B006 - never changed
    thought: Annotated[str | None, Field(description="A thought that should not be lost.")] = None,
    goal: Annotated[str | None, Field(description="What the conversation is after now.")] = None,
    state: Annotated[
        str | None, Field(description="The situation right now, to be found again by what it is like.")
    ] = None,
    turn: Annotated[int, Field(description="Of the state: the number of the turn.", ge=0)] = 0,
    ttl_seconds: Annotated[
        float | None, Field(description="After so long the values are gone; an hour without it.", gt=0)
    ] = None,
    channel: Channel = None,
) -> dict[str, Any]:
    """Keep what only matters in this conversation: intermediate results, thoughts, the goal, the situation.

    It is gone after a while and is never recalled elsewhere. What will matter next time is for memory_remember.
    """
    mind = memory.working(conversation, channel=channel)
    for name, value in values.items():
        if value is None:
            mind.delete(name)
        else:
            mind.set(name, value, ttl_seconds=ttl_seconds)
    if thought is not None:
        mind.think(thought)
    if goal is not None:
        mind.set_goal(conversation, goal)
    if state is not None:
        mind.keep_state(turn, state)
    return mind.context()


def in_mind(
    memory: Recollect,
    conversation: Conversation,
    like: Annotated[
        str | None, Field(description="Also bring the earlier states that are most like this.")
    ] = None,
    channel: Channel = None,
) -> dict[str, Any]:
    """Look at what is in mind in this conversation: the goal, values, turns, thoughts, and similar states."""
    mind = memory.working(conversation, channel=channel)
    found = [] if like is None else mind.similar_states(like)
    return mind.context() | {"states": [shapes.state(one) for one in found]}


TOOLS = listed(
    Tool("memory_keep_in_mind", "Keep in mind", keep_in_mind, Right.WRITE),
    Tool("memory_in_mind", "What is in mind", in_mind, Right.READ, idempotent=True),
)
