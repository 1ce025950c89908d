"""The verbs that look things up by what is known of them."""

from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Group
from rich.text import Text

from recollect.errors import InvalidInput
from recollect.exchange.values import memory_value
from recollect.language.moments import moment_from
from recollect.model import Filter, Scope, State
from recollect.serve import shapes
from recollect.serve.opening import opened
from recollect.serve.options import Common, Selection, verb
from recollect.serve.output import printed
from recollect.serve.show import detail, listed, version

app = typer.Typer(rich_markup_mode=None)
Id = Annotated[str, typer.Argument(metavar="ID", help="A memory's id, or the unique beginning of it.")]


class States(StrEnum):
    """Which states a list shows."""

    ACTIVE = "active"
    DORMANT = "dormant"
    ALL = "all"


STATES = {
    States.ACTIVE: (State.ACTIVE,),
    States.DORMANT: (State.DORMANT,),
    States.ALL: (State.ACTIVE, State.DORMANT),
}


@verb(app, "list")
def list_(
    common: Common,
    selection: Selection,
    state: Annotated[States, typer.Option("--state", help="Which states.")] = States.ACTIVE,
    scope: Annotated[list[Scope] | None, typer.Option("--scope", help="Of this reach [repeatable].")] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="ID", help="From this session.")] = None,
    role: Annotated[str | None, typer.Option("--role", metavar="ROLE", help="Said in this role.")] = None,
    pinned: Annotated[bool | None, typer.Option("--pinned/--unpinned", help="Only (un)pinned ones.")] = None,
    min_confidence: Annotated[
        float | None, typer.Option("--min-confidence", metavar="P", help="At least this sure.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many.")] = 50,
    after: Annotated[
        str | None, typer.Option("--after", metavar="ID", help="Go on after this id, the last of a page.")
    ] = None,
    oldest_first: Annotated[bool, typer.Option("--oldest-first", help="In the order of recording.")] = False,
) -> None:
    """List memories page by page.

    The newest first, of every channel unless --channel names one, those that were replaced too.
    """
    if limit < 1:
        raise InvalidInput(f"--limit is a number above 0, not {limit}")
    where = replace(
        chosen(common, selection),
        states=STATES[state],
        scopes=tuple(scope) if scope else None,
        session=session,
        role=role,
        pinned=pinned,
        min_confidence=min_confidence,
    )
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.list(where, limit=limit + 1, after=after, newest_first=not oldest_first)
    page, more = found[:limit], len(found) > limit
    value = {"memories": [memory_value(one) for one in page], "next": page[-1].id if more else None}
    rest = [Text(f"more: --after {page[-1].id}", style="dim")] if more else []
    printed(common, value, lambda: Group(listed(page, empty="nothing here yet"), *rest))


@verb(app, "show")
def show(
    common: Common,
    memory_id: Id,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME", help="As the store believed at this time.")
    ] = None,
) -> None:
    """Show one memory with all that is known about it.

    Its validity, provenance, edges and how often it was recalled.
    """
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.get(memory_id, as_of=as_of)
        counters = memory.counters(found.id)
        edges = memory.edges(found.id)
    printed(common, shapes.detailed(found, counters, edges), lambda: detail(found, counters, edges))


@verb(app, "history")
def history(common: Common, memory_id: Id) -> None:
    """Show every version of a memory and of those that it replaced.

    Oldest first, with when each was believed.
    """
    with opened(common, embeds=False, must_exist=True) as memory:
        known = memory.get(memory_id).id
        versions = memory.history(known)
    value = {"id": known, "versions": [memory_value(one) for one in versions]}
    printed(common, value, lambda: Group(*(version(one) for one in versions)))


def chosen(common: Common, selection: Selection) -> Filter:
    """The filter that a selection means."""
    return Filter(
        channels=None if common.channel is None else (common.channel,),
        lanes=tuple(selection.lane) if selection.lane else None,
        kinds=tuple(selection.kind) if selection.kind else None,
        tags=tuple(selection.tag or ()),
        run=selection.run,
        actor=selection.actor,
        event_type_prefix=selection.event_type,
        any_session=True,
        since=_moment(selection.since),
        until=_moment(selection.until),
        as_of=_moment(selection.as_of),
        valid_at=_moment(selection.valid_at),
    )


def _moment(text: str | None) -> datetime | None:
    return None if text is None else moment_from(text)
