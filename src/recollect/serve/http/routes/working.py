"""What an agent has in mind in one conversation: turns, values, thoughts, the goal, and the states it went through."""

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Path as InPath

from recollect.engine import Recollect
from recollect.serve import shapes
from recollect.serve.http import accounts, sending
from recollect.serve.http.paths import NAME
from recollect.serve.http.routes.looking import Limit, Named
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["work"])
PLACE = f"/working/{{conversation:{NAME}}}"
VALUE = f"{PLACE}/values/{{name:{NAME}}}"
Conversation = Annotated[
    str, InPath(min_length=1, max_length=1_000, pattern=r"\S", description="A conversation's id.")
]
Name = Annotated[str, InPath(min_length=1, max_length=1_000, pattern=r"\S", description="A value's name.")]


@verb(router, "GET", PLACE, right=Right.READ, answers=accounts.InMind)
def in_mind(memory: Recollect, conversation: Conversation, channel: Named = None) -> dict[str, Any]:
    """Give all that is in mind in a conversation: the goal, values, turns and thoughts."""
    return memory.working(conversation, channel=channel).context()


@verb(router, "DELETE", PLACE, right=Right.WRITE, answers=accounts.InMind)
def clear_mind(memory: Recollect, conversation: Conversation, channel: Named = None) -> dict[str, Any]:
    """Forget everything that is in mind in a conversation."""
    mind = memory.working(conversation, channel=channel)
    mind.clear()
    return mind.context()


@verb(router, "POST", PLACE + "/turns", right=Right.WRITE, answers=accounts.Turns)
def add_turn(
    memory: Recollect, conversation: Conversation, sent: sending.NewTurn, channel: Named = None
) -> dict[str, Any]:
    """Keep what was said just now; the oldest turn goes when there are too many."""
    mind = memory.working(conversation, channel=channel)
    mind.add_turn(sent.role, sent.content, **({} if sent.name is None else {"name": sent.name}))
    return {"turns": mind.recent_turns(1)}


@verb(router, "GET", PLACE + "/turns", right=Right.READ, answers=accounts.Turns)
def recent_turns(
    memory: Recollect, conversation: Conversation, limit: Limit = 10, channel: Named = None
) -> dict[str, Any]:
    """Give the last turns, the oldest of them first."""
    return {"turns": memory.working(conversation, channel=channel).recent_turns(limit)}


@verb(router, "POST", PLACE + "/thoughts", right=Right.WRITE, answers=accounts.Thoughts)
def think(
    memory: Recollect, conversation: Conversation, sent: sending.NewThought, channel: Named = None
) -> dict[str, Any]:
    """Keep a thought."""
    mind = memory.working(conversation, channel=channel)
    mind.think(sent.thought)
    return {"thoughts": mind.thoughts(1)}


@verb(router, "GET", PLACE + "/thoughts", right=Right.READ, answers=accounts.Thoughts)
def thoughts(
    memory: Recollect, conversation: Conversation, limit: Limit = 10, channel: Named = None
) -> dict[str, Any]:
    """Give the last thoughts, the oldest of them first."""
    return {"thoughts": memory.working(conversation, channel=channel).thoughts(limit)}


@verb(router, "PUT", VALUE, right=Right.WRITE, answers=accounts.Value)
def set_value(
    memory: Recollect, conversation: Conversation, name: Name, sent: sending.NewValue, channel: Named = None
) -> dict[str, Any]:
    """Keep a value under a name, for a while."""
    mind = memory.working(conversation, channel=channel)
    mind.set(name, sent.value, ttl_seconds=sent.ttl_seconds)
    return {"name": name, "value": mind.get(name)}


@verb(router, "GET", VALUE, right=Right.READ, answers=accounts.Value)
def value(memory: Recollect, conversation: Conversation, name: Name, channel: Named = None) -> dict[str, Any]:
    """Give the value of a name; null where there is none, or its time is over."""
    return {"name": name, "value": memory.working(conversation, channel=channel).get(name)}


@verb(router, "DELETE", VALUE, right=Right.WRITE, answers=accounts.Value)
def delete_value(
    memory: Recollect, conversation: Conversation, name: Name, channel: Named = None
) -> dict[str, Any]:
    """Forget a value."""
    memory.working(conversation, channel=channel).delete(name)
    return {"name": name, "value": None}


@verb(router, "PUT", PLACE + "/goal", right=Right.WRITE, answers=accounts.InMind)
def set_goal(
    memory: Recollect, conversation: Conversation, sent: sending.GoalInMind, channel: Named = None
) -> dict[str, Any]:
    """Say what the conversation is after now."""
    mind = memory.working(conversation, channel=channel)
    mind.set_goal(sent.id, sent.text)
    return mind.context()


@verb(router, "DELETE", PLACE + "/goal", right=Right.WRITE, answers=accounts.InMind)
def clear_goal(memory: Recollect, conversation: Conversation, channel: Named = None) -> dict[str, Any]:
    """Say that the conversation is after nothing in particular."""
    mind = memory.working(conversation, channel=channel)
    mind.clear_goal()
    return mind.context()


@verb(router, "POST", PLACE + "/states", right=Right.WRITE, answers=accounts.States)
def keep_state(
    memory: Recollect, conversation: Conversation, sent: sending.NewState, channel: Named = None
) -> dict[str, Any]:
    """Keep the state that the conversation is in at a turn, to be found again by what it is like."""
    mind = memory.working(conversation, channel=channel)
    mind.keep_state(sent.turn, sent.text, sent.metadata)
    return {"states": [shapes.state(one) for one in mind.similar_states(sent.text, 1)]}


@verb(router, "POST", PLACE + "/states/similar", right=Right.READ, answers=accounts.States)
def similar_states(
    memory: Recollect, conversation: Conversation, sent: sending.LikeState, channel: Named = None
) -> dict[str, Any]:
    """Give the states of this conversation that are most like a text, best first."""
    found = memory.working(conversation, channel=channel).similar_states(sent.text, sent.k)
    return {"states": [shapes.state(one) for one in found]}
