"""Look things up."""

import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi import Path as InPath

from recollect.engine import Recollect
from recollect.errors import InvalidInput
from recollect.exchange.values import memory_value
from recollect.language.moments import moment_from
from recollect.model import Filter, Lane, Scope, State
from recollect.serve import shapes
from recollect.serve.http import models
from recollect.serve.http.routing import verb
from recollect.serve.keys import Right
from recollect.write.ids import ALPHABET

router = APIRouter(tags=["look"])
STATES = {
    "active": (State.ACTIVE,),
    "dormant": (State.DORMANT,),
    "all": (State.ACTIVE, State.DORMANT),
}
MADE_HERE = re.compile(rf"[{ALPHABET}]{{26}}")
Id = Annotated[str, InPath(min_length=1, max_length=100, description="An id, or its unique beginning.")]
Named = Annotated[str | None, Query(min_length=1, max_length=1_000, pattern=r"\S")]
Limit = Annotated[int, Query(ge=1, le=1_000)]
After = Annotated[
    str | None, Query(min_length=1, max_length=100, description="`next` of the page before this one.")
]
When = Annotated[str | None, Query(description="ISO 8601", examples=["2026-03-01T10:00:00Z"])]


@verb(router, "GET", "/memories", right=Right.READ, answers=models.Page)
def list_(
    memory: Recollect,
    channel: Named = None,
    lane: models.LaneName | None = None,
    kind: Named = None,
    tag: Annotated[list[str] | None, Query(max_length=100)] = None,
    state: Literal["active", "dormant", "all"] = "active",
    scope: models.ScopeName | None = None,
    session: Named = None,
    run: Named = None,
    actor: Named = None,
    event_type: Named = None,
    since: When = None,
    until: When = None,
    as_of: When = None,
    valid_at: When = None,
    pinned: bool | None = None,
    oldest_first: bool = False,
    limit: Limit = 50,
    after: After = None,
) -> dict[str, Any]:
    """List memories page by page.

    The newest first, of every channel unless one is named, those that were replaced too.
    """
    where = Filter(
        channels=None if channel is None else (channel,),
        lanes=None if lane is None else (Lane(lane),),
        kinds=None if kind is None else (kind,),
        states=STATES[state],
        scopes=None if scope is None else (Scope(scope),),
        any_session=True,
        tags=tuple(tag or ()),
        session=session,
        run=run,
        actor=actor,
        event_type_prefix=event_type,
        since=_moment(since),
        until=_moment(until),
        as_of=_moment(as_of),
        valid_at=_moment(valid_at),
        pinned=pinned,
    )
    return page(memory, where, limit, after, newest_first=not oldest_first)


@verb(router, "GET", "/memories/{memory_id}", right=Right.READ, answers=models.Detailed)
def show(memory: Recollect, memory_id: Id, as_of: When = None) -> dict[str, Any]:
    """Show one memory with all that is known about it.

    Its validity, provenance, edges and how often it was recalled.
    """
    found = memory.get(memory_id, as_of=as_of)
    return shapes.detailed(found, memory.counters(found.id), memory.edges(found.id))


@verb(router, "GET", "/memories/{memory_id}/history", right=Right.READ, answers=models.History)
def history(memory: Recollect, memory_id: Id) -> dict[str, Any]:
    """Show every version of a memory and of those that it replaced.

    Oldest first, with when each was believed.
    """
    known = memory.get(memory_id).id
    return {"id": known, "versions": [memory_value(one) for one in memory.history(known)]}


def page(
    memory: Recollect, where: Filter, limit: int, after: str | None, *, newest_first: bool = True
) -> dict[str, Any]:
    """A page, and the cursor of the next one."""
    found = memory.list(where, limit=limit + 1, after=place(memory, after), newest_first=newest_first)
    shown = found[:limit]
    return {
        "memories": [memory_value(one) for one in shown],
        "next": shown[-1].id if len(found) > limit else None,
    }


def place(memory: Recollect, after: str | None) -> str | None:
    """Where a page begins: after an id that is known, or was before it was purged."""
    if after is None or MADE_HERE.fullmatch(after) or memory.find(after) is not None:
        return after
    raise InvalidInput(f"after is the `next` of the page before, not {after!r}")


def _moment(text: str | None) -> Any:
    return None if text is None else moment_from(text)
