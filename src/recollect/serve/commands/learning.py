"""The verbs that learn from outcomes."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from recollect.errors import InvalidInput
from recollect.serve import practice_shapes, shapes
from recollect.serve.opening import opened
from recollect.serve.options import Common, verb
from recollect.serve.output import printed
from recollect.serve.show import pairs, plain

if TYPE_CHECKING:
    from recollect.learn.values import Outcome

app = typer.Typer(rich_markup_mode=None)
EpisodeId = Annotated[str, typer.Argument(metavar="EPISODE", help="Its id, or the unique beginning of it.")]


class Endings(StrEnum):
    """How an episode stands."""

    OPEN = "open"
    WON = "won"
    LOST = "lost"


class Periods(StrEnum):
    """What mentions are counted by."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"


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
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="Only those that began from then on.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="TIME", help="Only those that began before.")
    ] = None,
) -> None:
    """List episodes, newest first, or show the steps of one."""
    with opened(common, embeds=False, must_exist=True) as memory:
        if episode is not None:
            steps = [shapes.step(step) for step in memory.trajectory(episode)]
            judged, ended = shapes.quality(memory.quality(episode)), memory.outcome_of(episode)
            told = [*map(_step_line, steps), *([] if judged is None else [_quality_line(judged)])]
            told += [] if ended is None else [_taught_line(ended)]
            value = {"quality": judged, "outcome": ended and shapes.outcome(ended), "steps": steps}
            printed(common, value, lambda: Text("\n".join(told)))
            return
        every = memory.episodes(ending=ending, limit=limit, since=since, until=until)
    found = [shapes.episode(one) for one in every]
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
    used: Annotated[
        list[str] | None,
        typer.Option("--used", metavar="ID", help="A memory or item that it went by [repeatable]."),
    ] = None,
) -> None:
    """End an open episode and learn from it, or take its outcome back."""
    if undo == (result is not None):
        raise InvalidInput("say how it ended, `success` or `failure`; or take it back with --undo")
    with opened(common, must_exist=True) as memory:
        if undo:
            again = memory.undo(episode)
            printed(common, shapes.episode(again), lambda: Text(f"{again.id} is open again"))
            return
        learnt = memory.outcome(episode, success=result is Results.SUCCESS, used=used or ())
    printed(common, shapes.outcome(learnt), lambda: Text(f"{learnt.episode}: {_taught_line(learnt)}"))


@verb(app, "reflect")
def reflect(
    common: Common,
    episode: EpisodeId,
    critique: Annotated[str, typer.Argument(help="What went wrong, or could go better.")],
) -> None:
    """Keep a critique of an episode: a warning to later tries at similar goals."""
    with opened(common, must_exist=True) as memory:
        kept = memory.reflect(episode, critique)
    printed(common, {"id": kept.id, "text": kept.text}, lambda: Text(plain(f"{kept.id}  {kept.text}")))


@verb(app, "strategy")
def strategy(
    common: Common,
    parts: Annotated[
        list[str], typer.Argument(metavar="PART...", help="The situation, from the general to what is seen.")
    ],
    task_type: Annotated[str | None, typer.Option("--task", metavar="TYPE", help="The kind of task.")] = None,
) -> None:
    """Show the way that led to success from situations like this."""
    with opened(common) as memory:
        stages = [practice_shapes.stage(one) for one in memory.strategy_for(parts, task_type=task_type)]
    lines = [f"{place}. {one['action']} ({one['chance']:.0%})" for place, one in enumerate(stages, 1)]
    shown = plain("\n".join(lines) or "no way is known")
    printed(common, {"stages": stages}, lambda: Text(shown))


@verb(app, "skills")
def skills(
    common: Common,
    question: Annotated[
        str | None, typer.Argument(metavar="[QUESTION]", help="What it is to be done; the most useful first.")
    ] = None,
    learn: Annotated[
        bool, typer.Option("--learn", help="First make skills of all that succeeded three times.")
    ] = False,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many.")] = 10,
) -> None:
    """List skills: what several successes did in the same order."""
    with opened(common, must_exist=True) as memory:
        if learn:
            memory.learn_skills()
        found = [practice_shapes.skill(one) for one in memory.skills(question, limit)]
    lines = [
        f"{one['id']}  {one['goal']} ({one['wins']} won, {one['losses']} lost): {'; '.join(one['steps'])}"
        for one in found
    ]
    printed(common, {"skills": found}, lambda: Text(plain("\n".join(lines) or "no skills")))


@verb(app, "tools")
def tools(
    common: Common,
    task_type: Annotated[
        str | None, typer.Option("--task", metavar="TYPE", help="Only in tasks of this kind.")
    ] = None,
) -> None:
    """Tell of each type of action how often, how well and how fast it was done."""
    with opened(common, embeds=False, must_exist=True) as memory:
        found = [practice_shapes.tool(one) for one in memory.tools(task_type=task_type)]
    table = Table(box=SIMPLE_HEAD)
    for heading in ("tool", "calls", "in successes", "success", "ms"):
        table.add_column(heading, justify="left" if heading == "tool" else "right")
    for one in found:
        latency = "" if one["latency_ms"] is None else f"{one['latency_ms']:.0f}"
        cells = (plain(one["name"]), str(one["calls"]), str(one["wins"]), f"{one['success']:.0%}", latency)
        table.add_row(*map(Text, cells))
    printed(common, {"tools": found}, lambda: table if found else Text("no episode has ended yet"))


@verb(app, "lens")
def lens(
    common: Common,
    reset: Annotated[bool, typer.Option("--reset", help="Forget every contrast.")] = False,
) -> None:
    """Tell how the lens of questions stands, or reset it."""
    with opened(common, embeds=False, must_exist=True) as memory:
        if reset:
            memory.reset_lens()
        found = practice_shapes.lens(memory.lens())
    printed(common, found, lambda: pairs({name: str(value) for name, value in found.items()}))


@verb(app, "influences")
def influences(
    common: Common,
    pair: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CAUSE EFFECT]", help="Test these two: entities, or tags as tag:NAME."),
    ] = None,
    learn: Annotated[bool, typer.Option("--learn", help="Test all pairs of the most named first.")] = False,
    period: Annotated[Periods, typer.Option("--period", help="What mentions are counted by.")] = Periods.DAY,
    lags: Annotated[int, typer.Option("--lags", metavar="N", help="How many periods back.")] = 3,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many are compared.")] = 30,
) -> None:
    """Tell what comes before what: whose mentions help to predict whose (Granger's test)."""
    if pair is not None and (len(pair) != 2 or learn):
        raise InvalidInput("name a cause and an effect; or nobody, to list all that was found")
    with opened(common, embeds=False, must_exist=True) as memory:
        if pair is not None:
            found = [memory.influence(pair[0], pair[1], period=period, lags=lags)]
        elif learn:
            found = memory.learn_influences(period=period, lags=lags, limit=limit)
        else:
            found = memory.influences()
    lines = [
        f"{one.cause} → {one.effect}  p {one.p_value:.2g}, F {one.f:.1f}, {one.lags} lags of a {one.period}"
        for one in found
    ]
    shown = plain("\n".join(lines) or "nothing is known to come before something else")
    printed(common, {"influences": [practice_shapes.influence(one) for one in found]}, lambda: Text(shown))


@verb(app, "gnn")
def gnn(
    common: Common,
    back_to: Annotated[
        int | None,
        typer.Option(
            "--back-to", metavar="VERSION", help="Go back to this version; 0: what comes with the package."
        ),
    ] = None,
) -> None:
    """Tell how it stands with what neighbours are worth, or go back to a version of it."""
    with opened(common, embeds=False, must_exist=True) as memory:
        if back_to is not None:
            memory.reset_gnn(back_to)
        found = practice_shapes.gnn(memory.gnn())
    printed(common, found, lambda: pairs({name: str(value) for name, value in found.items()}))


def _episode_line(one: dict[str, Any]) -> str:
    kind = f" ({one['task_type']})" if one["task_type"] else ""
    return plain(f"{one['id']}  {one['ending']:4}  {one['goal']}{kind}")


def _quality_line(one: dict[str, Any]) -> str:
    return plain(f"quality {one['score']:.1f}: {one['reason']}")


def _taught_line(one: "Outcome") -> str:
    return f"{len(one.kept)} steps advise from now on, {len(one.decayed)} lost reward"


def _step_line(one: dict[str, Any]) -> str:
    return plain(f"{one['place']:3}  {' | '.join(one['state'])} → {one['action']}")
