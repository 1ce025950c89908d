"""Keep what is to be thought of, and say when it is due."""

from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query

from recollect.engine import Recollect
from recollect.exchange.values import memory_value
from recollect.serve import shapes
from recollect.serve.http import accounts, models, sending
from recollect.serve.http.routes.looking import Id, Named
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["intend"])
Situation = Annotated[
    str | None, Query(min_length=1, max_length=4_000, pattern=r"\S", description="What is going on.")
]


@verb(router, "POST", "/intentions", right=Right.WRITE, answers=models.Remembered)
def intend(memory: Recollect, sent: sending.Intend) -> dict[str, Any]:
    """Keep something to be thought of at a time, or when something like it comes up."""
    every = None if sent.every_days is None else timedelta(days=sent.every_days)
    return shapes.remembered(memory.intend(sent.text, every=every, **sent.options("text", "every_days")))


@verb(router, "GET", "/due", right=Right.READ, answers=accounts.AllDue)
def due(memory: Recollect, context: Situation = None, channel: Named = None) -> dict[str, Any]:
    """Show the intentions whose time has come, and those that the context is like."""
    return {"due": [shapes.due(one) for one in memory.due(context, channel=channel)]}


@verb(router, "POST", "/intentions/{memory_id}/done", right=Right.WRITE, answers=models.Memory)
def done(memory: Recollect, memory_id: Id) -> dict[str, Any]:
    """Note that an intention was acted on: it rests until it is due again, or sleeps for good."""
    return memory_value(memory.done(memory_id))
