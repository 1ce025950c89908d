"""The tools for what an agent did and met, for conversations that are over, and for who and what is known."""

from typing import Annotated, Any

from pydantic import Field

from recollect.engine import Recollect
from recollect.serve import formed_shapes, shapes
from recollect.serve.keys import Right
from recollect.serve.mcp.memory_tools import Channel, brief
from recollect.serve.mcp.tool import Tool, listed


def event(
    memory: Recollect,
    events: Annotated[
        list[dict[str, Any]],
        Field(
            description='In order, each with a "type" such as run.completed, tool.result or worker.report, a '
            '"timestamp" if known, and whatever there is to say of it ("goal", "result", "text", …).'
        ),
    ],
    session: Annotated[str | None, Field(description="The conversation's id.")] = None,
    run: Annotated[str | None, Field(description="The run's id.")] = None,
    channel: Channel = None,
) -> dict[str, Any]:
    """Keep what you did and met: runs that start and end, reports, what tools and commands gave, revisions.

    Memories are formed from what it states. The same event of the same time again changes nothing.
    """
    return shapes.observed(memory.event(events, session=session, run=run, channel=channel))


def end_session(
    memory: Recollect,
    session: Annotated[str, Field(description="The conversation's id, as memory_observe was given it.")],
    channel: Channel = None,
) -> dict[str, Any]:
    """Say that a conversation is over: memories are formed from what was not read yet, and you see what it taught.

    The same again changes nothing.
    """
    return formed_shapes.ended(memory, session, channel)


def entity(
    memory: Recollect,
    name: Annotated[
        str | None, Field(description="A name that it goes by, or its id; without one, all that are named.")
    ] = None,
    depth: Annotated[int, Field(description="How many steps away what is near it may be.", ge=0, le=10)] = 1,
    limit: Annotated[int, Field(description="Without a name: how many.", ge=1, le=200)] = 20,
    channel: Channel = None,
) -> dict[str, Any]:
    """Tell all that is known about a person, place, organisation or thing, and how it is related to others."""
    if name is None:
        found = memory.entities(channel=channel, limit=limit)
        return {"entities": [formed_shapes.named(one) for one in found]}
    one = memory.entity(name, channel=channel, depth=depth)
    return formed_shapes.entity(one) | {"memories": [brief(each) for each in one.memories]}


TOOLS = listed(
    Tool("memory_event", "Keep events", event, Right.WRITE),
    Tool("memory_end_session", "End a conversation", end_session, Right.WRITE, idempotent=True),
    Tool("memory_entity", "Who and what is known", entity, Right.READ, idempotent=True),
)
