"""The verb for what agents emit."""

from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from recollect.serve import conversation, shapes
from recollect.serve.commands.keeping import explained
from recollect.serve.opening import opened
from recollect.serve.options import Common, DryRun, Explain, verb
from recollect.serve.output import printed
from recollect.serve.reading import text_from
from recollect.serve.show import clipped, plain

app = typer.Typer(rich_markup_mode=None)


@verb(app, "event")
def event(
    common: Common,
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="The events; `-` or nothing reads standard input.")
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="The session of events that name none.")
    ] = None,
    run: Annotated[
        str | None, typer.Option("--run", metavar="ID", help="The run of events that name none.")
    ] = None,
    actor: Annotated[
        str | None, typer.Option("--actor", metavar="NAME", help="Who acts in events that name nobody.")
    ] = None,
    dry_run: DryRun = False,
    explain: Explain = False,
) -> None:
    """Take in what an agent did and met, as events.

    An event is a JSON object with a `type`, such as run.completed; many stand one a line, or in an array. Each
    is kept in the log lane; the settings events.* say which are let through. The same event again changes nothing.
    """
    events = conversation.events(text_from(file))
    with opened(common) as memory:
        kept = memory.event(events, session=session, run=run, actor=actor, dry_run=dry_run)
    value = shapes.observed(kept, dry_run=dry_run)
    printed(common, value, lambda: _summary(value, dry_run=dry_run, explain=explain))


def _summary(value: dict[str, Any], *, dry_run: bool, explain: bool) -> RenderableType:
    events = value["turns"]
    left_out = [one for one in events if one["action"] == "skip"]
    lines = [f"{'would keep' if dry_run else 'kept'} {len(events) - len(left_out)} of {len(events)} events"]
    lines += [f"left out: {one['reason']}: {plain(clipped(one['text']))}" for one in left_out]
    if explain:
        lines += [line for one in events for line in explained(one)]
    return Text("\n".join(lines))
