"""Decide what waits for somebody to decide, and answer what nothing was known about."""

from typing import Any

from fastapi import APIRouter

from recollect.engine import Recollect
from recollect.exchange.values import memory_value
from recollect.serve import shapes
from recollect.serve.http import accounts, sending
from recollect.serve.http.models import ObservedTurn
from recollect.serve.http.routes.looking import After, Id, Limit, Named, place
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right

router = APIRouter(tags=["review"])


@verb(router, "GET", "/review", right=Right.READ, answers=accounts.Reviews)
def review(
    memory: Recollect, channel: Named = None, limit: Limit = 50, after: After = None
) -> dict[str, Any]:
    """List what waits for somebody to say which of two contradicting memories holds.

    Page by page, the oldest first, each with what it contradicts.
    """
    found = memory.reviews(channel=channel, limit=limit + 1, after=place(memory, after))
    shown = found[:limit]
    return {
        "reviews": [shapes.review(one) for one in shown],
        "next": shown[-1].memory.id if len(found) > limit else None,
    }


@verb(router, "POST", "/review/{memory_id}", right=Right.WRITE, answers=accounts.Review)
def resolve(memory: Recollect, memory_id: Id, sent: sending.Resolve) -> dict[str, Any]:
    """Say which one holds.

    The new one replaces what it contradicts; or the old ones stay and the new one is forgotten; or both hold.
    """
    return shapes.review(memory.resolve(memory_id, sent.keep))


@verb(router, "GET", "/quarantine", right=Right.READ, answers=accounts.Quarantined)
def quarantined(
    memory: Recollect, channel: Named = None, limit: Limit = 50, after: After = None
) -> dict[str, Any]:
    """List what was taken for an attack, page by page, the oldest first; its metadata says why."""
    found = memory.quarantined(channel=channel, limit=limit + 1, after=place(memory, after))
    shown = found[:limit]
    return {
        "quarantined": [memory_value(one) for one in shown],
        "next": shown[-1].id if len(found) > limit else None,
    }


@verb(router, "POST", "/quarantine/{memory_id}/release", right=Right.WRITE, answers=ObservedTurn)
def release(memory: Recollect, memory_id: Id) -> dict[str, Any]:
    """Say that a message is harmless: it is recalled again, and learnt from as others are."""
    turn: dict[str, Any] = shapes.observed([memory.release(memory_id)])["turns"][0]
    return turn


@verb(router, "GET", "/gaps", right=Right.READ, answers=accounts.Gaps)
def gaps(memory: Recollect, channel: Named = None, limit: Limit = 50, after: After = None) -> dict[str, Any]:
    """List what came up and nothing was known about, page by page, the newest first."""
    found = memory.gaps(channel=channel, limit=limit + 1, after=place(memory, after))
    shown = found[:limit]
    return {
        "gaps": [shapes.gap(one) for one in shown],
        "next": shown[-1].id if len(found) > limit else None,
    }


@verb(router, "POST", "/gaps", right=Right.WRITE, answers=accounts.NotedGap)
def note_gap(memory: Recollect, sent: sending.NewGap) -> dict[str, Any]:
    """Keep that nothing was known about something; the same again is counted."""
    noted = memory.note_gap(sent.context, **sent.options("context"))
    return {"gap": None if noted is None else shapes.gap(noted)}


@verb(router, "POST", "/gaps/{memory_id}/close", right=Right.WRITE, answers=accounts.ClosedGap)
def close_gap(memory: Recollect, memory_id: Id, sent: sending.ClosedGap) -> dict[str, Any]:
    """Say that a gap is none any more; an answer is remembered, with the gap as its source."""
    kept = memory.close_gap(memory_id, answer=sent.answer)
    return {"remembered": None if kept is None else shapes.remembered(kept)}
