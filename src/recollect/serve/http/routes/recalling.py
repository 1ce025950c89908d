"""Bring back what helps."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from recollect.engine import Recollect
from recollect.exchange.values import memory_value
from recollect.recall.query import MAX_HITS
from recollect.serve import shapes
from recollect.serve.http import accounts, models, sending
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["bring back"])
Question = Annotated[str, Query(min_length=1, max_length=4_000, pattern=r"\S")]
"""An address has room for so much; a longer question goes to /recall."""


@verb(router, "POST", "/recall", right=Right.READ, answers=models.Recalled)
def recall(memory: Recollect, sent: sending.Asked) -> dict[str, Any]:
    """Bring back what helps with a question, best first.

    Answers from the channel and from _global, with what is true now, unless asked otherwise.
    """
    return shapes.recalled(memory.recall(sent.query, **sent.options("query")))


@verb(router, "GET", "/search", right=Right.READ, answers=models.Recalled)
def search(
    memory: Recollect,
    q: Question,
    k: Annotated[int, Query(ge=1, le=MAX_HITS)] = 5,
    channel: Annotated[str | None, Query(min_length=1, pattern=r"\S")] = None,
) -> dict[str, Any]:
    """Look into the memory without a trace of it.

    Of every channel unless one is named, and not counted as a use of what is found.
    """
    found = memory.recall(q, k, channel=channel, learn=False, every_channel=channel is None)
    return shapes.recalled(found)


@verb(router, "POST", "/context", right=Right.READ, answers=models.Context)
def context(memory: Recollect, sent: sending.AskedContext) -> dict[str, Any]:
    """Give the best memories as text for a prompt.

    Each with its date, as many as the budget of tokens holds.
    """
    chosen = sent.budget_tokens
    budget = memory.settings.recall.budget_tokens if chosen is None else chosen
    text = memory.context(sent.query, budget_tokens=budget, **sent.options("query", "budget_tokens"))
    return {"query": sent.query, "budget_tokens": budget, "context": text}


@verb(router, "POST", "/bundle", right=Right.READ, answers=accounts.Bundle)
def bundle(memory: Recollect, sent: sending.AskedBundle) -> dict[str, Any]:
    """Give everything that helps with a question at once, part by part.

    Turns, facts, strategies, the entities that they name, the goals that are open, and the user's portrait.
    """
    return shapes.bundle(memory.bundle(sent.query, **sent.options("query")))


@verb(router, "GET", "/portrait", right=Right.READ, answers=accounts.Portrait)
def portrait(
    memory: Recollect, channel: Annotated[str | None, Query(min_length=1, pattern=r"\S")] = None
) -> dict[str, Any]:
    """Tell what is known about the user: what they prefer, know well, and how they like to be talked to."""
    return shapes.portrait(memory.portrait(channel=channel))


@verb(router, "GET", "/timeline", right=Right.READ, answers=models.Timeline)
def timeline(
    memory: Recollect,
    q: Question | None = None,
    limit: Annotated[int, Query(ge=1, le=MAX_HITS)] = 50,
    channel: Annotated[str | None, Query(min_length=1, pattern=r"\S")] = None,
) -> dict[str, Any]:
    """Show what was believed when, of a topic or of all.

    Past and present memories, by the time when they became true.
    """
    reach = {"every_channel": True} if channel is None else {"channel": channel}
    found = memory.timeline(q, limit=limit, **reach)
    return {"query": q, "memories": [memory_value(one) for one in found]}
