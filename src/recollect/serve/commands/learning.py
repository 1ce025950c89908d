"""The verbs that learn from outcomes."""

from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.text import Text

from recollect.errors import InvalidInput
from recollect.serve import shapes
from recollect.serve.opening import opened
from recollect.serve.options import Common, verb
from recollect.serve.output import printed
from recollect.serve.show import plain

app = typer.Typer(rich_markup_mode=None)
EpisodeId = Annotated[str, typer.Argument(metavar="EPISODE", help="Its id, or the unique beginning of it.")]


class Endings(StrEnum):
    """How an episode stands."""

    OPEN = "open"
    WON = "won"
    LOST = "lost"


class Results(StrEnum):
    """How an episode ended."""

    SUCCESS = "success"
    FAILURE = "failure"


@verb(app, "episodes")
def episodes(
    common: Common,
    episode: Annotated[
        str | None, typer.Argument(metavar="[EPISODE]", help="Show this one with its steps.")
    ] = None,
    ending: Annotated[Endings | None, typer.Option("--ending", help="Only those that stand so.")] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many.")] = 50,
) -> None:
    """List episodes, newest first, or show the steps of one."""
    with opened(common, embeds=False) as memory:
        if episode is not None:
            steps = [shapes.step(step) for step in memory.trajectory(episode)]
            printed(common, {"steps": steps}, lambda: Text("\n".join(map(_step_line, steps))))
            return
        found = [shapes.episode(one) for one in memory.episodes(ending=ending, limit=limit)]
    lines = "\n".join(map(_episode_line, found)) or "no episodes"
    printed(common, {"episodes": found}, lambda: Text(lines))


@verb(app, "decide")
def decide(
    common: Common,
    parts: Annotated[
        list[str], typer.Argument(metavar="PART...", help="The situation, from the general to what is seen.")
    ],
    possible: Annotated[
        list[str] | None, typer.Option("--possible", metavar="ACTION", help="What can be done [repeatable].")
    ] = None,
    task_type: Annotated[str | None, typer.Option("--task", metavar="TYPE", help="The kind of task.")] = None,
) -> None:
    """Say what worked in similar situations, and what each action promises."""
    with opened(common) as memory:
        advice = memory.decide(parts, possible=possible, task_type=task_type)
    printed(common, shapes.advice(advice), lambda: Text(plain(advice.text)))


@verb(app, "outcome")
def outcome(
    common: Common,
    episode: EpisodeId,
    result: Annotated[Results | None, typer.Argument(help="How it ended.")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take its outcome back instead.")] = False,
) -> None:
    """End an open episode and learn from it, or take its outcome back."""
    if undo == (result is not None):
        raise InvalidInput("say how it ended, `success` or `failure`; or take it back with --undo")
    with opened(common) as memory:
        if undo:
            again = memory.undo(episode)
            printed(common, shapes.episode(again), lambda: Text(f"{again.id} is open again"))
            return
        learnt = memory.outcome(episode, success=result is Results.SUCCESS)
    told = f"{learnt.episode}: {len(learnt.kept)} steps advise from now on, {len(learnt.decayed)} lost reward"
    printed(common, shapes.outcome(learnt), lambda: Text(told))


def _episode_line(one: dict[str, Any]) -> str:
    kind = f" ({one['task_type']})" if one["task_type"] else ""
    return plain(f"{one['id']}  {one['ending']:4}  {one['goal']}{kind}")


def _step_line(one: dict[str, Any]) -> str:
    return plain(f"{one['place']:3}  {' | '.join(one['state'])} → {one['action']}")
