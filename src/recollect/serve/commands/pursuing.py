"""The verbs of goals."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from recollect.serve import shapes
from recollect.serve.commands.looking import Id
from recollect.serve.opening import opened
from recollect.serve.options import Common, spread, verb
from recollect.serve.output import printed
from recollect.serve.show import clipped, plain

if TYPE_CHECKING:
    from recollect.working.goals import Goal

app = typer.Typer(rich_markup_mode=None)
goals = typer.Typer(rich_markup_mode=None)
app.add_typer(goals, name="goals")


def goals_(context: typer.Context, common: Common) -> None:
    """Set goals, and say how they stand.

    Without a command: all of them, what is open and matters most first.
    """
    if context.invoked_subcommand is None:
        _listed(common, None)


@verb(goals, "list")
def list_(
    common: Common,
    standing: Annotated[
        str | None,
        typer.Option("--standing", metavar="HOW", help="active, blocked, completed or abandoned."),
    ] = None,
) -> None:
    """List goals, what is open and matters most first."""
    _listed(common, standing)


@verb(goals, "add")
def add(
    common: Common,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What is to be reached.")],
    priority: Annotated[int, typer.Option("--priority", metavar="N", help="The higher, the sooner.")] = 0,
    deadline: Annotated[
        str | None, typer.Option("--deadline", metavar="TIME", help="Until when (ISO 8601).")
    ] = None,
    parent: Annotated[
        str | None, typer.Option("--parent", metavar="ID", help="The larger goal that it serves.")
    ] = None,
    blocked_by: Annotated[
        list[str] | None, typer.Option("--blocked-by", metavar="ID", help="A goal before it [repeatable].")
    ] = None,
) -> None:
    """Set a goal, on its own or under a larger one."""
    with opened(common) as memory:
        made = memory.add_goal(
            text, priority=priority, deadline=deadline, parent=parent, blocked_by=blocked_by or ()
        )
    _told(common, made)


@verb(goals, "end")
def end(
    common: Common,
    goal_id: Id,
    how: Annotated[str, typer.Argument(metavar="HOW", help="`completed` or `abandoned`.")],
    result: Annotated[str | None, typer.Option("--result", metavar="TEXT", help="What came of it.")] = None,
) -> None:
    """Say that a goal is completed or abandoned."""
    with opened(common, must_exist=True) as memory:
        ended = memory.end_goal(goal_id, how, result=result)
    _told(common, ended)


@verb(goals, "block")
def block(
    common: Common,
    goal_id: Id,
    by: Annotated[str | None, typer.Option("--by", metavar="ID", help="The goal that it waits for.")] = None,
    obstacle: Annotated[
        str | None, typer.Option("--obstacle", metavar="TEXT", help="What else it waits for.")
    ] = None,
) -> None:
    """Say what a goal waits for."""
    with opened(common, must_exist=True) as memory:
        blocked = memory.block_goal(goal_id, by=by, obstacle=obstacle)
    _told(common, blocked)


@verb(goals, "resume")
def resume(common: Common, goal_id: Id) -> None:
    """Say that nothing stands in a goal's way any more, or take its end back."""
    with opened(common, must_exist=True) as memory:
        resumed = memory.resume_goal(goal_id)
    _told(common, resumed)


goals.callback(invoke_without_command=True)(spread(goals_))


def _listed(common: Common, standing: str | None) -> None:
    with opened(common, embeds=False, must_exist=True) as memory:
        found = memory.goals(standing=standing)
    nothing = Text("no goals", style="dim")
    printed(
        common,
        {"goals": [shapes.goal(one) for one in found]},
        lambda: Group(*map(_line, found)) if found else nothing,
    )


def _told(common: Common, one: "Goal") -> None:
    printed(common, shapes.goal(one), lambda: _line(one))


def _line(one: "Goal") -> RenderableType:
    until = "" if one.deadline is None else f"  until {one.deadline:%Y-%m-%d}"
    waits = one.obstacle or ", ".join(one.blockers)
    why = f"  waits for {waits}" if waits else f"  {one.result}" if one.result else ""
    return Text(plain(f"{one.id}  {one.standing:9}  {clipped(one.text)}{until}{why}"))
