"""The verb that shows what was done."""

from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from recollect.serve import shapes
from recollect.serve.opening import opened
from recollect.serve.options import Common, verb
from recollect.serve.output import printed
from recollect.serve.show import clipped, plain

app = typer.Typer(rich_markup_mode=None)


@verb(app, "audit")
def audit(
    common: Common,
    since: Annotated[str | None, typer.Option("--since", metavar="TIME", help="From this time on.")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="TIME", help="Before this time.")] = None,
    operation: Annotated[
        str | None, typer.Option("--operation", metavar="NAME", help="Such as remember, recall or purge.")
    ] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="ID", help="Of this session.")] = None,
    memory_id: Annotated[
        str | None, typer.Option("--memory", metavar="ID", help="What wrote this memory or brought it back.")
    ] = None,
    only: Annotated[
        str | None, typer.Option("--only", metavar="WHICH", help="`writes` or `reads`, not both.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many.")] = 50,
    after: Annotated[
        str | None, typer.Option("--after", metavar="PLACE", help="Go on where the page before ended.")
    ] = None,
) -> None:
    """Show what was written, and what was read and by whom.

    The newest first. Every write is in it; reads are as far as the setting audit.level keeps them.
    """
    with opened(common, embeds=False, must_exist=True) as memory:
        page = memory.audit(
            since=since,
            until=until,
            operation=operation,
            session=session,
            memory_id=memory_id,
            only=only,
            limit=limit,
            after=after,
        )
    value = shapes.audited(page)
    printed(common, value, lambda: _listed(value))


def _listed(value: dict[str, Any]) -> RenderableType:
    if not value["entries"]:
        return Text("nothing here")
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("when", "operation", "by", "channel", "session", "memories"):
        table.add_column(name, overflow="fold")
    for one in value["entries"]:
        said = (one["at"][:19], one["operation"], one["actor"], one["channel"], one["session"])
        table.add_row(*(plain(text or "") for text in said), plain(clipped(_named(one["ids"]))))
    rest = [Text(f"more: --after {value['next']}", style="dim")] if value["next"] else []
    return Group(table, *rest)


def _named(ids: list[str]) -> str:
    """One by its id, several by how many there are.

    >>> _named(["01"]), _named(["01", "02", "03"]), _named([])
    ('01', '01 and 2 more', '')
    """
    return "" if not ids else ids[0] if len(ids) == 1 else f"{ids[0]} and {len(ids) - 1} more"
