"""Take in events, end sessions, and ask who and what the memories of both are about."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from recollect.engine import Recollect
from recollect.serve import formed_shapes, shapes
from recollect.serve.http import formed_models as shaped
from recollect.serve.http import models
from recollect.serve.http.routes.looking import Limit, Named
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["form"])
Idle = Annotated[
    float, Query(ge=0, le=1e6, allow_inf_nan=False, description="Only those that were quiet for so long.")
]
Name = Annotated[
    str,
    Query(min_length=1, max_length=1_000, pattern=r"\S", description="A name that it goes by, or its id."),
]
Depth = Annotated[int, Query(ge=0, le=10, description="How many steps away what is near it may be.")]


@verb(router, "POST", "/events", right=Right.WRITE, answers=models.Observed)
def event(memory: Recollect, sent: shaped.Events) -> dict[str, Any]:
    """Take in what an agent did and met.

    Each event is kept in the log lane and memories are formed from what it states; the settings events.* say which
    are let through, and one that is left out says why. The same event of the same time again changes nothing.
    """
    kept = memory.event(sent.events, **sent.options("events"))
    return shapes.observed(kept, dry_run=sent.dry_run)


@verb(router, "GET", "/sessions/unread", right=Right.READ, answers=shaped.UnreadSessions)
def unread_sessions(memory: Recollect, channel: Named = None, idle_minutes: Idle = 0.0) -> dict[str, Any]:
    """List the sessions with turns that no memories were formed from yet, the longest quiet first."""
    found = memory.unread_sessions(channel=channel, idle_minutes=idle_minutes)
    return {"sessions": [formed_shapes.unread(one) for one in found]}


@verb(router, "POST", "/sessions/end", right=Right.WRITE, answers=shaped.EndedSession, slow=True)
def end_session(memory: Recollect, sent: shaped.EndSession) -> dict[str, Any]:
    """Form memories from those turns of a session that were not read yet, and tell what it has taught.

    The same again reads nothing; one that was stopped goes on where it was.
    """
    return formed_shapes.ended(memory, sent.session, sent.channel, dry_run=sent.dry_run)


@verb(router, "GET", "/entities", right=Right.READ, answers=shaped.AllNamed, slow=True)
def entities(memory: Recollect, channel: Named = None, limit: Limit = 50) -> dict[str, Any]:
    """List who and what memories name, the most salient first."""
    found = memory.entities(channel=channel, limit=limit)
    return {"entities": [formed_shapes.named(one) for one in found]}


@verb(router, "GET", "/entity", right=Right.READ, answers=shaped.Entity, slow=True)
def entity(memory: Recollect, name: Name, channel: Named = None, depth: Depth = 1) -> dict[str, Any]:
    """Tell what is known about somebody or something.

    Its aliases, how it is related, what is near it, and every memory that names it.
    """
    return formed_shapes.entity(memory.entity(name, channel=channel, depth=depth))
